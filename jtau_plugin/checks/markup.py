"""What is no language at all: placeholders, tags, control tokens, icons, names of tools."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator

from jtau_plugin.checks.model import (
    ERROR,
    LIBRARY,
    POLICY,
    PROSE,
    SHOWN,
    TRANSLATED,
    Context,
    Fault,
    Segment,
    of_segment,
)

PLACEHOLDER = re.compile(r"\{(\w*)\}")
_GROUP = re.compile(r"\(\?P<(\w+)>")
TAG = re.compile(r"</?[A-Za-z][\w-]*>|###[A-Z][A-Z-]*###")
BROKEN_TOKEN = re.compile(r"#{2,}[A-Z][A-Z-]*#*|[＃♯]+[A-ZＡ-Ｚ][A-ZＡ-Ｚ－-]*[＃♯]*")
_CODE_SPAN = re.compile(r"`([^`]*)`")
_BOLD = re.compile(r"\*\*[^*]+\*\*")
_NAME = re.compile(r"(?<![\w.@-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w@])", re.ASCII)
_SYMBOLS = frozenset({"So", "Sk"})
_ODD = frozenset({"Cc", "Cf", "Co", "Cn", "Cs"})
_OTHER_SYMBOLS = frozenset("¹²³⁴⁵️")


def _difference(kind: str, source: Iterable[str], target: Iterable[str]) -> Iterator[Fault]:
    wanted, found = Counter(source), Counter(target)
    for what, one, other in (("missing", wanted, found), ("unexpected", found, wanted)):
        names = sorted((one - other).elements())
        if names:
            yield Fault(f"{what} {kind}: {', '.join(names)}", "keep it exactly as in the source")


@of_segment(ERROR, TRANSLATED | {LIBRARY})
def check_placeholders(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """Placeholders are the same on both sides."""
    found = PLACEHOLDER.findall(segment.target)
    if segment.kind == LIBRARY:
        unknown = sorted(set(found) - set(_GROUP.findall(segment.source)))
        if unknown:
            yield Fault(f"placeholder without a group in the pattern: {', '.join(unknown)}")
    elif segment.source:
        wanted = PLACEHOLDER.findall(segment.source)
        yield from _difference("placeholder", set(wanted), set(found))
    if segment.target.count("{") != segment.target.count("}"):
        yield Fault("braces do not match", "close each placeholder")


@of_segment(ERROR, TRANSLATED)
def check_tags(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """Tags and control tokens are the same on both sides, and are spelt exactly."""
    wanted, found = set(TAG.findall(segment.source)), set(TAG.findall(segment.target))
    if segment.source:
        yield from _difference("tag", wanted, found)
    for broken in BROKEN_TOKEN.findall(segment.target):
        if broken not in wanted:
            yield Fault(f"{broken!r} looks like a control token and is none")


@of_segment(ERROR, TRANSLATED)
def check_icons(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """Icons and other symbols are the same on both sides."""

    def icons(text: str) -> list[str]:
        return [c for c in text if unicodedata.category(c) in _SYMBOLS or c in _OTHER_SYMBOLS]

    if segment.source:
        own = (c for c in icons(segment.target) if not c.isascii())
        yield from _difference("icon", (c for c in icons(segment.source) if not c.isascii()), own)


@of_segment(ERROR, {POLICY})
def check_emphasis(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """A document's bold passages and code spans are as many as the source's."""
    for kind, pattern in (("bold passages", _BOLD), ("code spans", _CODE_SPAN)):
        wanted = len(pattern.findall(segment.source))
        found = len(pattern.findall(segment.target))
        if wanted != found:
            yield Fault(f"{found} {kind}, expected {wanted}")
    if segment.target.count("**") % 2:
        yield Fault("a bold passage is not closed")


@of_segment(ERROR, TRANSLATED)
def check_names(segment: Segment, context: Context) -> Iterator[Fault]:
    """Names of tools, parameters and fields stay as they are."""
    if not segment.source:
        return
    wanted = set(_NAME.findall(segment.source)) - context.canonical_values
    found = set(_NAME.findall(segment.target))
    yield from _difference("name", wanted, wanted & found)
    unknown = found - set(_NAME.findall(segment.source))
    if unknown:
        yield Fault(f"not in the source: {', '.join(sorted(unknown))}")
    for span in set(_CODE_SPAN.findall(segment.source)) & context.names:
        if span not in segment.target:
            yield Fault(f"missing name: {span}", "keep it exactly as in the source")


def is_odd_character(character: str) -> bool:
    """Return whether a reader cannot see a character, or cannot see what it was."""
    is_odd = unicodedata.category(character) in _ODD or character == "\N{REPLACEMENT CHARACTER}"
    return is_odd and character != "\n"


@of_segment(ERROR, SHOWN)
def check_invisible(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """There are no invisible characters, control characters or lost code points."""
    for character in sorted(set(segment.target)):
        if is_odd_character(character) and character not in segment.source:
            name = unicodedata.name(character, "a control character")
            yield Fault(f"holds U+{ord(character):04X} ({name})", "remove it")


@of_segment(ERROR, PROSE)
def check_whitespace(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """No line ends in blanks, and no two blanks stand inside a line."""
    for line in segment.target.split("\n"):
        body = line.lstrip()
        if body != body.rstrip():
            yield Fault(f"blanks at the end of {body.rstrip()[-20:]!r}", "remove them")
        inner = re.sub(r"^(?:[-*+]|\d+\.)\s+", "", body.rstrip())
        if "  " in inner:
            yield Fault(f"two blanks in {inner[:40]!r}", "write one")


CHECKS = (
    check_placeholders,
    check_tags,
    check_icons,
    check_emphasis,
    check_names,
    check_invisible,
    check_whitespace,
)
