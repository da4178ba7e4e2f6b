"""Writes out the English sentence that a regular expression of ``messages.yaml`` stands for.

Sentences of the interpreter and of libraries are no part of tau2, so an overlay holds their
patterns; a translator needs the sentence.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any

# The parser of re, under its name since Python 3.11.
if sys.version_info >= (3, 11):
    import re._constants as codes
    import re._parser as parser
else:
    import sre_constants as codes
    import sre_parse as parser

_WHATEVER = "…"


def english_of_pattern(pattern: str) -> str:
    """Return one sentence that the pattern matches, with ``{name}`` for each named group.

    Of alternatives the first is written, what may be left out is left out.
    """
    tree = parser.parse(pattern, re.DOTALL)
    names = {index: name for name, index in tree.state.groupdict.items()}
    return _write(tree, names)


def _write(tree: Any, names: Mapping[int, str]) -> str:
    return "".join(_node(op, argument, names) for op, argument in tree)


def _node(op: Any, argument: Any, names: Mapping[int, str]) -> str:
    if op is codes.LITERAL:
        return chr(argument)
    if op is codes.BRANCH:
        return _write(argument[1][0], names)
    if op in (codes.SUBPATTERN, codes.GROUPREF):
        return _group(op, argument, names)
    if op in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        least, _, tree = argument
        return _write(tree, names) if least else ""
    return _any_of(op, argument)


def _group(op: Any, argument: Any, names: Mapping[int, str]) -> str:
    group = argument[0] if op is codes.SUBPATTERN else argument
    if group in names:
        return f"{{{names[group]}}}"
    return _write(argument[3], names) if op is codes.SUBPATTERN else ""


def _any_of(op: Any, argument: Any) -> str:
    if op is codes.IN:
        first_op, first = argument[0]
        return chr(first) if first_op is codes.LITERAL else _WHATEVER
    return _WHATEVER if op is codes.ANY else ""
