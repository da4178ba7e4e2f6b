"""From what a model writes in a tool call to the canonical value that the tool receives.

Sees the written value, the tool's schema and the overlay; never the database, the gold actions or
the history. What no rule recognises passes unchanged, so that the tool refuses it as it would
refuse the English twin.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from jtau_plugin.localization.schemas import alternatives
from jtau_plugin.models.overlay import Parameter, ToolText
from jtau_plugin.normalization import RuleSet
from jtau_plugin.normalization.enums import fold_enum
from jtau_plugin.overlays.tables import Table

Rule = Callable[[Any], Any]
TextRule = Callable[[str], Any]


@dataclass(frozen=True)
class Change:
    """One argument that was canonicalized.

    Attributes:
        path: where it stands in the call, ``passengers[0].dob``.
        written: what the model wrote.
        canonical: what the tool receives.
        rule: the parameter's kind.
    """

    path: str
    written: Any
    canonical: Any
    rule: str


def is_strict() -> bool:
    """Return whether ``JTAU_STRICT_ARGS=1`` switches canonicalization off (for an ablation)."""
    return os.environ.get("JTAU_STRICT_ARGS", "") not in ("", "0")


def _is_same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and bool(left == right)


class _Leaf:
    """Applies one rule to scalars, element by element where the schema wants a list."""

    def __init__(self, kind: str, rule: Rule, is_list: bool) -> None:
        self.kind = kind
        self.rule = rule
        self.is_list = is_list

    def __call__(self, value: Any, path: str, changes: list[Change]) -> Any:
        if isinstance(value, list):
            if not self.is_list:
                return value
            return [self._scalar(v, f"{path}[{i}]", changes) for i, v in enumerate(value)]
        if isinstance(value, dict) or self.is_list:
            return value
        return self._scalar(value, path, changes)

    def _scalar(self, value: Any, path: str, changes: list[Change]) -> Any:
        new = self.rule(value)
        if _is_same(new, value):
            return value
        changes.append(Change(path=path, written=value, canonical=new, rule=self.kind))
        return new


class _Object:
    def __init__(self, children: Mapping[str, Node]) -> None:
        self.children = children

    def __call__(self, value: Any, path: str, changes: list[Change]) -> Any:
        if not isinstance(value, dict):
            return value
        prefix = f"{path}." if path else ""
        return {
            name: self.children[name](child, f"{prefix}{name}", changes)
            if name in self.children
            else child
            for name, child in value.items()
        }


class _List:
    def __init__(self, item: Node) -> None:
        self.item = item

    def __call__(self, value: Any, path: str, changes: list[Change]) -> Any:
        if not isinstance(value, list):
            return value
        return [self.item(child, f"{path}[{i}]", changes) for i, child in enumerate(value)]


Node = Callable[[Any, str, "list[Change]"], Any]


def _on_text(rule: TextRule) -> Rule:
    return lambda value: rule(value) if isinstance(value, str) else value


class ArgumentCompiler:
    """Compiles the parameters of a tool into one function from written to canonical arguments."""

    def __init__(
        self, rules: RuleSet, tables: Mapping[str, Table], names: Mapping[str, Table]
    ) -> None:
        self._rules = rules
        self._tables = {name: self._folded(table) for name, table in tables.items()}
        self._names = {role: self._folded(table) for role, table in names.items()}

    def _folded(self, table: Table) -> Mapping[str, str]:
        return MappingProxyType({fold_enum(form): value for form, value in table.forms.items()})

    def compile(self, tool: ToolText, schema: Mapping[str, Any]) -> Node:
        """Return the function for a tool with this parameters schema."""
        definitions = schema.get("$defs", {})
        properties = schema.get("properties", {})
        return _Object(
            {
                name: self._node(parameter, properties[name], definitions)
                for name, parameter in tool.parameters.items()
                if name in properties
            }
        )

    def _node(
        self, parameter: Parameter, schema: Mapping[str, Any], definitions: Mapping[str, Any]
    ) -> Node:
        branches = list(alternatives(schema, definitions))
        if parameter.kind == "object":
            properties = {k: v for b in branches for k, v in b.get("properties", {}).items()}
            return _Object(
                {
                    name: self._node(child, properties.get(name, {}), definitions)
                    for name, child in parameter.parameters.items()
                }
            )
        arrays = [b for b in branches if b.get("type") == "array"]
        if parameter.kind == "list":
            item = parameter.items or Parameter(kind="free_text")
            return _List(
                self._node(item, arrays[0].get("items", {}) if arrays else {}, definitions)
            )
        return _Leaf(parameter.kind, self._rule(parameter), is_list=bool(arrays))

    def _rule(self, parameter: Parameter) -> Rule:
        rules, kind = self._rules, parameter.kind
        if kind in ("int", "float"):
            is_integer, units = kind == "int", parameter.units
            return lambda value: rules.number(value, integer=is_integer, units=units)
        if kind == "bool":
            return rules.boolean
        on_text = self._table_rule(parameter) or self._plain_rule(kind)
        return _on_text(on_text) if on_text is not None else lambda value: value

    def _table_rule(self, parameter: Parameter) -> TextRule | None:
        rules, kind = self._rules, parameter.kind
        if kind in ("enum", "pseudo_enum"):
            table = self._tables[parameter.table or ""]
            return lambda value: rules.enum(value, table)
        family, _, role = kind.partition(".")
        if kind == "name.full":
            given, surname = self._names["given"], self._names["family"]
            return lambda value: rules.full_name(value, given, surname)
        if role not in self._names:
            return None
        names = self._names[role]
        rule = rules.name if family == "name" else rules.place
        return lambda value: rule(value, names)

    def _plain_rule(self, kind: str) -> TextRule | None:
        rules = self._rules
        plain: dict[str, TextRule] = dict.fromkeys(("id", "email", "phone", "zip"), rules.ascii)
        plain["address.line"] = rules.address_line
        plain["date"] = rules.date
        plain["expression"] = rules.expression
        return plain.get(kind)
