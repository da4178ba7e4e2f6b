"""Checks an overlay as it would be with a review's corrections, and refuses those that break it.

Works on a copy in a temporary folder, with the checks of ``jtau check``. What was wrong before is
nobody's fault now.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from jtau_plugin.checks.model import ERROR, WARNING
from jtau_plugin.checks.runner import apply_exemptions, run_checks
from jtau_plugin.errors import ProblemsError
from jtau_plugin.models.checks import Exemption
from jtau_plugin.overlays.catalog import load_catalog
from jtau_plugin.review.judging import Reading
from jtau_plugin.translation.context import load_exemptions, make_context
from jtau_plugin.translation.english import English
from jtau_plugin.translation.extraction.segment import LITERALS
from jtau_plugin.translation.fit import check_fit
from jtau_plugin.translation.segments import collect_segments, pair_texts

_WHERE = re.compile(r"(?P<file>.+?):(?P<line>\d+): (?P<key>.*)")
_MOST = 3


@dataclass(frozen=True)
class Objection:
    """What a check has against a text.

    Attributes:
        address: the text, or ``file#key`` where a file cannot be used.
        check: the check's name.
        message: what is wrong.
        is_error: whether it fails.
    """

    address: str
    check: str
    message: str
    is_error: bool

    def __str__(self) -> str:
        return f"{self.address}: {self.message} [{self.check}]"


@dataclass(frozen=True)
class Found:
    """What the checks say of an overlay.

    Attributes:
        objections: without the exempted ones.
        unused: exemptions that exempt nothing.
    """

    objections: tuple[Objection, ...]
    unused: tuple[str, ...] = ()


class Trial:
    """Tries changes of one locale.

    Args:
        locale: its id.
        folder: its folder.
        english: what is installed, by the domains that are looked at.
    """

    def __init__(self, locale: str, folder: Path, english: Mapping[str, English]) -> None:
        self._locale = locale
        self._folder = folder
        self._english = english

    def run(self, files: Mapping[str, str]) -> Found:
        """Return what the checks say if these files had these texts."""
        with tempfile.TemporaryDirectory(prefix="jtau-review-") as root:
            folder = Path(root) / self._locale
            shutil.copytree(self._folder, folder)
            for name, text in files.items():
                (folder / name).write_text(text, encoding="utf-8", newline="\n")
            return self._check(folder)

    @cached_property
    def before(self) -> frozenset[tuple[str, str, str]]:
        """What the checks say already."""
        return frozenset((o.address, o.check, o.message) for o in self.run({}).objections)

    def new_errors(self, found: Found) -> list[Objection]:
        """Return the errors that were not there before."""
        errors = [o for o in found.objections if o.is_error]
        return [o for o in errors if (o.address, o.check, o.message) not in self.before]

    def _check(self, folder: Path) -> Found:
        objections: list[Objection] = []
        findings = []
        for domain, english in self._english.items():
            try:
                catalog = load_catalog(self._locale, folder, domain)
                pairs = pair_texts(catalog, english)
                segments = collect_segments(catalog, english, pairs)
                context = make_context(catalog, english)
                problems = check_fit(catalog, english, pairs)
            except ProblemsError as error:
                objections += [
                    Objection(_place(p.where, folder), "overlay", p.what, is_error=True)
                    for p in error.problems
                ]
                continue
            findings += run_checks(segments, context)
            objections += [
                Objection(_place(p.where, folder), "fit", p.what, is_error=True) for p in problems
            ]
        exemptions, _ = load_exemptions(folder)
        result = apply_exemptions(findings, exemptions)
        objections += [
            Objection(f.segment.address, f.check, f.message, is_error=f.severity is ERROR)
            for f in result.findings
            if f.severity in (ERROR, WARNING)
        ]
        # The locale's shared files are seen with every domain.
        unused = (
            self._unused(exemptions, result.used) if not objections_of_files(objections) else ()
        )
        return Found(tuple(dict.fromkeys(objections)), tuple(unused))

    def _unused(self, exemptions: Sequence[Exemption], used: Sequence[int]) -> list[str]:
        return [
            f"{e.check} at {e.address}"
            for e, count in zip(exemptions, used, strict=True)
            if not count and not e.optional and e.address.partition("/")[0] in self._english
        ]


def objections_of_files(objections: Iterable[Objection]) -> bool:
    """Return whether a domain could not be looked at."""
    return any(o.check == "overlay" for o in objections)


def _place(where: str, folder: Path) -> str:
    match = _WHERE.fullmatch(where)
    if match is None:
        return where.replace(f"{folder}/", "")
    return f"{match['file'].replace(f'{folder}/', '')}#{match['key']}"


@dataclass(frozen=True)
class Settled:
    """Which corrections stand.

    Attributes:
        readings: those that stand.
        refused: those that do not, each with the reason.
        files: new texts of files with those that stand.
        warnings: what the checks would still say about them.
        unused: exemptions that exempt nothing any more.
    """

    readings: tuple[Reading, ...]
    refused: tuple[tuple[Reading, str], ...]
    files: Mapping[str, str]
    warnings: tuple[Objection, ...] = ()
    unused: tuple[str, ...] = ()


def settle(
    readings: Iterable[Reading], edit: Callable[[Sequence[Reading]], dict[str, str]], trial: Trial
) -> Settled:
    """Take away corrections until the overlay has no error that it did not have before.

    Args:
        readings: what was read, corrected or not.
        edit: returns the texts of files with some corrections.
        trial: checks them.
    """
    every = list(readings)
    # Prose first: where it follows a value that changes too, the value is what has to be right.
    kept = sorted(
        (reading for reading in every if reading.is_corrected),
        key=lambda r: r.item.segment.kind in LITERALS,
    )
    refused: list[tuple[Reading, str]] = []
    found, files = Found(()), {}
    while kept:
        files = edit(kept)
        found = trial.run(files)
        errors = trial.new_errors(found) if any(o.is_error for o in found.objections) else []
        if not errors:
            break
        gone = _blamed(errors, kept) or [_culprit(kept, edit, trial, errors)]
        refused += gone
        kept = [reading for reading in kept if all(reading is not own for own, _ in gone)]
    files = files if kept else {}
    gone_ids = {id(reading) for reading, _ in refused}
    mine = {reading.address for reading in kept}
    return Settled(
        readings=tuple(r for r in every if id(r) not in gone_ids),
        refused=tuple(refused),
        files=files,
        warnings=tuple(o for o in found.objections if not o.is_error and o.address in mine),
        unused=found.unused if kept else (),
    )


def _is_about(objection: Objection, reading: Reading) -> bool:
    if objection.address == reading.address:
        return True
    if objection.check != "overlay":
        return False
    file, _, key = objection.address.partition("#")
    held = reading.item.held
    if held is None or file != reading.item.segment.file:
        return False
    own = ".".join(map(str, held.key))
    return own == key or own.startswith(f"{key}.") or key.startswith(f"{own}.")


def _blamed(errors: Sequence[Objection], kept: Sequence[Reading]) -> list[tuple[Reading, str]]:
    """Return the corrections that the checks themselves object to."""
    found = []
    for reading in kept:
        own = [error for error in errors if _is_about(error, reading)]
        if own:
            found.append((reading, _say(own, with_address=False)))
    return found


def _culprit(
    kept: Sequence[Reading],
    edit: Callable[[Sequence[Reading]], dict[str, str]],
    trial: Trial,
    errors: Sequence[Objection],
) -> tuple[Reading, str]:
    """Return the correction with which other texts stop being right: a halving search."""
    good, bad, last = 0, len(kept), errors
    while bad - good > 1:
        middle = (good + bad) // 2
        found = trial.new_errors(trial.run(edit(kept[:middle])))
        others = [e for e in found if not any(_is_about(e, reading) for reading in kept)]
        if others:
            bad, last = middle, others
        else:
            good = middle
    return kept[bad - 1], _say(last, with_address=True)


def _say(errors: Sequence[Objection], *, with_address: bool) -> str:
    said = dict.fromkeys(str(e) if with_address else f"{e.message} [{e.check}]" for e in errors)
    more = f"; … and {len(said) - _MOST} more" if len(said) > _MOST else ""
    return "; ".join(list(said)[:_MOST]) + more
