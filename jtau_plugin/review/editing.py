"""Puts corrected texts into the files of an overlay, each at its place and nowhere else.

Text in, text out: nothing is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from jtau_plugin.errors import Problem, ReviewError
from jtau_plugin.overlays.termbase import load_termbase
from jtau_plugin.overlays.yamlfile import read_text
from jtau_plugin.review.judging import Reading
from jtau_plugin.translation.context import load_words
from jtau_plugin.translation.documents import join_sections, split_sections
from jtau_plugin.translation.extraction.segment import LITERAL, NAME, POLICY, TERM, VALUE
from jtau_plugin.translation.overlay_texts import descend
from jtau_plugin.translation.writing.yamledit import update_yaml

TERMBASE = "termbase.tsv"
_CELL = 3


class Editor:
    """Edits one locale.

    Args:
        folder: the locale's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._texts: dict[str, str] = {}

    def original(self, file: str) -> str:
        """Return what a file said when it was first read."""
        if file not in self._texts:
            self._texts[file] = read_text(self._folder / file)
        return self._texts[file]

    def edit(self, readings: Iterable[Reading]) -> dict[str, str]:
        """Return the new texts of the files that change, by path below the locale's folder.

        Raises:
            ReviewError: if a file no longer says what it said when it was compared.
        """
        files: dict[str, list[Reading]] = {}
        for reading in readings:
            if reading.is_corrected and reading.item.held is not None:
                file = reading.item.held.path.relative_to(self._folder).as_posix()
                files.setdefault(file, []).append(reading)
        edited = {file: self._edit_file(file, own) for file, own in files.items()}
        terms = self._terms_of_values(edited.get(TERMBASE), readings)
        if terms is not None:
            edited[TERMBASE] = terms
        return edited

    def _edit_file(self, file: str, readings: list[Reading]) -> str:
        put: Callable[[str, str, list[Reading]], str] = self._yaml
        if readings[0].item.segment.kind == POLICY:
            put = self._document
        elif readings[0].item.segment.kind == TERM:
            put = self._terms
        return put(file, self.original(file), readings)

    def _changed(self, file: str) -> ReviewError:
        problem = Problem(str(self._folder / file), "it changed while the review was read")
        return ReviewError("The overlay is being written by somebody else.", [problem])

    # --- kinds of files

    def _yaml(self, file: str, text: str, readings: list[Reading]) -> str:
        data = yaml.load(text, Loader=_LOADER)  # noqa: S506  (plain data only)
        new = deepcopy(data)
        for reading in readings:
            held = reading.item.held
            assert held is not None
            if descend(data, held.key) != held.text:
                raise self._changed(file)
            owner = descend(new, held.key[:-1])
            owner[held.key[-1]] = reading.text
            if reading.item.segment.kind == NAME:
                # The form that is shown comes first and stands there once.
                owner[:] = list(dict.fromkeys(owner))
        return update_yaml(text, new)

    def _document(self, file: str, text: str, readings: list[Reading]) -> str:
        body = text.rstrip("\n")
        sections = split_sections(body)
        texts = {section.line: section.text for section in sections}
        if join_sections(list(texts.values())) != body:
            problem = Problem(str(self._folder / file), "it cannot be cut into sections and joined")
            raise ReviewError("A document cannot be edited.", [problem])
        for reading in readings:
            held = reading.item.held
            assert held is not None
            if texts.get(held.line) != held.text:
                raise self._changed(file)
            texts[held.line] = reading.text
        return join_sections(list(texts.values())) + text[len(body) :]

    def _terms(self, file: str, text: str, readings: list[Reading]) -> str:
        lines = text.split("\n")
        for reading in readings:
            held = reading.item.held
            assert held is not None
            cells = lines[held.line - 1].split("\t")
            if len(cells) <= _CELL or cells[_CELL].strip() != held.text.strip():
                raise self._changed(file)
            cells[_CELL] = reading.text.strip()
            lines[held.line - 1] = "\t".join(cells)
        return "\n".join(lines)

    # --- what follows from a value

    @cached_property
    def _rows_of_tables(self) -> Mapping[tuple[str, str, str], int]:
        """Return the line of each row of the termbase that repeats a table's value."""
        path = self._folder / TERMBASE
        tables = load_words(self._folder).terms.tables
        return {
            (term.domain, tables[term.key], term.english): term.line
            for term in (load_termbase(path) if path.is_file() else ())
            if term.key in tables
        }

    def _terms_of_values(self, edited: str | None, readings: Iterable[Reading]) -> str | None:
        """Return the termbase with the rows that repeat values that change; ``None`` if none."""
        changed: dict[int, str] = {}
        for reading in readings:
            segment = reading.item.segment
            if segment.kind in (LITERAL, VALUE) and reading.is_corrected:
                _, table, value = map(str, segment.key)
                line = self._rows_of_tables.get((segment.domain, table, value))
                if line is not None:
                    changed[line] = reading.text.strip()
        if not changed:
            return None
        lines = (edited if edited is not None else self.original(TERMBASE)).split("\n")
        for line, text in changed.items():
            cells = lines[line - 1].split("\t")
            lines[line - 1] = "\t".join([*cells[:_CELL], text, *cells[_CELL + 1 :]])
        return "\n".join(lines)


_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
