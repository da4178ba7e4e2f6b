"""What of a turn is no language: ids, codes, addresses, data, control tokens.

Replaces it with blanks of one length, so that nothing on either side grows together. Never decides
by a language's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from jtau_plugin.normalization.text import drop_invisible, fold_width
from jtau_plugin.reporting.language.scripts import iter_runs

#: tau2's own control tokens.
CONTROL_TOKEN = re.compile(r"###[A-Z][A-Z-]*###")
#: A token that tau2 does not recognise, so that the conversation goes on.
BROKEN_TOKEN = re.compile(
    r"(?<!#)#{2,8}[ \t]{0,3}(?:STOP|TRANSFER|OUT[-_ ]?OF[-_ ]?SCOPE)\b[ \t]{0,3}#{0,8}"
    r"|(?<!#)#?(?:STOP|TRANSFER|OUT-OF-SCOPE)[ \t]{0,3}#{2,8}"
)
#: Where the characters that cannot be seen stand.
_HIDDEN = (*range(0x600, 0x620), *range(0x2000, 0x2070), 0xFEFF)
#: Every alternative begins where a word begins: a long word is read once.
_CODE = re.compile(
    r"```.*?(?:```|\Z)"  # a block of code
    r"|`[^`\n]*`"  # code in a line
    r"|\{\s*[\"'][^{}]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}[^{}]*)*\}"  # an object of JSON
    r"|</?[A-Za-z][\w-]*(?:\s[^<>]*)?>",  # a tag
    re.DOTALL | re.ASCII,
)
_ID = re.compile(
    r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*://[^\s<>\"'、。「」（）]+"  # an address of the web
    r"|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # an e-mail address
    r"|(?<![\w.-])[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?:com|net|org|io|co|jp|edu|gov|mobile)\b"
    r"|(?<![A-Za-z0-9_])#?[A-Za-z0-9]*[_\d][A-Za-z0-9_]*",  # an id, a code, a number
    re.ASCII,
)


#: Full- and half-width forms, and what cannot be seen. A table is many times as fast as the rules
#: of ``normalization``, which ask for each letter; voiced marks of kana need no joining here.
_PLAIN = {code: fold_width(chr(code)) for code in (0x3000, *range(0xFF01, 0xFFEF))} | {
    code: "" for code in _HIDDEN if not drop_invisible(chr(code))
}


def fold(text: str) -> str:
    """Return a text in ordinary width, without what cannot be seen."""
    return text if text.isascii() else text.translate(_PLAIN)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def drop_tokens(text: str) -> str:
    """Return what a speaker said besides control tokens, in ordinary width."""
    return BROKEN_TOKEN.sub(_blank, CONTROL_TOKEN.sub(_blank, fold(text)))


def mask_data(text: str) -> str:
    """Return a text (tokens dropped) in which everything that is no language is blank."""
    return _ID.sub(_blank, _CODE.sub(_blank, text))


def quotable(text: str) -> str:
    """Return the Latin words of a text, as quotations are looked up."""
    folded = _ID.sub(_blank, fold(text)).lower()
    return " ".join(run.text for run in iter_runs(folded) if run.script == "latin")


class Shown:
    """What tools have returned so far: a quotation of it is nobody's own language.

    Read only when a quotation is looked up, which is rare.

    Args:
        texts: what was returned.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._new = list(texts)
        self._words = ""

    def add(self, text: str) -> None:
        """Add what a tool returned."""
        self._new.append(text)

    def holds(self, quotation: str) -> bool:
        """Tell whether these words, in this order, stand in something that was returned."""
        if self._new:
            self._words = " \0 ".join([self._words, *map(quotable, self._new)])
            self._new.clear()
        return f" {quotation.lower()} " in f" {self._words} "


#: Nothing was returned.
NOTHING = Shown()
