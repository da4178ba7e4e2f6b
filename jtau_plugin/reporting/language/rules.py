"""Where the rules of a language are looked up: beside a locale's overlay, or among our own.

A language without rules has none: what is then said of a turn is decided elsewhere.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jtau_plugin import resources
from jtau_plugin.errors import OverlayError
from jtau_plugin.models.checks import CheckWords
from jtau_plugin.models.measures import LanguageFile
from jtau_plugin.overlays.loader import load_model

FILE_NAME = "measures.yaml"
_OWN = Path(__file__).resolve().parents[1] / "data"


def rules_path(language: str) -> Path | None:
    """Return the file of a language's rules, an overlay's before our own; ``None`` without one."""
    folder = dict(resources.iter_locales()).get(language)
    candidates = [folder / FILE_NAME] if folder is not None else []
    return next((p for p in [*candidates, _OWN / f"{language}.yaml"] if p.is_file()), None)


@cache
def load_rules(language: str) -> LanguageFile | None:
    """Return the rules of a language, read once; ``None`` if nobody has written any.

    Raises:
        OverlayError: for a file that cannot be used.
    """
    path = rules_path(language)
    return None if path is None else load_model(path, LanguageFile)[0]


@cache
def load_latin_words(language: str) -> frozenset[str]:
    """Return the Latin words that a locale's checks let stand in its texts, in lower case."""
    folder = dict(resources.iter_locales()).get(language)
    if folder is None or not (folder / "checks.yaml").is_file():
        return frozenset()
    try:
        words = load_model(folder / "checks.yaml", CheckWords)[0]
    except OverlayError:
        return frozenset()  # ``jtau check`` says what is wrong with it
    return frozenset(word.lower() for group in words.allowed.values() for word in group)
