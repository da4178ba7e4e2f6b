"""The vocabulary of error tags, and how a written tag is brought to it.

A tag is an id, or an alias that means exactly that; anything else is refused with a hint. Nothing
is guessed: a near miss is told, and left to whoever wrote it.
"""

from __future__ import annotations

import difflib
import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jtau_plugin.errors import OverlayError, Problem
from jtau_plugin.models.measures import Side, Tag, TagsFile
from jtau_plugin.overlays.loader import load_model

_PATH = Path(__file__).resolve().parent / "data" / "tags.yaml"
_JOINTS = re.compile(r"[\W_]+")
#: How like a known spelling a tag must be to be hinted at.
_LIKE = 0.72


@dataclass(frozen=True)
class Normalised:
    """What a written tag is.

    Attributes:
        tag: its id; ``None`` if the vocabulary does not have it.
        hint: the id that it may have been meant to be; empty if none is like it.
    """

    tag: str | None
    hint: str = ""


class Vocabulary:
    """The tags.

    Args:
        file: the data file's content.
        fingerprint: SHA-256 of the data file.
    """

    def __init__(self, file: TagsFile, fingerprint: str) -> None:
        self.version = file.version
        self.fingerprint = fingerprint
        self.tags: Mapping[str, Tag] = file.tags
        self._ids = {
            _fold(form): name
            for name, tag in file.tags.items()
            for form in (name, tag.title, *tag.aliases)
        }

    def normalise(self, written: str) -> Normalised:
        """Return the tag that a text names, in any case and with any joints between its words."""
        folded = _fold(written)
        if folded in self._ids:
            return Normalised(self._ids[folded])
        like = difflib.get_close_matches(folded, self._ids, n=1, cutoff=_LIKE)
        return Normalised(None, self._ids[like[0]] if like else "")

    def side(self, tag: str) -> Side:
        """Return whose error a tag is."""
        return self.tags[tag].side

    def of(self, by: str) -> dict[str, Tag]:
        """Return the tags that a rule, or the judge, gives."""
        return {name: tag for name, tag in self.tags.items() if tag.by == by}


def _fold(text: str) -> str:
    return _JOINTS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def find_collisions(file: TagsFile) -> list[str]:
    """Return a sentence for each spelling that two tags have."""
    owner: dict[str, str] = {}
    found = []
    for name, tag in file.tags.items():
        for form in (name, tag.title, *tag.aliases):
            first = owner.setdefault(_fold(form), name)
            if first != name:
                found.append(f"{form!r} of {name} is already a spelling of {first}")
    return found


def load_vocabulary_from(path: Path) -> Vocabulary:
    """Return the vocabulary of a data file.

    Raises:
        OverlayError: if the file cannot be used, or two tags have one spelling.
    """
    file, yaml_file = load_model(path, TagsFile)
    collisions = find_collisions(file)
    if collisions:
        where = yaml_file.where(("tags",))
        problems = [Problem(where, what, "give each its own") for what in collisions]
        raise OverlayError("The vocabulary of tags cannot be used.", problems)
    return Vocabulary(file, hashlib.sha256(path.read_bytes()).hexdigest())


@cache
def load_vocabulary() -> Vocabulary:
    """Return the vocabulary that comes with this project, read once."""
    return load_vocabulary_from(_PATH)
