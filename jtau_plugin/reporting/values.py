"""Values in running text: ids, codes, e-mail addresses, numbers, names of persons.

Finds what looks like a value in any language; whether it is right is for others to say. What may as
well be a date, a size or a small number is left out, so that nobody is accused of it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from jtau_plugin.reporting.language.masking import fold
from jtau_plugin.reporting.language.scripts import iter_runs

ValueKind = Literal["e-mail", "id", "number", "name"]

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_ID = re.compile(
    r"(?<![A-Za-z0-9_#])(?:"
    r"#[A-Za-z]?\d{4,}"  # an order
    r"|[A-Za-z]+(?:_[A-Za-z]+)*_\d{3,}"  # a user, a payment method
    r"|[A-Z]{1,4}\d{3,}"  # a flight, a line, a customer
    r"|(?=[A-Z0-9]*[A-Z])(?=[A-Z0-9]*\d)[A-Z0-9]{6}"  # a reservation
    r")(?![A-Za-z0-9_])",
    re.ASCII,
)
_NUMBER = re.compile(r"(?<![\w.,-])\d(?:\d|[,.-](?=\d))*(?!\w)", re.ASCII)
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|(?:19|20)\d\d")
_NAME_JOINTS = frozenset(" 　・=＝·")
_JOINTS = re.compile(r"[\s,#()/:-]+")
_LEAST_DIGITS = 3


@dataclass(frozen=True)
class Value:
    """A value in a text.

    Attributes:
        written: as it stands there.
    """

    kind: ValueKind
    written: str


class NameBook:
    """The names of persons that an overlay knows.

    Args:
        given: given names: every written form, with the canonical one.
        family: family names, likewise.
    """

    def __init__(self, given: Mapping[str, str], family: Mapping[str, str]) -> None:
        self._given, self._family = given, family

    def find(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield each full name in a text, as it is written and in its canonical form."""
        runs = list(iter_runs(text))
        for first, last in itertools.pairwise(runs):
            if text[first.end : last.start] not in _NAME_JOINTS:
                continue
            given, family = self._given.get(first.text), self._family.get(last.text)
            if given is not None and family is not None:
                yield text[first.start : last.end], f"{given} {family}"


def compact(text: str) -> str:
    """Return a text as values are compared: ordinary width, lower case, without joints."""
    return _JOINTS.sub("", fold(text).lower())


def find_values(text: str) -> list[Value]:
    """Return the values in a text, each form once; names are found by ``NameBook``."""
    folded = fold(text)
    found: dict[str, Value] = {}
    for kind, pattern in (("e-mail", _EMAIL), ("id", _ID), ("number", _NUMBER)):
        for match in pattern.finditer(folded):
            if kind != "number" or _is_telling(match[0]):
                found.setdefault(match[0], Value(kind, match[0]))  # type: ignore[arg-type]
        folded = pattern.sub(" ", folded)
    return list(found.values())


def _is_telling(number: str) -> bool:
    """Tell whether a number has so many digits that it is no everyday one, and is no date."""
    digits = sum(character.isdigit() for character in number)
    return digits >= _LEAST_DIGITS and not _DATE.fullmatch(number)


class Known:
    """What a speaker can know: everything that was told, in compact form.

    Args:
        texts: what was told so far.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts: list[str] = list(texts)
        self._compact = ""
        self._read = 0

    def tell(self, text: str) -> None:
        """Add a text."""
        self._texts.append(text)

    def holds(self, written: str) -> bool:
        """Tell whether a value was told, in this or another notation, or follows from two."""
        if self._read < len(self._texts):
            self._compact += "\0" + compact("\0".join(self._texts[self._read :]))
            self._read = len(self._texts)
        wanted = re.sub(r"\.0+\Z", "", compact(written))
        return wanted in self._compact or self._follows(wanted)

    def _follows(self, wanted: str) -> bool:
        """Tell whether a number is the sum or the difference of two that were told."""
        value = _decimal(wanted)
        if value is None:
            return False
        told = {
            number
            for match in _NUMBER.finditer("\n".join(self._texts))
            if (number := _decimal(match[0].replace(",", ""))) is not None
        }
        return any(value - one in told or value + one in told for one in told)


def _decimal(text: str) -> Decimal | None:
    return Decimal(text) if re.fullmatch(r"\d+(?:\.\d+)?", text) else None
