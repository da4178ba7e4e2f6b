"""Writes what a run brings into the files of one domain's overlay, ledger and manifest included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jtau_plugin.compat.installed import source_files
from jtau_plugin.models.translation import LedgerEntry
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.overlays.yamlfile import read_text
from jtau_plugin.translation.engine.journal import Journal, WrittenText
from jtau_plugin.translation.extraction.documents import known_documents
from jtau_plugin.translation.extraction.segment import POLICY
from jtau_plugin.translation.items import Item, State
from jtau_plugin.translation.ledger import Ledgers
from jtau_plugin.translation.obsolete import Obsolete
from jtau_plugin.translation.provenance import RunInfo, count_file, put_artefact
from jtau_plugin.translation.writing.documents import Documents, put_documents
from jtau_plugin.translation.writing.entries import (
    Data,
    Writing,
    put_names,
    put_own_messages,
    put_prompts,
    put_shared_messages,
    put_tasks,
    put_tools,
    put_values,
)
from jtau_plugin.translation.writing.files import write_atomically
from jtau_plugin.translation.writing.locale import LocaleFacts, new_checks, new_locale
from jtau_plugin.translation.writing.removing import stays, take_out
from jtau_plugin.translation.writing.termbase import put_terms
from jtau_plugin.translation.writing.yamldump import dump_file
from jtau_plugin.translation.writing.yamledit import update_yaml

_SPACED = ("tools.yaml", "prompts.yaml")
Put = Callable[[Data, Writing], Data]
_HEADER = "Written by `jtau translate`. ledger.jsonl says how each text came to be."


@dataclass(frozen=True)
class NewText:
    """A text that a run brings.

    Attributes:
        text: the text.
        note: what the checks would still say about it.
        date: when the model wrote it.
        model: litellm's name of the model; the run's when empty.
        prompt: version of the words in which it was asked; the run's when empty.
    """

    text: str
    note: str = ""
    date: str = ""
    model: str = ""
    prompt: str = ""


@dataclass
class Written:
    """What was written.

    Attributes:
        files: paths of the files that changed.
        incomplete: files that lack a text without which they cannot be written.
        removed: addresses of texts whose source is gone.
    """

    files: list[Path] = field(default_factory=list)
    incomplete: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)


class OverlayWriter:
    """Writes into one domain's overlay.

    Args:
        writing: what is written, and how.
        texts: the new texts by address.
        ledgers: the locale's ledgers; they are brought up to date.
        facts: what is known of the locale.
        run: what the run says of itself.
        journal: is told of every text before it is written.
    """

    def __init__(
        self,
        writing: Writing,
        texts: Mapping[str, NewText],
        *,
        ledgers: Ledgers,
        facts: LocaleFacts,
        run: RunInfo,
        journal: Journal,
    ) -> None:
        self._writing = writing
        self._plan = writing.plan
        self._texts = texts
        self._ledgers = ledgers
        self._facts = facts
        self._run = run
        self._journal = journal
        self._files: dict[str, str] = {}
        self._content: dict[str, Data] = {}
        self._written = Written()

    def write(self) -> Written:
        """Write everything that has changed."""
        documents = put_documents(self._writing)
        self._written.incomplete += documents.incomplete
        self._contents(documents)
        self._entries(documents)
        self._manifests(documents)
        before = {item.address: item.previous for item in self._plan.items}
        self._journal.write(
            {a: self._diary(self._texts[a], before.get(a, "")) for a in self._writing.new}
        )
        # The manifest comes last: a domain is there once its other files are.
        for name, text in sorted(self._files.items(), key=lambda f: f[0].endswith("manifest.yaml")):
            path = self._plan.folder / name
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                write_atomically(path, text)
                self._written.files.append(path)
        self._written.files += self._ledgers.save()
        return self._written

    def _diary(self, new: NewText, previous: str) -> WrittenText:
        return WrittenText(
            fingerprint_text(new.text),
            new.note,
            new.date,
            new.model or self._run.model,
            new.prompt or self._run.prompt,
            previous,
        )

    # --- content

    def _data(self, name: str) -> Data:
        data = self._plan.texts.data(name)
        return deepcopy(data) if isinstance(data, dict) else {}

    def _yaml(self, name: str, put: Put) -> None:
        """Change the content of a YAML file and remember its new text."""
        data = put(self._data(name), self._writing)
        own = [o for o in self._plan.obsolete if o.file == name]
        data = take_out(data, own, prunes=self._writing.prunes)
        path = self._plan.folder / name
        if path.is_file():
            self._files[name] = update_yaml(read_text(path), data)
        else:
            spaced = name.rpartition("/")[2] in _SPACED
            self._files[name] = dump_file(data, _HEADER, spaced=spaced)
        self._content[name] = data

    def _contents(self, documents: Documents) -> None:
        domain, chosen = self._plan.domain, self._plan.components
        puts: dict[str, tuple[str, Put]] = {
            f"{domain}/values.yaml": ("values", put_values),
            f"{domain}/tools.yaml": ("tools", put_tools),
            f"{domain}/tasks.yaml": ("tasks", put_tasks),
            "messages.yaml": ("messages", put_shared_messages),
            f"{domain}/messages.yaml": ("messages", put_own_messages),
            "names.yaml": ("names", put_names),
            "prompts.yaml": ("prompts", put_prompts),
        }
        for name, (component, put) in puts.items():
            if component in chosen:
                self._yaml(name, put)
        values = self._content.get(f"{domain}/values.yaml") or self._data(f"{domain}/values.yaml")
        terms = self._plan.folder / "termbase.tsv"
        if "terms" in chosen and (terms.is_file() or self._plan.structure.terms):
            self._files["termbase.tsv"] = put_terms(
                terms, self._facts.locale, self._writing, values
            )
        self._files.update(documents.texts)
        checks = self._plan.folder / "checks.yaml"
        if not checks.is_file() and self._plan.structure.term_rules.keys:
            self._files["checks.yaml"] = new_checks(self._plan.structure)

    # --- ledger

    def _entries(self, documents: Documents) -> None:
        for item in self._plan.items:
            self._entry(item, documents)
        for old in self._plan.obsolete:
            if not stays(old, prunes=self._writing.prunes):
                self._retire(old)
                self._written.removed.append(old.address)

    def _entry(self, item: Item, documents: Documents) -> None:
        new, place = self._texts.get(item.address), documents.places.get(item.address)
        is_written = item.address in self._writing.new
        if is_written and new is not None:
            is_section = item.segment.kind == POLICY
            if is_section and place is None:
                return  # its document could not be written
            entry = LedgerEntry(
                address=item.address,
                source=item.segment.fingerprint,
                text=fingerprint_text(new.text),
                place=place,
                origin="machine",
                model=new.model or self._run.model or None,
                prompt=new.prompt or self._run.prompt or None,
                date=new.date or self._run.date,
                tau2=self._run.tau2,
                note=new.note or None,
            )
            self._ledgers.put(entry)
        elif item.entry is not None:
            self._ledgers.put(self._renewed(item, item.entry, place))
        elif item.state is State.CURRENT and item.segment.container and item.held is not None:
            # What a document or a tool says in this part is known from now on.
            self._ledgers.put(
                LedgerEntry(
                    address=item.address,
                    source=item.segment.fingerprint,
                    place=place,
                    tau2=self._run.tau2,
                )
            )

    def _renewed(self, item: Item, entry: LedgerEntry, place: int | None) -> LedgerEntry:
        update: dict[str, Any] = {"place": place if place is not None else entry.place}
        is_edited = entry.status == "translated" and item.is_protected
        if is_edited and entry.text is not None and item.held is not None:
            found = fingerprint_text(item.held.text)
            if found != entry.text:
                update |= {"text": found, "origin": "person", "note": None}
        if item.state is State.KEPT:
            update["status"] = "stale"
        elif item.state is State.CURRENT:
            update["source"] = item.segment.fingerprint
            if entry.status == "stale":
                update["status"] = "translated"
        return entry.model_copy(update=update)

    def _retire(self, old: Obsolete) -> None:
        entry = self._ledgers.get(old.address)
        if entry is None:
            return
        if old.is_protected:
            text = old.text or self._section(entry)
            update = {"status": "retired", "retired": text or None, "place": None}
            self._ledgers.put(entry.model_copy(update=update))
        else:
            self._ledgers.drop(old.address)

    def _section(self, entry: LedgerEntry) -> str:
        sections = self._plan.texts.sections(entry.address.partition("#")[0])
        is_there = entry.place is not None and entry.place < len(sections)
        return sections[entry.place or 0].text if is_there else ""

    # --- manifests

    def _manifests(self, documents: Documents) -> None:
        domain, plan = self._plan.domain, self._plan
        known = known_documents(plan.english, plan.structure)
        sources = source_files(plan.english.environment, [d.path for d in known.values()])
        name = f"{domain}/manifest.yaml"
        data = self._data(name)
        data.setdefault("base_domain", domain)
        title = next((i for i in plan.items if i.segment.key == ("title",)), None)
        if title is not None and title.address in self._writing.new:
            data["title"] = self._writing.text(title)
        own = data.setdefault("documents", {})
        for document, found in documents.sources.items():
            entry = own.setdefault(
                document, {"file": known[document].file, "path": known[document].path}
            )
            if not set(found) <= set(entry.get("source") or ()):
                entry["source"] = found
        for gone in own.keys() - known.keys():
            del own[gone]
        has_changed = bool(self._writing.new) or bool(plan.obsolete)
        recorded = data.setdefault("sources", {})
        for path, digest in sources.items() if has_changed else ():
            recorded.setdefault(path, {})[self._run.installed] = digest
        self._artefacts(data.setdefault("artefacts", {}), f"{domain}/", sources)
        if own and "title" in data:
            self._put(name, data)
        locale = self._data("locale.yaml") or new_locale(self._facts, self._run.date)
        self._artefacts(locale.setdefault("artefacts", {}), "", {})
        self._put("locale.yaml", locale)

    def _put(self, name: str, data: Data) -> None:
        path = self._plan.folder / name
        if path.is_file():
            self._files[name] = update_yaml(read_text(path), data)
        else:
            self._files[name] = dump_file(data, _HEADER)

    def _artefacts(self, artefacts: Data, prefix: str, sources: Mapping[str, str]) -> None:
        """Say in a manifest what the run has written in each file."""
        items: dict[str, list[Item]] = {}
        changed = set()
        for item in self._plan.items:
            file = item.segment.file
            if item.segment.key == ("title",) or file.rpartition("/")[0] != prefix.strip("/"):
                continue
            items.setdefault(file, []).append(item)
            if item.address in self._writing.new:
                changed.add(file)
        for file in sorted(changed & self._files.keys()):
            name = file.rpartition("/")[2]
            own = {path: sources[path] for path in sources if _renders(name, path)}
            counts = count_file(file, items[file], self._ledgers)
            date = max(self._texts[i.address].date for i in items[file] if i.address in self._texts)
            run = self._run if not date else _dated(self._run, date)
            put_artefact(artefacts, name, counts, own, run)


def _dated(run: RunInfo, date: str) -> RunInfo:
    return RunInfo(run.model, run.parameters, run.prompt, date, run.tau2, run.installed)


#: Which of tau2's files a file of an overlay renders, by how their names end.
_RENDERED = {
    "tools.yaml": ("tools.py", "data_model.py"),
    "messages.yaml": ("tools.py",),
    "values.yaml": ("data_model.py", "db.json", "db.toml", "tools.py"),
    "tasks.yaml": ("tasks.json",),
}


def _renders(name: str, path: str) -> bool:
    file = path.rpartition("/")[2]
    return name == file or file.endswith(_RENDERED.get(name, ()))
