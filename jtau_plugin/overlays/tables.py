"""One-to-one tables between canonical values and the forms in which a locale shows them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from jtau_plugin.errors import Problem
from jtau_plugin.models.overlay import Value
from jtau_plugin.overlays.yamlfile import YamlFile


@dataclass(frozen=True)
class Table:
    """A scope in which localization is one-to-one.

    Attributes:
        name: the table's name in ``values.yaml`` or the role in ``names.yaml``.
        display: canonical value to the form that is shown.
        forms: every written form that is accepted, canonical ones included, to the canonical value.
    """

    name: str
    display: Mapping[str, str]
    forms: Mapping[str, str]

    def localize(self, value: str) -> str:
        """Return the shown form of a canonical value, or the value itself when it has none."""
        return self.display.get(value, value)


def _normal(form: str) -> str:
    return unicodedata.normalize("NFKC", form).strip()


def _forms_of(values: Mapping[str, Value]) -> Iterator[tuple[str, str, str]]:
    """Yield (form, canonical, role); displays first, so that a collision names them first."""
    for canonical in values:
        yield canonical, canonical, "canonical value"
    for canonical, value in values.items():
        yield value.display, canonical, "display"
    for canonical, value in values.items():
        for form in value.accept:
            yield form, canonical, "accept"


def build_table(
    name: str, values: Mapping[str, Value], file: YamlFile, key: tuple[str | int, ...]
) -> tuple[Table, list[Problem]]:
    """Return the table and the collisions found in it.

    Two canonical values never share a form, compared after width folding; a canonical value of one
    entry is never a form of another.
    """
    owner: dict[str, str] = {}
    forms: dict[str, str] = {}
    problems: list[Problem] = []
    for form, canonical, role in _forms_of(values):
        first = owner.setdefault(_normal(form), canonical)
        if first != canonical:
            what = f"{role} {form!r} of {canonical!r} is already a form of {first!r}"
            problems.append(Problem(file.where((*key, canonical)), what, "give each its own form"))
            continue
        forms[form] = canonical
    display = MappingProxyType({c: v.display for c, v in values.items()})
    return Table(name=name, display=display, forms=MappingProxyType(forms)), problems


def build_name_table(
    role: str, names: Mapping[str, tuple[str, ...]], file: YamlFile
) -> tuple[Table, list[Problem]]:
    """Return the input table of one role of ``names.yaml``; names are shown as they stand."""
    values = {name: Value(display=name, accept=forms) for name, forms in names.items()}
    return build_table(role, values, file, (role,))
