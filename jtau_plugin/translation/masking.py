"""Hides from a translator what must come back as it is, and puts it back.

Ids, placeholders, tags, control tokens, names of tools, code, numbers and known lines become
tokens; each must come back exactly as often as it was handed out.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from jtau_plugin.checks.inflection import term_regex
from jtau_plugin.checks.reading import TOKEN, unit_number
from jtau_plugin.translation.extraction.segment import LITERAL, NAME, TERM, VALUE

_OPEN, _CLOSE = "⟪", "⟫"
_TOKEN = re.compile(rf"{_OPEN}\s*([0-9０-９]{{1,6}})\s*{_CLOSE}")
_STRAY = re.compile(rf"[{_OPEN}{_CLOSE}]")

_CONTROL = re.compile(r"###[A-Z][A-Z-]*###")
_CODE = re.compile(r"`[^`\n]+`")
_TAG = re.compile(r"</?[A-Za-z][\w-]*>")
_PLACEHOLDER = re.compile(r"\{\w*\}")
_QUOTED = re.compile(r"(?<!\w)'([^'\n]+)'(?!\w)|\"([^\"\n]+)\"|“([^”\n]+)”|\*\*([^*\n]+)\*\*")
_NAME = re.compile(r"(?<![\w.@-])[A-Za-z0-9]+(?:_[a-z0-9]+)+(?:\(\))?(?![\w@])", re.ASCII)
_PERSON = re.compile(r"[A-Z][a-z]{2,}")
_RECORD = re.compile(r"(?<![A-Za-z])(?<![A-Z] )[A-Z]{6}(?![A-Za-z])(?! [A-Z]{2})")
#: The number of a list item is no number of the text.
_MARKER = re.compile(r"^[ \t]*\d+[.)](?=\s)", re.MULTILINE)
_SYMBOLS = ("So", "Sk")
_EMOJI = "\N{VARIATION SELECTOR-16}"
_JOINERS = f"{_EMOJI}\N{ZERO WIDTH JOINER}\N{COMBINING ENCLOSING KEYCAP}"
#: What is no id, whatever it is made of.
_NAMED = ("url", "email", "date", "phone", "time", "section")
_VALUES = frozenset({LITERAL, VALUE})
_NEVER = frozenset({NAME, TERM})


@dataclass(frozen=True)
class Mask:
    """One token.

    Attributes:
        token: what stands in the masked text.
        text: the English that it hides.
        shown: what it becomes in the localized text.
        kind: ``number``, ``name``, ``choice`` …
    """

    token: str
    text: str
    shown: str
    kind: str


@dataclass(frozen=True)
class Masked:
    """A text with tokens in it.

    Attributes:
        text: the text to translate, without the blanks around it.
        masks: what its tokens stand for, in order.
        before: blanks in front of the text.
        after: blanks behind it.
    """

    text: str
    masks: tuple[Mask, ...] = ()
    before: str = ""
    after: str = ""

    @property
    def is_nothing_left(self) -> bool:
        """Whether there is no letter left to translate."""
        return not any(c.isalpha() for c in _TOKEN.sub("", self.text))


@dataclass(frozen=True)
class MaskRules:
    """What is hidden besides what can be told by its shape.

    Attributes:
        choices: values that texts quote, with the form in which the locale shows each.
        persons: names of persons; two beside each other are hidden.
        lines: whole lines that are translated already, with their translation.
        whole: wordings whose numbers stay, because they are a part of the word.
    """

    choices: Mapping[str, str] = field(default_factory=dict)
    persons: frozenset[str] = frozenset()
    lines: Mapping[str, str] = field(default_factory=dict)
    whole: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Span:
    start: int
    end: int
    kind: str
    shown: str


_Finder = Callable[[str, MaskRules], Iterator[_Span]]


def _plain(kind: str, pattern: re.Pattern[str]) -> _Finder:
    def find(text: str, rules: MaskRules) -> Iterator[_Span]:  # noqa: ARG001
        for match in pattern.finditer(text):
            yield _Span(*match.span(), kind, match[0])

    return find


def _lines(text: str, rules: MaskRules) -> Iterator[_Span]:
    start = 0
    for line in text.split("\n"):
        body = line.strip()
        if body in rules.lines:
            at = start + line.index(body)
            yield _Span(at, at + len(body), "line", rules.lines[body])
        start += len(line) + 1


def _shown_in_code(code: str, rules: MaskRules) -> str:
    inner = code.strip("`").strip("\"'")
    if inner in rules.choices:
        return code.replace(inner, rules.choices[inner])
    return re.sub(r"\"([^\"]+)\"", lambda m: f'"{rules.choices.get(m[1], m[1])}"', code)


def _code(text: str, rules: MaskRules) -> Iterator[_Span]:
    for match in _CODE.finditer(text):
        yield _Span(*match.span(), "code", _shown_in_code(match[0], rules))


def _quoted(text: str, rules: MaskRules) -> Iterator[_Span]:
    for match in _QUOTED.finditer(text):
        group = match.lastindex or 0
        if match[group] in rules.choices:
            yield _Span(*match.span(group), "choice", rules.choices[match[group]])


def _names(text: str, rules: MaskRules) -> Iterator[_Span]:
    for match in _NAME.finditer(text):
        shown = rules.choices.get(match[0])
        if shown is not None:
            yield _Span(*match.span(), "choice", shown)
        elif match[0][0].isalpha():
            yield _Span(*match.span(), "name", match[0])


def _numbers(text: str, rules: MaskRules) -> Iterator[_Span]:
    markers = {match.end() for match in _MARKER.finditer(text)}
    whole = [m.span() for wording in rules.whole for m in term_regex(wording).finditer(text)]
    for match in TOKEN.finditer(text):
        is_inside = any(start <= match.start() and match.end() <= end for start, end in whole)
        if is_inside or match.end() + 1 in markers:
            continue
        number = unit_number(match)
        start = match.start()
        end = start + len(number) if number else match.end()
        kind = match.lastgroup if match.lastgroup in _NAMED else ""
        is_number = number or text[start:end].replace(",", "").replace(".", "").isdigit()
        yield _Span(start, end, kind or ("number" if is_number else "id"), text[start:end])


def _icons(text: str, rules: MaskRules) -> Iterator[_Span]:  # noqa: ARG001
    start = None
    for index, character in enumerate([*text, " "]):
        is_symbol = not character.isascii() and unicodedata.category(character) in _SYMBOLS
        is_icon = is_symbol or text[index + 1 : index + 2] == _EMOJI
        if start is None and is_icon:
            start = index
        elif start is not None and not is_icon and character not in _JOINERS:
            yield _Span(start, index, "icon", text[start:index])
            start = None


def _persons(text: str, rules: MaskRules) -> Iterator[_Span]:
    words = list(_PERSON.finditer(text))
    for first, second in itertools.pairwise(words):
        is_beside = second.start() - first.end() == 1
        if is_beside and {first[0], second[0]} <= rules.persons:
            yield _Span(first.start(), second.end(), "person", text[first.start() : second.end()])


#: What is looked for in prose; what comes first wins where two overlap.
_FINDERS: tuple[_Finder, ...] = (
    _lines,
    _plain("token", _CONTROL),
    _code,
    _plain("tag", _TAG),
    _plain("placeholder", _PLACEHOLDER),
    _quoted,
    _names,
    _numbers,
    _plain("id", _RECORD),
    _icons,
    _persons,
    _plain("sign", _STRAY),
)


def _finders(kind: str, text: str) -> tuple[_Finder, ...]:
    if kind in _NEVER or (kind in _VALUES and "_" in text):
        return ()
    return (_numbers, _plain("sign", _STRAY)) if kind in _VALUES else _FINDERS


def _spans(text: str, kind: str, rules: MaskRules) -> list[_Span]:
    taken: list[_Span] = []
    for find in _finders(kind, text):
        for span in find(text, rules):
            if all(span.end <= other.start or other.end <= span.start for other in taken):
                taken.append(span)
    return sorted(taken, key=lambda span: span.start)


def mask(text: str, kind: str, rules: MaskRules) -> Masked:
    """Return a text with everything hidden that a translation must leave as it is.

    Equal things get equal tokens, so that a translator sees that they are one.
    """
    core = text.strip()
    before = text[: len(text) - len(text.lstrip())]
    after = text[len(text.rstrip()) :] if core else ""
    pieces, done = [], 0
    masks: dict[tuple[str, str], Mask] = {}
    for span in _spans(core, kind, rules):
        hidden = core[span.start : span.end]
        token = f"{_OPEN}{len(masks) + 1}{_CLOSE}"
        own = masks.setdefault((hidden, span.shown), Mask(token, hidden, span.shown, span.kind))
        pieces += [core[done : span.start], own.token]
        done = span.end
    return Masked("".join([*pieces, core[done:]]), tuple(masks.values()), before, after)


def _normal(text: str) -> str:
    return _TOKEN.sub(lambda m: f"{_OPEN}{int(m[1])}{_CLOSE}", text)


def lost_masks(masked: Masked, translation: str) -> list[str]:
    """Return a sentence for each token that did not come back as often as it was handed out."""
    known = {mask.token: mask for mask in masked.masks}
    wanted = Counter(match[0] for match in _TOKEN.finditer(masked.text))
    found = Counter(match[0] for match in _TOKEN.finditer(_normal(translation)))
    faults = []
    for token, mask_ in known.items():
        if found[token] != wanted[token]:
            faults.append(
                f"{token} ({mask_.text!r}) stands {found[token]} times, expected {wanted[token]}"
            )
    faults += [f"{token} was never handed out" for token in sorted(found.keys() - known.keys())]
    if not faults and len(_STRAY.findall(_TOKEN.sub("", _normal(translation)))):
        faults.append("a token is broken")
    return faults


def restore(masked: Masked, translation: str) -> str:
    """Return a translation with everything put back; the caller has seen that no mask is lost."""
    shown = {mask_.token: mask_.shown for mask_ in masked.masks}
    text = _TOKEN.sub(lambda m: shown[m[0]], _normal(translation.strip()))
    return f"{masked.before}{text}{masked.after}"
