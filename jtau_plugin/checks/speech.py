"""What the embedded model says: nothing but what the task knows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from jtau_plugin.checks.model import ERROR, SPEECH, Context, Fault, Segment, of_segment
from jtau_plugin.checks.reading import TOKEN

#: Kinds of tokens that nobody makes up in a conversation.
_IDS = frozenset({"url", "email", "phone"})
_MIXED = re.compile(r"(?=.*\d)(?=.*[A-Za-z_#]).{4,}|\d{4,}", re.ASCII)
_WORD = re.compile(r"[A-Za-z]+(?:['-][A-Za-z]+)*", re.ASCII)
#: A booking's id may have no digit.
_CODE = re.compile(r"(?<![A-Za-z0-9])[A-Z]{6}(?![A-Za-z0-9])", re.ASCII)


def _ids(text: str) -> Iterator[str]:
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        if kind in _IDS or (kind == "mixed" and _MIXED.fullmatch(match[0])):
            yield match[0].rstrip(".")
    yield from _CODE.findall(text)


@of_segment(ERROR, {SPEECH})
def check_spoken_facts(segment: Segment, context: Context) -> Iterator[Fault]:
    """What is said in a task has the ids, codes and names that the task has."""
    if not segment.source:
        return
    known = segment.source + " ".join(w for words in context.words.allowed.values() for w in words)
    closed = re.sub(r"(?<=\d)[ -](?=[A-Za-z])", "", known)  # 32 GB
    text = unicodedata.normalize("NFKC", segment.target)
    unknown = sorted({token for token in _ids(text) if token not in known and token not in closed})
    if unknown:
        yield Fault(f"the task does not have {', '.join(unknown)}", "say what the task says")
    for name in sorted(context.persons & set(_WORD.findall(text))):
        if name not in known:
            yield Fault(f"the task does not have the name {name!r}", "say what the task says")


CHECKS = (check_spoken_facts,)
