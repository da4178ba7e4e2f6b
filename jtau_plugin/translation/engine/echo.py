"""The embedded stand-in ``jtau/echo``: answers like a translator, with marked English.

It reads the ordinary request and writes the ordinary answer, so that everything between the two is
exercised without a key. It keeps tokens, layout and approved terms, and different texts stay
different.
"""

from __future__ import annotations

import json
import re
from typing import Any

from jtau_plugin.checks.inflection import term_regex

NAME = "echo"
MODEL = f"jtau/{NAME}"
_PREFIX = re.compile(r"\s*(?:#{1,6} |(?:[-*+]|\d+[.)])\s+|\|\s*)?")
_VALUES = ("value", "literal")
_LETTER = re.compile(r"[^\W\d_]")


def echo_text(text: str, locale: str, terms: list[tuple[str, str]] | None = None) -> str:
    """Return the text with each line marked, and with approved terms in place of their English.

    Args:
        text: a text with tokens.
        locale: what the mark says.
        terms: (English, approved form), the longest first.
    """
    known = terms or []
    marked = "\n".join(_line(line, locale, known) for line in text.split("\n"))
    # A term may run over the end of a line.
    broken = [local for english, local in known if term_regex(english).search(text)]
    return " ".join([marked, *(f"({local})" for local in broken if local not in marked)])


def _line(line: str, locale: str, terms: list[tuple[str, str]]) -> str:
    match = _PREFIX.match(line)
    start = match.end() if match is not None else 0
    if not _LETTER.search(line[start:]):
        return line
    present = [term for term in terms if term_regex(term[0]).search(line)]
    for index, (english, _) in enumerate(present):
        line = term_regex(english).sub(f"\x00{index}\x00", line)
    line = f"{line[:start]}⟦{locale}⟧{line[start:]}"
    line = re.sub(r"\x00(\d+)\x00", lambda m: present[int(m[1])][1], line)
    # A word inside a longer term is still one that was to be written.
    missing = dict.fromkeys(local for _, local in present if local not in line)
    return " ".join([line, *(f"({local})" for local in missing)])


def echo_reply(content: str) -> str:
    """Return the answer to a request, given as its last message."""
    asked: dict[str, Any] = json.loads(content)
    locale = str(asked["locale"])
    translations = []
    for segment in asked["segments"]:
        terms = sorted(
            ((term["english"], term["write"]) for term in segment.get("terms", ())),
            key=lambda term: -len(term[0]),
        )
        english = str(segment["text"])
        if str(segment["kind"]).partition(":")[0] in _VALUES:
            english = english.replace("_", " ")
        text = echo_text(english, locale, terms)
        translations.append({"id": segment["id"], "text": text})
    return json.dumps({"translations": translations}, ensure_ascii=False)
