"""Reads a locale's termbase: tab-separated rows, the first one names the columns."""

from __future__ import annotations

from pathlib import Path

from jtau_plugin.errors import OverlayError, Problem
from jtau_plugin.models.checks import Term
from jtau_plugin.overlays.yamlfile import read_text

COLUMNS = ("domain", "key", "en", None, "alt")
_SEPARATORS = "|"


def _row_problem(cells: list[str]) -> str:
    if len(cells) != len(COLUMNS):
        return f"{len(cells)} columns, expected {len(COLUMNS)}"
    empty = [name or "the term" for name, cell in zip(COLUMNS, cells, strict=True) if not cell]
    wanted = [name for name in empty if name != "alt"]
    return f"{', '.join(wanted)} is empty" if wanted else ""


def load_termbase(path: Path) -> tuple[Term, ...]:
    """Return the rows of ``termbase.tsv``.

    The columns are ``domain``, ``key``, ``en``, the locale's own, and ``alt`` (forms separated by
    ``|``).

    Raises:
        OverlayError: for a missing file, a row without the five columns, and a row that stands
            twice; all problems at once.
    """
    terms: list[Term] = []
    problems: list[Problem] = []
    first: dict[tuple[str, str, str], int] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if number == 1 or not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        what = _row_problem(cells)
        if not what:
            domain, key, english, local, alternatives = cells
            before = first.setdefault((domain, key, english), number)
            if before != number:
                what = f"{english!r} stands twice (first on line {before})"
        if what:
            problems.append(Problem(f"{path}:{number}", what, "correct the row"))
            continue
        forms = tuple(form.strip() for form in alternatives.split(_SEPARATORS) if form.strip())
        terms.append(
            Term(
                domain=domain,
                key=key,
                english=english,
                local=local,
                alternatives=forms,
                line=number,
            )
        )
    if problems:
        raise OverlayError(f"{path.name} cannot be used.", problems)
    return tuple(terms)
