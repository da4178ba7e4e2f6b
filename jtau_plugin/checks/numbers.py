"""Numbers, ids, dates, e-mail addresses and codes: the same on both sides."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jtau_plugin.checks.english_reading import read_english
from jtau_plugin.checks.language import get_language
from jtau_plugin.checks.model import ERROR, TRANSLATED, VALUE, Context, Fault, Segment, of_segment
from jtau_plugin.checks.reading import Reading, hard_tokens, read_digits


def _compare(english: Reading, local: Reading) -> Iterator[Fault]:
    written = set(local.hard) | local.soft | local.due
    known = set(english.hard) | english.soft | english.due
    missing = sorted((set(english.hard) | english.due) - written)
    extra = sorted(set(local.hard) - known)
    if missing:
        yield Fault(f"not in the text: {', '.join(missing)}", "say what the source says")
    if extra:
        yield Fault(f"not in the source: {', '.join(extra)}", "say what the source says")
    for token, wanted in sorted(english.hard.items()):
        found = local.hard.get(token, 0)
        if 0 < found < wanted and token not in local.soft:
            yield Fault(f"{token} stands {found} times, {wanted} times in the source")


def _plain(source: str, context: Context) -> str:
    """Write canonical values like 4g_5g_preferred as words: they are shown in the locale."""
    for value in context.canonical_values:
        if "_" in value and value in source:
            words = value.replace("_", " ")
            source = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", words, source)
    return source


_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:T.*)?")


def _read_plainly(source: str, target: str) -> tuple[Reading, Reading]:
    """Read both sides where nobody can read words of the language: by their digits alone.

    A date may be written out on one side and in digits on the other.
    """
    english, local = read_english(source), read_digits(target)
    dates = filter(None, map(_DATE.fullmatch, local.hard))
    parts = {str(int(number)) for date in dates for number in date.groups()}
    known = english.soft | english.due | set(english.hard)
    return Reading(hard_tokens(source), known), Reading(local.hard, frozenset(parts))


@of_segment(ERROR, TRANSLATED | {VALUE})
def check_numbers(segment: Segment, context: Context) -> Iterator[Fault]:
    """Numbers, ids, dates, e-mail addresses and codes are the same on both sides."""
    if segment.source:
        read = get_language(context.locale).read_numbers
        source = _plain(segment.source, context)
        if read is read_digits:
            yield from _compare(*_read_plainly(source, segment.target))
        else:
            yield from _compare(read_english(source), read(segment.target))


CHECKS = (check_numbers,)
