"""Writes plain data as YAML, in the manner of the overlays: readable, with nothing abbreviated."""

from __future__ import annotations

import re
from typing import Any

import yaml

_ENDLESS = 1 << 30
_ENTRY = re.compile(r"^( {2}[^\s#-])", re.MULTILINE)


class Styled(str):
    """A text that is written in a given style of YAML: ``|``, ``'`` or ``"``."""

    style: str

    def __new__(cls, text: str, style: str) -> Styled:
        """Return ``text`` with its style."""
        new = super().__new__(cls, text)
        new.style = style
        return new


class _Block(dict[str, Any]):
    """A mapping that is written with a line for each entry."""


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True  # overlays have no aliases


def _represent_text(dumper: _Dumper, text: str) -> yaml.Node:
    style = text.style if isinstance(text, Styled) else "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style=style)


def _represent_block(dumper: _Dumper, data: _Block) -> yaml.Node:
    return dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=False)


def _represent_tuple(dumper: _Dumper, data: tuple[Any, ...]) -> yaml.Node:
    return dumper.represent_list(list(data))


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(Styled, _represent_text)
_Dumper.add_representer(_Block, _represent_block)
_Dumper.add_representer(tuple, _represent_tuple)


def dump(data: Any, *, flow: bool | None = None) -> str:
    """Return data as YAML, in the order in which it stands.

    Args:
        data: strings, numbers, booleans, lists and mappings.
        flow: everything on one line; by default only what holds nothing but single values.
    """
    text: str = yaml.dump(
        data,
        Dumper=_Dumper,
        allow_unicode=True,
        default_flow_style=flow,
        sort_keys=False,
        width=_ENDLESS,
    )
    return text


def dump_entry(name: str, value: Any) -> str:
    """Return one entry of a mapping as YAML, on a line of its own.

    Args:
        name: its key.
        value: what stands there; single values in it may share a line.
    """
    return dump(_Block({name: value}))


def dump_item(value: Any) -> str:
    """Return one item of a list as YAML, on a line of its own behind a dash."""
    is_single = not isinstance(value, (dict, list, tuple))
    return dump([value], flow=False if is_single else None)


def dump_file(data: dict[str, Any], header: str = "", *, spaced: bool = False) -> str:
    """Return the content of a new YAML file.

    Args:
        data: the content; its first two levels get a line for each entry.
        header: a comment for the top.
        spaced: whether an empty line stands between the entries of the second level.
    """
    block = _Block({k: _Block(v) if isinstance(v, dict) and v else v for k, v in data.items()})
    text = dump(block)
    if spaced:
        text = _ENTRY.sub(r"\n\1", text).replace(":\n\n", ":\n")
    comment = "".join(f"# {line}\n" for line in header.splitlines())
    return comment + text
