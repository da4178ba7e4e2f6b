"""The words of a locale: phrases with variants, and the neutral form where a locale has none.

Neutral form: a phrase that neither the domain nor the locale writes is its values, one per line,
and a phrase without values is the locale's greeting. So a locale that has only the overlay's own
texts can be played, without a word of another language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from jtau_plugin.models.oracle import (
    DomainOracleFile,
    OracleFile,
    TaskLines,
    WriteTexts,
)
from jtau_plugin.oracle.chance import choose
from jtau_plugin.overlays.catalog import Catalog
from jtau_plugin.overlays.loader import load_model

Model = TypeVar("Model", bound=BaseModel)
Values = Mapping[str, "str | Sequence[str]"]

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_NO_LINES = TaskLines()
_NO_DOMAIN = DomainOracleFile()


def fill(template: str, values: Values) -> str:
    """Return ``template`` with each ``{name}`` that has a value replaced by it, in one pass."""
    return _PLACEHOLDER.sub(lambda m: str(values.get(m[1], m[0])), template)


def fill_lines(templates: Sequence[str], values: Values) -> list[str]:
    """Return the filled templates, one line each.

    A template whose value is a list becomes one line per element; one whose value is missing or
    empty is left out.
    """
    lines: list[str] = []
    for template in templates:
        names = _PLACEHOLDER.findall(template)
        if not all(values.get(name) for name in names):
            continue
        lists = {n: v for n in names if not isinstance(v := values[n], str)}
        if not lists:
            lines.append(fill(template, values))
            continue
        name, elements = next(iter(lists.items()))
        lines += [fill(template, {**values, name: element}) for element in elements]
    return lines


@dataclass(frozen=True)
class Book:
    """What is said in one domain of one locale.

    Attributes:
        greeting: the locale's greeting, the neutral phrase.
        locale: the locale's phrases and rules, if it has any.
        domain: the domain's.
        tasks: lines by task id.
    """

    greeting: str
    locale: OracleFile | None
    domain: DomainOracleFile
    tasks: Mapping[str, TaskLines]

    def say(self, name: str, /, *seed: object, **values: str) -> str:
        """Return a variant of a phrase with its values filled in, chosen by ``seed``."""
        variants = self.domain.phrases.get(name)
        if variants is None and self.locale is not None:
            variants = self.locale.phrases.get(name)
        if not variants:
            return "\n".join(value for value in values.values() if value) or self.greeting
        return fill(choose(variants, name, *seed), values)

    def knows(self, name: str) -> bool:
        """Return whether the domain or the locale writes this phrase."""
        return name in self.domain.phrases or (
            self.locale is not None and name in self.locale.phrases
        )

    def word(self, name: str, values: Values) -> str:
        """Return one of the domain's building blocks, or the values, separated by blanks."""
        template = self.domain.words.get(name)
        if template is None:
            return " ".join(str(value) for value in values.values() if value)
        return fill(template, values)

    def lines(self, task_id: str) -> TaskLines:
        """Return the lines written for a task; none are needed."""
        return self.tasks.get(task_id, _NO_LINES)

    def write_texts(self, tool: str) -> WriteTexts | None:
        """Return how a writing tool is spoken of, if the domain says so."""
        return self.domain.writes.get(tool)

    @property
    def bullet(self) -> str:
        """What stands before each line of a list."""
        return self.locale.bullet if self.locale is not None else ""


def _load(path: Path, model: type[Model]) -> Model | None:
    return load_model(path, model)[0] if path.is_file() else None


@cache
def _load_files(folder: Path) -> tuple[OracleFile | None, DomainOracleFile]:
    domain = _load(folder / "oracle.yaml", DomainOracleFile) or _NO_DOMAIN
    locale = _load(folder.parent / "oracle.yaml", OracleFile)
    return locale, domain


def load_book(catalog: Catalog) -> Book:
    """Return the words of a domain; its files are read once.

    Raises:
        OverlayError: for a file that is there and cannot be used.
    """
    locale, domain = _load_files(catalog.folder)
    prompt = catalog.prompts.prompts.get("greeting")
    greeting = prompt.text if prompt is not None else catalog.manifest.title
    return Book(greeting=greeting, locale=locale, domain=domain, tasks=catalog.lines)
