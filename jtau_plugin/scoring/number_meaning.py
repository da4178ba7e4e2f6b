"""Whether a number in a text is an exact count or dollar amount, or an exact quantity of a unit.

Never compares values: that is the caller's. A number with another unit (円, 日, %), with a hedge
(約, 程度, about), a rank, a range's end and a list marker state nothing exactly.
"""

from __future__ import annotations

import re

from jtau_plugin.normalization.japanese_numerals import (
    KANJI_DIGITS,
    is_grouped,
    parse_numeral,
)
from jtau_plugin.normalization.japanese_quantities import (
    goes_on_in_katakana,
    is_flight_number,
    is_native_count,
)
from jtau_plugin.normalization.japanese_script import JAPANESE, KANJI, KANJI_OR_KATAKANA
from jtau_plugin.scoring import number_patterns as patterns
from jtau_plugin.scoring.number_tokens import DASH, HYPHEN, WAVE, WINDOW, NumberToken, text_before
from jtau_plugin.scoring.words import ends_word, fold_words

_GAP = re.compile("[ \u00a0]?")
_FOREIGN_LETTER = re.compile(rf"(?!{JAPANESE})\w")
_GLUED_UNIT = re.compile(KANJI_OR_KATAKANA)
_ENDS_IN_KANJI = re.compile(f"{KANJI}\\Z")

_RANGE_AFTER = re.compile(rf" ?{WAVE}|{DASH}[0-9$]")
_PART_AFTER = re.compile(rf"[/:][0-9]|{HYPHEN}[A-Za-z]|\+(?! ?[0-9$])")
_DIGIT = f"[0-9{KANJI_DIGITS}]"
_NEXT_IN_LIST = re.compile(rf"[、,・] ?(?P<digit>{_DIGIT})(?![0-9])")
_PREVIOUS_IN_LIST = re.compile(rf"(?<![0-9.])(?P<digit>{_DIGIT})[、,・] ?\Z")

_LINE_START = re.compile(r"[ \t>#*・•-]*\(?")
_MARKER_END = re.compile(r"[.)](?=[ \t]*[^\s0-9])")
_LONGEST_MARKER = 2


def is_exact_number(text: str, token: NumberToken) -> bool:
    """Tell whether ``token`` is an exact count, dollar amount or bare number in ``text``."""
    end = _end_of_unit(text, token)
    if end is None or _is_vague(text, token, _after(text, end)):
        return False
    has_unit = end > token.end or token.has_dollar_sign
    return has_unit or _is_bare_number(text, token)


def is_exact_quantity(text: str, token: NumberToken, unit: str) -> bool:
    """Tell whether ``token`` is an exact number of ``unit`` (folded) in ``text``."""
    gap = _gap_end(text, token)
    rest = fold_words(text[gap : gap + WINDOW + 2 * len(unit)])
    after = rest[len(unit) :]
    return rest.startswith(unit) and _ends_unit(unit, after) and not _is_vague(text, token, after)


def is_numeral(text: str, token: NumberToken) -> bool:
    """Tell whether ``token`` is a numeral at all, and not part of a word (千葉, 四国, 十分)."""
    return token.script != "native" or _end_of_unit(text, token) is not None


def _after(text: str, start: int) -> str:
    return text[start : start + WINDOW]


def _gap_end(text: str, token: NumberToken) -> int:
    gap = _GAP.match(text, token.end)
    return gap.end() if gap else token.end


def _ends_unit(unit: str, after: str) -> bool:
    # 20時間 goes on in kanji (20時間持続) as naturally as in kana; a single kanji would become
    # another unit by it (時 + 間).
    return ends_word(unit, after) or (len(unit) > 1 and _ENDS_IN_KANJI.search(unit) is not None)


def _end_of_unit(text: str, token: NumberToken) -> int | None:
    """Return where the number ends with its unit, or None when it counts something else."""
    gap = _gap_end(text, token)
    if patterns.OTHER_UNITS.match(text, gap):
        return None
    dollars = patterns.DOLLARS.match(text, gap)
    if dollars or token.has_dollar_sign:
        end = dollars.end() if dollars else token.end
        return None if _has_cents_or_letters(text, end, dollars is not None) else end
    counter = _end_of_counter(text, token, gap)
    if counter is not None:
        return counter
    return token.end if _may_stand_bare(text, token, gap) else None


def _has_cents_or_letters(text: str, end: int, has_unit: bool) -> bool:
    if patterns.CENTS.match(text, end):
        return True
    return not has_unit and _FOREIGN_LETTER.match(text, end) is not None


def _end_of_counter(text: str, token: NumberToken, gap: int) -> int | None:
    is_native = token.script == "native"
    counters = patterns.NATIVE_COUNTERS if is_native else patterns.COUNTERS
    found = counters.match(text, gap)
    if found is None or goes_on_in_katakana(text, found.end()):
        return None
    counter, end = found.group(), found.end()
    if is_flight_number(counter, token.value):
        return None
    before, after = text_before(text, token.start), _after(text, end)
    is_word = is_native and not is_native_count(before, token.written, counter, after)
    return None if is_word else end


def _may_stand_bare(text: str, token: NumberToken, gap: int) -> bool:
    if token.script == "native" and not is_grouped(token.written):
        return False
    return gap > token.end or not _is_glued(text, token.end)


def _is_glued(text: str, end: int) -> bool:
    """Tell whether a letter, kanji or katakana follows at once; hiragana are particles."""
    return bool(_GLUED_UNIT.match(text, end) or _FOREIGN_LETTER.match(text, end))


def _is_vague(text: str, token: NumberToken, after: str) -> bool:
    """Tell whether a hedge, a rank or a range takes the number's exactness away."""
    before = text_before(text, token.start)
    if patterns.VAGUE_BEFORE.search(before) or patterns.ORDINAL_BEFORE.search(before):
        return True
    if token.script == "native" and patterns.VAGUE_BEFORE_NATIVE.search(before):
        return True
    if patterns.VAGUE_AFTER.match(after) or _RANGE_AFTER.match(after):
        return True
    return _follows_its_neighbour(token, _PREVIOUS_IN_LIST.search(before), -1)


def _is_bare_number(text: str, token: NumberToken) -> bool:
    """Tell whether a number without unit is a value, not a name, a list marker or a choice."""
    before, after = text_before(text, token.start), _after(text, token.end)
    if patterns.LABEL_BEFORE.search(before) or _PART_AFTER.match(after):
        return False
    if _is_list_marker(text, token) or _is_alternative(before, after):
        return False
    return not _follows_its_neighbour(token, _NEXT_IN_LIST.match(after), 1)


def _is_alternative(before: str, after: str) -> bool:
    earlier = patterns.ALTERNATIVE_BEFORE.search(before)
    if earlier is not None:
        return earlier["origin"] is None
    return patterns.ALTERNATIVE_AFTER.match(after) is not None and not before.endswith("from ")


def _follows_its_neighbour(token: NumberToken, neighbour: re.Match[str] | None, step: int) -> bool:
    """Tell whether 3、4個 is meant, "three or four": two neighbouring digits."""
    if neighbour is None or len(token.written) > 1:
        return False
    return parse_numeral(neighbour["digit"]) == token.value + step


def _is_list_marker(text: str, token: NumberToken) -> bool:
    if len(token.written) > _LONGEST_MARKER or not _MARKER_END.match(text, token.end):
        return False
    line = text[text.rfind("\n", 0, token.start) + 1 : token.start]
    if _LINE_START.fullmatch(line):
        return True
    return text[token.end] == ")" and line.count("(") <= line.count(")")
