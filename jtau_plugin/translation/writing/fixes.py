"""Puts mended texts into the files of an overlay, and leaves every other byte as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jtau_plugin.overlays.yamlfile import Key
from jtau_plugin.translation.writing.scalars import (
    CannotExchangeError,
    exchange_texts,
    read_scalars,
)


@dataclass(frozen=True)
class FixedText:
    """One thing that is mended, or could be.

    Attributes:
        address: the text's address, or the file.
        path: its file.
        line: its first line there.
        checks: the checks that objected before and do so less now.
        before: what stands there.
        after: what is to stand there.
        kept: why it is left as it is; empty if it is mended.
        key: where it stands in its file, if that is YAML.
    """

    address: str
    path: Path
    line: int
    checks: tuple[str, ...]
    before: str
    after: str
    kept: str = ""
    key: Key = ()

    @property
    def shown_line(self) -> int:
        """The line to look at: in a document, the first that changes."""
        before, after = self.before.split("\n"), self.after.split("\n")
        if self.path.suffix != ".md" or len(before) != len(after):
            return self.line
        changed = (i for i, old in enumerate(before) if old != after[i])
        return self.line + next(changed, 0)


@dataclass(frozen=True)
class Content:
    """A file as it is and as it is to be."""

    old: str
    new: str


def new_contents(
    fixes: Sequence[FixedText],
) -> tuple[dict[Path, Content], list[FixedText]]:
    """Return the files as they will be, and the fixes with what cannot be written kept."""
    contents: dict[Path, Content] = {}
    result: list[FixedText] = []
    by_path: dict[Path, list[FixedText]] = {}
    for fix in fixes:
        if fix.kept:
            result.append(fix)
        else:
            by_path.setdefault(fix.path, []).append(fix)
    for path, own in by_path.items():
        old = read_bytes_as_text(path)
        put = _put_sections if path.suffix == ".md" else _put_scalars
        new, done = put(old, own)
        result += done
        if new != old:
            contents[path] = Content(old, new)
    return contents, result


def read_bytes_as_text(path: Path) -> str:
    """Return a file as it is, the ends of its lines included."""
    return path.read_bytes().decode("utf-8")


def _put_sections(text: str, fixes: Sequence[FixedText]) -> tuple[str, list[FixedText]]:
    """Return a document with mended sections, and the fixes, those kept that cannot be made."""
    lines, done = text.split("\n"), []
    for fix in fixes:
        start, end = fix.line - 1, fix.line + fix.before.count("\n")
        before, after = fix.before.split("\n"), fix.after.split("\n")
        if lines[start:end] != before or len(after) != len(before):
            done.append(replace(fix, kept="the section is not where it was"))
            continue
        lines[start:end] = after
        done.append(fix)
    return "\n".join(lines), done


def _put_scalars(text: str, fixes: Sequence[FixedText]) -> tuple[str, list[FixedText]]:
    """Return a YAML file with mended texts, and the fixes, those kept that cannot be made."""
    held = read_scalars(text)
    new: dict[Key, str] = {}
    for fix in fixes:
        whole = held.get(fix.key, "")
        if fix.before in whole:
            new[fix.key] = whole.replace(fix.before, fix.after, 1)
    done = []
    try:
        text = exchange_texts(text, new)
    except CannotExchangeError:
        for key in list(new):  # one of them; which?
            try:
                text = exchange_texts(text, {key: new[key]})
            except CannotExchangeError as error:
                del new[key]
                kept = f"cannot be written: {error}"
                done += [replace(fix, kept=kept) for fix in fixes if fix.key == key]
    known = {fix.key for fix in done}
    for fix in fixes:
        if fix.key not in known:
            kept = "" if fix.key in new else "the text is not where it was"
            done.append(replace(fix, kept=kept))
    return text, done
