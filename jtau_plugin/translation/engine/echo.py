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
_LETTER = re.compile(r"[^\W\d_]")


def echo_text(text: str, locale: str, terms: list[tuple[str, str]] | None = None) -> str:
    """Return the text with each line marked, and with approved terms in place of their English.

    Args:
        text: a text with tokens.
        locale: what the mark says.
        terms: (English, approved form).
    """
    for index, (english, _) in enumerate(terms or ()):
        text = term_regex(english).sub(f"\x00{index}\x00", text)
    lines = [_mark(line, locale) for line in text.split("\n")]
    marked = "\n".join(lines)
    return re.sub(r"\x00(\d+)\x00", lambda m: (terms or [])[int(m[1])][1], marked)


def _mark(line: str, locale: str) -> str:
    match = _PREFIX.match(line)
    start = match.end() if match is not None else 0
    if not _LETTER.search(line[start:]) and "\x00" not in line:
        return line
    return f"{line[:start]}⟦{locale}⟧{line[start:]}"


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
        text = echo_text(str(segment["text"]), locale, terms)
        translations.append({"id": segment["id"], "text": text})
    return json.dumps({"translations": translations}, ensure_ascii=False)
