"""Says in sentences of the locale what a task wants communicated.

The values come from the task; a sentence only carries them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from jtau_plugin.models.oracle import Grouping, TaskLines, Wide
from jtau_plugin.oracle import wide as ways
from jtau_plugin.oracle.book import Book
from jtau_plugin.oracle.chance import stable_number
from jtau_plugin.overlays.catalog import Catalog

_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
_SLOT = "{}"
_NO_GROUPING = Grouping()
_SHORT_DECIMALS = re.compile(r"\.[0-9]$")


class FactSpeaker:
    """Says the facts of one task.

    Args:
        book: the words of the domain.
        catalog: its overlay, for the shown form of a word.
        task_id: the task.
        wide: habits for other written forms, or ``None``.
    """

    def __init__(self, book: Book, catalog: Catalog, task_id: str, wide: Wide | None) -> None:
        self._book = book
        self._tables = catalog.tables
        self._task_id = task_id
        self._wide = wide
        self._used: Counter[str] = Counter()
        numbers = book.locale.numbers if book.locale is not None else None
        self._grouping = numbers or _NO_GROUPING

    def sentences(self, values: Sequence[str], lines: TaskLines) -> list[str]:
        """Return sentences that hold each value.

        Args:
            values: the canonical values, in the task's order.
            lines: the sentences written for the task; used when they have a place for each value.
        """
        if sum(line.count(_SLOT) for line in lines.say) != len(values):
            return [self._neutral(value, lines, number) for number, value in enumerate(values)]
        rest = iter(values)
        return [self._fill(line, rest, lines) for line in lines.say]

    def _fill(self, line: str, values: Iterator[str], lines: TaskLines) -> str:
        pieces = line.split(_SLOT)
        said = pieces[0]
        for piece in pieces[1:]:
            said += self._form(next(values), piece, lines) + piece
        return said

    def _neutral(self, value: str, lines: TaskLines, number: int) -> str:
        form = self._form(value, "", lines)
        return self._book.say("fact", self._task_id, number, value=form)

    def _form(self, value: str, after: str, lines: TaskLines) -> str:
        if value in lines.forms:
            return lines.forms[value]
        if _NUMBER.fullmatch(value):
            return self._number(value, after)
        for table in self._tables.values():
            if value in table.display:
                return table.display[value]
        return value

    def _number(self, value: str, after: str) -> str:
        if not after.startswith(self._grouping.units or ("\0",)):
            return self._turn("identifier", ways.identifier_forms(value), value)
        if self._grouping.money and after.startswith(self._grouping.money):
            value = value + "0" if _SHORT_DECIMALS.search(value) else value
        whole, dot, decimals = value.partition(".")
        forms = ways.amount_forms(value, self._wide) if self._wide is not None else []
        return self._turn("amount", forms, f"{int(whole):,}{dot}{decimals}")

    def _turn(self, kind: str, forms: Sequence[str], plain: str) -> str:
        if self._wide is None:
            return plain
        number = stable_number(self._task_id, kind) + self._used[kind]
        self._used[kind] += 1
        return forms[number % len(forms)]
