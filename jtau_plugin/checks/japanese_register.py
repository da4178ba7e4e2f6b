"""Japanese register and sentence ends: です・ます throughout, and a 。 where a sentence ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jtau_plugin.checks.english_reading import count_sentences
from jtau_plugin.checks.model import (
    ERROR,
    PARAMETER,
    POLICY,
    PROMPT,
    PROSE,
    SPEECH,
    TASK,
    TOOL,
    TRANSLATED,
    Context,
    Fault,
    Segment,
    of_segment,
)

_QUOTE = re.compile("「[^「」]*」|『[^『』]*』")
_ASIDE = re.compile("（[^（）]*）")
_POLITE = re.compile(
    r"(?:です|ます|ません|ました|でした|ましょう|でしょう|ください|なさい)(?:か|ね|よ|が|けど)?$"
)
# A sentence may end in a noun, not in a verb's, an adjective's or である's plain form.
_PLAIN = re.compile(
    r"(?:[^ま]た|だ|る|[うくぐすつぬぶむ]|(?:[なたよいさ]|[かぐむざ]し)い|くれ|しろ|せよ|[ぁ-ん]な|[ぁ-ん]よ)$"
)
_COMMAND = re.compile("(?:せよ|しろ|くれ|するな|すべし)。")
_SENTENCE = re.compile(r"[^。！？\n]+[。！？]?")
_MARK = re.compile("[。！？…:]")
_LONG_ASIDE = re.compile("（[^（）]{8,}）")
_LIST_ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.|#+|\|) *")
_HEADING = re.compile(r"\s*#+ ")
#: What may end a line: a mark, a bracket, a colon, a placeholder, a control token.
_ENDS = "。！？」）:…}#"
_ENGLISH_END = re.compile(r"[.!?]['\")*\s]*$")


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences that end in 。, without what they quote or say aside.

    An item of a list may name a condition or an action in one plain sentence, but commands nothing.
    """
    for line in text.split("\n"):
        if _LIST_ITEM.match(line) and line.count("。") == 1 and not _COMMAND.search(line):
            continue
        unquoted = _QUOTE.sub("◯", _LIST_ITEM.sub("", line))
        asides = [aside.strip("（）") for aside in _ASIDE.findall(unquoted)]
        for plain in (_ASIDE.sub("", unquoted), *asides):
            for match in _SENTENCE.finditer(plain):
                if match[0].endswith(("。", "！", "？")):
                    yield match[0]


@of_segment(ERROR, PROSE - {SPEECH})
def check_register(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """Sentences are in です・ます; nouns may stand alone, plain forms may not."""
    for sentence in _sentences(segment.target):
        body = sentence.rstrip("。！？").replace("**", "")
        if _PLAIN.search(body) and not _POLITE.search(body):
            yield Fault(f"plain form: …{body[-16:]}。", "write です・ます")


def _last_line_faults(source: str, target: str) -> Iterator[Fault]:
    if target.endswith((".", "．", "，", "、", ",")):
        yield Fault(f"ends in {target[-1]!r}", "end it with 。")
    elif _ENGLISH_END.search(source) and target[-1] not in _ENDS and not _LIST_ITEM.match(target):
        yield Fault(f"no 。 at the end: …{target[-16:]}", "end it with 。")


@of_segment(ERROR, TRANSLATED)
def check_sentence_end(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """Where a sentence ends, there is a 。."""
    source, target = segment.source.rstrip(), segment.target.rstrip().rstrip("*`")
    if target and not _HEADING.match(target):
        yield from _last_line_faults(source, target)
    for line in segment.target.rstrip().split("\n"):
        body = _LIST_ITEM.sub("", line).rstrip()
        is_open = bool(body) and body[-1] not in _ENDS + "*`|"
        if is_open and ("。" in body or _POLITE.search(body)) and not _HEADING.match(line):
            yield Fault(f"no 。 at the end of a line: …{body[-16:]}", "end it with 。")


@of_segment(ERROR, {TOOL, PARAMETER}, is_whole=True)
def check_description_end(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """What is said of a tool or a parameter ends in 。, a noun as well."""
    target = segment.target.rstrip().rstrip("*`")
    if not target.endswith("。"):
        yield Fault(f"no 。 at the end: …{target[-16:]}", "end it with 。")


def _count_sentences(text: str) -> int:
    """Return how many sentences end in a Japanese text; an aside may have been one of its own."""
    return len(_MARK.findall(text)) + len(_LONG_ASIDE.findall(text))


@of_segment(ERROR, {POLICY, TOOL, PROMPT, TASK})
def check_sentences(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """No sentence of the source is left out."""
    wanted, found = count_sentences(segment.source), _count_sentences(segment.target)
    is_phrase = wanted == 1 and bool(_LIST_ITEM.match(segment.target))
    if found < wanted and not is_phrase:
        yield Fault(f"{found} sentences, {wanted} in the source", "is one left out?")


CHECKS = (check_register, check_sentence_end, check_description_end, check_sentences)
