"""Mends what can be derived in the files of an overlay, and says what it would mend.

A text that a person has reviewed or edited is listed and left; a fingerprint of a source is never
touched, because renewing it without reading would hide that the text is stale.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from jtau_plugin import resources
from jtau_plugin.checks.fixes import fix_text
from jtau_plugin.checks.model import DOCUMENT, Context, Finding, Segment
from jtau_plugin.checks.raw import find_raw_faults, mend_raw
from jtau_plugin.checks.runner import is_exempted, run_checks
from jtau_plugin.errors import OverlayError, Problem, ProblemsError, SettingError
from jtau_plugin.models.checks import Exemption
from jtau_plugin.models.overlay import Artefact
from jtau_plugin.overlays.catalog import forget_catalogs
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.overlays.yamlfile import Key, YamlFile
from jtau_plugin.translation.checking import Collected, collect, find_overlays
from jtau_plugin.translation.context import load_exemptions
from jtau_plugin.translation.inventory import ledger_counts, overlay_files
from jtau_plugin.translation.ledger import Ledgers
from jtau_plugin.translation.overlay_texts import Held
from jtau_plugin.translation.planning import is_protected
from jtau_plugin.translation.provenance import reviewed_files
from jtau_plugin.translation.writing.files import write_atomically, writing_into
from jtau_plugin.translation.writing.fixes import (
    Content,
    FixedText,
    new_contents,
    read_bytes_as_text,
)

_BY_A_PERSON = "a person has reviewed or edited the text"


@dataclass
class FixReport:
    """What became of the overlays of a locale.

    Attributes:
        fixes: in the order of files and lines.
        is_written: the files have been written.
    """

    fixes: list[FixedText] = field(default_factory=list)
    is_written: bool = False

    @property
    def mended(self) -> Iterator[FixedText]:
        """What is mended, or would be."""
        return (fix for fix in self.fixes if not fix.kept)


def require_writable(folder: Path) -> None:
    """Refuse a locale that is no place for edits.

    Raises:
        SettingError: for the one inside an installed package, and for a folder without the right.
    """
    root = resources.data_root()
    if root.name == "_data" and root in folder.resolve().parents:
        what = "lies inside the installed package, where nothing is edited"
        hint = f"copy it to DIR/{folder.name} and set JTAU_OVERLAY_PATH=DIR"
        raise SettingError(str(Problem(str(folder), what, hint)))
    if not os.access(folder, os.W_OK):
        raise SettingError(str(Problem(str(folder), "may not be written", "ask for the right")))


class LocaleFixer:
    """Mends the overlays of one locale.

    Args:
        locale: its id.
        folder: its folder.
        domains: which of its domains.
    """

    def __init__(self, locale: str, folder: Path, domains: Sequence[str]) -> None:
        self._locale = locale
        self._folder = folder
        self._domains = domains
        self._report = FixReport()

    def run(self, *, writes: bool) -> FixReport:
        """Find what can be mended, and mend it.

        Args:
            writes: otherwise it is only found.

        Raises:
            SettingError: if there is something to write and the folder is no place for it.
            TranslationError: if another run is writing there.
        """
        self._bytes(writes=writes)
        try:
            ledgers = Ledgers(self._folder, self._domains)
            exemptions, _ = load_exemptions(self._folder)
            found = [collect(self._locale, domain) for domain in self._domains]
        except ProblemsError:
            return self._sorted()  # the checks say what keeps the overlay from being read
        texts = _agreed([_text_fixes(own, exemptions, ledgers) for own in found])
        broken = {fix.path for fix in self._report.mended} if not writes else set()
        fixes = [fix for fix in texts if fix.path not in broken]
        for own in found:
            fixes += _count_fixes(own)
        fixes = list({(fix.path, fix.key, fix.line): fix for fix in fixes}.values())
        contents, fixes = new_contents(fixes)
        self._report.fixes += fixes
        if contents and writes:
            self._write(contents, [fix for fix in fixes if not fix.kept], ledgers)
        return self._sorted()

    def _sorted(self) -> FixReport:
        self._report.fixes.sort(key=lambda fix: (str(fix.path), fix.line, fix.address))
        return self._report

    # --- bytes

    def _bytes(self, *, writes: bool) -> None:
        """Mend how files are encoded: nothing that they say changes."""
        mended: dict[Path, bytes] = {}
        for folder in (self._folder, *(self._folder / domain for domain in self._domains)):
            for path in overlay_files(folder):
                data = path.read_bytes()
                new = mend_raw(data)
                if new == data or not _is_text(new):
                    continue
                left = {fault.message for _, fault in find_raw_faults(new)}
                for line, fault in find_raw_faults(data):
                    if fault.message not in left:
                        fix = FixedText(str(path), path, line, ("files",), fault.message, "")
                        self._report.fixes.append(fix)
                mended[path] = new
        if mended and writes:
            require_writable(self._folder)
            with self._held():
                for path, new in mended.items():
                    write_atomically(path, new.decode("utf-8"))
            self._report.is_written = True
            forget_catalogs()

    # --- texts

    def _write(
        self, contents: Mapping[Path, Content], fixes: Sequence[FixedText], ledgers: Ledgers
    ) -> None:
        require_writable(self._folder)
        with self._held():
            changed = [p for p, c in contents.items() if read_bytes_as_text(p) != c.old]
            if changed:
                problems = [Problem(str(path), "has changed meanwhile") for path in changed]
                raise OverlayError("Nothing is written.", problems)
            for path, content in contents.items():
                write_atomically(path, content.new)
            for fix in fixes:
                _renew(fix, ledgers)
            ledgers.save()
        self._report.is_written = True
        forget_catalogs()

    def _held(self) -> ExitStack:
        """Hold the folders that are written for oneself."""
        stack = ExitStack()
        for folder in (self._folder, *(self._folder / domain for domain in self._domains)):
            stack.enter_context(writing_into(folder))
        return stack


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _open_findings(own: Collected, exemptions: Sequence[Exemption]) -> dict[str, list[Finding]]:
    """Return the findings that no exemption covers by file and address."""
    found: dict[str, list[Finding]] = {}
    for finding in run_checks(own.segments, own.context):
        if not is_exempted(finding, exemptions):
            found.setdefault(_name(finding.segment), []).append(finding)
    return found


def _name(segment: Segment) -> str:
    return f"{segment.file}\0{segment.address}"


def _text_fixes(
    own: Collected, exemptions: Sequence[Exemption], ledgers: Ledgers
) -> dict[tuple[str, str], FixedText | None]:
    """Return what can be mended in one domain by file and address; ``None`` where nothing can."""
    is_known = {_name(segment) for segment in own.segments}
    findings = _open_findings(own, exemptions)
    reviewed = reviewed_files(own.catalog.folder.parent, own.catalog.domain)
    fixes: dict[tuple[str, str], FixedText | None] = {}
    for segment in own.segments:
        if segment.kind == DOCUMENT:
            continue
        place = (segment.file, segment.address)
        fixes[place] = None
        if _name(segment) not in findings or _name(segment) not in is_known:
            continue
        after = fix_text(segment, own.context, lambda f: is_exempted(f, exemptions))
        if after != segment.target:
            checks = _mended_checks(segment, after, own.context)
            fix = FixedText(
                address=segment.address,
                path=Path(segment.file),
                line=segment.line,
                checks=checks,
                before=segment.target,
                after=after,
                key=segment.key,
            )
            fixes[place] = replace(fix, kept=_kept(fix, segment, own, ledgers, reviewed))
    return fixes


def _mended_checks(segment: Segment, after: str, context: Context) -> tuple[str, ...]:
    before = [f.check for f in run_checks([segment], context)]
    left = [f.check for f in run_checks([replace(segment, target=after)], context)]
    return tuple(sorted({c for c in before if left.count(c) < before.count(c)}))


def _kept(
    fix: FixedText, segment: Segment, own: Collected, ledgers: Ledgers, reviewed: Iterable[str]
) -> str:
    held = Held(segment.target, (), fix.path, fix.line, fix.key)
    file = str(fix.path.relative_to(own.catalog.folder.parent))
    entry = ledgers.get(segment.address)
    is_reviewed = file in reviewed
    return _BY_A_PERSON if is_protected(held, entry, (), is_reviewed_file=is_reviewed) else ""


def _agreed(domains: Sequence[Mapping[tuple[str, str], FixedText | None]]) -> list[FixedText]:
    """Return each fix once: of a text that several domains share, what all of them agree on."""
    found: dict[tuple[str, str], list[FixedText | None]] = {}
    for fixes in domains:
        for place, fix in fixes.items():
            found.setdefault(place, []).append(fix)
    agreed = []
    for several in found.values():
        given = [fix for fix in several if fix is not None]
        if not given:
            continue
        is_agreed = len({fix.after for fix in given}) == 1
        kept = given[0].kept or ("" if is_agreed else "its domains want it otherwise")
        agreed.append(replace(given[0], kept=kept))
    return agreed


# --- records


def _count_fixes(own: Collected) -> Iterator[FixedText]:
    """Yield the counts of manifests that are other than what the ledger has."""
    catalog = own.catalog
    for artefacts, name, prefix in (
        (catalog.manifest.artefacts, "manifest.yaml", f"{catalog.domain}/"),
        (catalog.about.artefacts, "locale.yaml", ""),
    ):
        file = catalog.files[name]
        yield from _counts_of(artefacts, file, prefix)


def _counts_of(
    artefacts: Mapping[str, Artefact], file: YamlFile, prefix: str
) -> Iterator[FixedText]:
    for name, artefact in artefacts.items():
        known = ledger_counts(file.path.parent, f"{prefix}{name}")
        for what, count in artefact.counts.items():
            key: Key = ("artefacts", name, "counts", what)
            if what == "segments" or count == known[what]:
                continue
            yield FixedText(
                address=f"{prefix}{file.path.name}#{'.'.join(map(str, key))}",
                path=file.path,
                line=file.lines.get(key, 1),
                checks=("record",),
                before=str(count),
                after=str(known[what]),
                key=key,
            )


def _renew(fix: FixedText, ledgers: Ledgers) -> None:
    """Renew the fingerprint of a machine's text, so that it does not count as a person's edit."""
    entry = ledgers.get(fix.address)
    if entry is not None and entry.text == fingerprint_text(fix.before):
        ledgers.put(entry.model_copy(update={"text": fingerprint_text(fix.after)}))


def fix_overlays(
    locale: str | None = None, domain: str | None = None, *, writes: bool
) -> list[FixReport]:
    """Mend every overlay, those of a locale, or that of one domain of it.

    Args:
        locale: its id; every locale when ``None``.
        domain: name of a domain of it; every domain when ``None``.
        writes: otherwise it is only found what can be mended.

    Raises:
        OverlayError: if there is no such locale or domain.
        SettingError: if there is something to write and the folder is no place for it.
        TranslationError: if another run is writing there.
    """
    return [
        LocaleFixer(name, folder, domains).run(writes=writes)
        for name, folder, domains in find_overlays(locale, domain)
    ]
