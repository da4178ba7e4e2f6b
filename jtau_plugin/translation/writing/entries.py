"""Puts new texts into the content of an overlay's files; facts come from the structure.

Content in, content out: what a file says is plain data here, and nothing that has no new text is
touched. A text whose surroundings are not all current leaves their fingerprint as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.overlays.yamlfile import Key
from jtau_plugin.translation.extraction.messages import message_places
from jtau_plugin.translation.extraction.tools import InstalledParameter, iter_parameters
from jtau_plugin.translation.items import Item, State
from jtau_plugin.translation.planning import Plan
from jtau_plugin.translation.writing.facts import (
    message_facts,
    ordered_parameter,
    parameter_entry,
    plain_fields,
    plain_results,
)

Data = dict[str, Any]


@dataclass(frozen=True)
class Writing:
    """What is written into the overlay of one domain.

    Attributes:
        plan: what the overlay needs.
        new: new texts by address.
        accepts_old: a renewed text keeps the fingerprints that it had besides the new ones.
        prunes: texts whose source is gone are removed even where the file could keep them.
    """

    plan: Plan
    new: Mapping[str, str]
    accepts_old: bool = False
    prunes: bool = False

    def items(self, component: str, file: str = "") -> list[Item]:
        """Return the items of a component, or of one file of it."""
        return [
            item
            for item in self.plan.items
            if item.segment.component == component and file in ("", item.segment.file)
        ]

    def is_settled(self, item: Item) -> bool:
        """Return whether a text renders the installed English once this is written."""
        return item.address in self.new or item.state is State.CURRENT

    def renew(self, old: object, sources: Iterable[str]) -> list[str]:
        """Return the fingerprints of a renewed text."""
        before = [old] if isinstance(old, str) else list(old) if isinstance(old, list) else []
        return list(dict.fromkeys([*sources, *(before if self.accepts_old else [])]))

    def text(self, item: Item) -> str:
        """Return the new text of an item."""
        return self.new[item.address]


def put_values(data: Data, writing: Writing) -> Data:
    """Put values into ``values.yaml``; a new file gets the structure's fields and results."""
    structure = writing.plan.structure
    tables = data.setdefault("tables", {})
    for item in writing.items("values"):
        if item.address in writing.new:
            _, table, value = item.segment.key
            entry = tables.setdefault(table, {}).setdefault(value, {})
            entry["display"] = writing.text(item)
    if "fields" not in data and structure.fields:
        data["fields"] = plain_fields(structure)
    if "results" not in data and structure.results:
        data["results"] = plain_results(structure)
    for name in structure.tables:
        tables.setdefault(name, {})
    return data


def put_names(data: Data, writing: Writing) -> Data:
    """Put accepted forms of names into ``names.yaml``; a name written as it is needs none."""
    for item in writing.items("names"):
        if item.address in writing.new:
            role, name = map(str, item.segment.key)
            forms = data.setdefault(role, {}).setdefault(name, [])
            text = writing.text(item).strip()
            if text not in (name, *forms):
                forms[:] = [text, *forms[1:]]
    return data


def put_prompts(data: Data, writing: Writing) -> Data:
    """Put prompts and labels into ``prompts.yaml``."""
    prompts = data.setdefault("prompts", {})
    labels = data.setdefault("scenario_labels", {})
    for item in writing.items("prompts"):
        if item.address not in writing.new:
            continue
        section, name = map(str, item.segment.key)
        if section == "scenario_labels":
            labels[name] = writing.text(item)
            continue
        entry = prompts.setdefault(name, {})
        entry["source"] = writing.renew(entry.get("source"), item.segment.sources)
        entry["text"] = writing.text(item)
    return data


def put_tools(data: Data, writing: Writing) -> Data:
    """Put descriptions into ``tools.yaml``; new tools and parameters get their kinds."""
    for side in ("agent", "user"):
        data.setdefault(side, {})
    tools: dict[tuple[str, str], list[Item]] = {}
    for item in writing.items("tools"):
        side, name, *_ = map(str, item.segment.key)
        tools.setdefault((side, name), []).append(item)
    requestors = {"agent": "assistant", "user": "user"}
    for (side, name), items in tools.items():
        entry = data[side].get(name)
        if entry is None:
            described = any(
                i.segment.key[-1] == "description" and len(i.segment.key) == 3  # noqa: PLR2004
                for i in items
                if i.address in writing.new
            )
            if not described:
                continue  # a tool without a description cannot be written
            optional = {"optional": True} if items[0].segment.optional else {}
            entry = data[side][name] = {"source": [], **optional, "description": ""}
        tool = writing.plan.english.tools[requestors[side], name]
        _put_tool(entry, (side, name), tool, items, writing)
    return data


def _put_tool(
    entry: Data, key: tuple[str, str], tool: Any, items: list[Item], writing: Writing
) -> None:
    new = {i.segment.key: i for i in items if i.address in writing.new}
    for part in ("description", "returns"):
        own: Key = (*key, part)
        if own in new:
            entry[part] = writing.text(new[own])
    parameters = entry.setdefault("parameters", {})
    for parameter in iter_parameters(tool, key):
        own = (*parameter.key, "description")
        _put_parameter(entry, parameter, new.get(own), writing)
    for name, facts in parameters.items():
        parameters[name] = ordered_parameter(facts)
    contained = [i for i in items if i.segment.container]
    if contained and all(map(writing.is_settled, contained)):
        sources = contained[0].segment.sources
        if not set(sources) <= set(entry.get("source") or ()):
            entry["source"] = writing.renew(entry.get("source"), sources)


def _put_parameter(
    tool: Data, parameter: InstalledParameter, item: Item | None, writing: Writing
) -> None:
    owner: Any = tool
    for step in parameter.key[2:-1]:
        owner = owner.setdefault(step, {})
    entry = owner.setdefault(parameter.key[-1], {})
    for name, value in parameter_entry(parameter, writing.plan.structure).items():
        entry.setdefault(name, value)
    if item is None:
        return
    if not item.segment.container:
        entry["source"] = writing.renew(entry.get("source"), item.segment.sources)
    entry["description"] = writing.text(item)


def put_shared_messages(data: Data, writing: Writing) -> Data:
    """Put the sentences that all domains share into the locale's ``messages.yaml``."""
    return _put_messages(data, writing, "messages.yaml")


def put_own_messages(data: Data, writing: Writing) -> Data:
    """Put sentences into a domain's ``messages.yaml``; words of tables come with the structure."""
    return _put_messages(data, writing, f"{writing.plan.domain}/messages.yaml")


def _put_messages(data: Data, writing: Writing, file: str) -> Data:
    structure, places = writing.plan.structure, message_places(writing.plan.english)
    is_shared = "/" not in file
    for item in writing.items("messages", file):
        if item.address not in writing.new:
            continue
        section, identity = map(str, item.segment.key)
        own = data.setdefault(section, [])
        held = next((e for e in own if identity in (e.get("source"), e.get("pattern"))), None)
        if held is not None:
            held["text"] = writing.text(item)
        elif section == "python":
            own.append({"pattern": identity, "text": writing.text(item)})
        else:
            facts = structure.shared_messages if is_shared else structure.messages
            fact = facts.get(identity) or structure.fragments.get(identity)
            entry = {"source": identity, "at": list(places.get(identity, ()))}
            own.append({**entry, "text": writing.text(item), **message_facts(fact)})
    if not is_shared:
        _put_words(data, writing)
    return data


def _put_words(data: Data, writing: Writing) -> None:
    """Add sentences that are no text: words of a table, and what is never shown."""
    structure, places = writing.plan.structure, message_places(writing.plan.english)
    for section, facts in (("messages", structure.messages), ("fragments", structure.fragments)):
        own: list[Data] = data.get(section, [])
        known = {entry.get("source") for entry in own}
        for source, fact in facts.items():
            is_word = fact.text is None or fact.internal
            if not is_word or source in known or source not in places:
                continue
            entry: Data = {"source": source, "at": list(places[source])}
            if fact.text is None:
                tables = fact.table
                entry["table"] = tables if isinstance(tables, str) else list(tables or ())
            else:
                entry |= {"text": _internal_text(writing, source), "internal": True}
            own.append(entry | message_facts(fact))
            data[section] = own


def _internal_text(writing: Writing, source: str) -> str:
    """Return the English of a sentence that no model is shown."""
    templates = writing.plan.english.templates
    return next(t.text for t in templates if fingerprint_text(t.text) == source)


def put_tasks(data: Data, writing: Writing) -> Data:
    """Put texts of tasks into ``tasks.yaml``; older wordings stay for layouts that have them."""
    data.setdefault("domain_label", writing.plan.domain)
    data.setdefault("tasks", {})
    data.setdefault("shared", {})
    for item in writing.items("tasks"):
        if item.address not in writing.new:
            continue
        text, segment = writing.text(item), item.segment
        if segment.key == ("domain_label",):
            data["domain_label"] = text
            continue
        rendering: Data = {"source": list(segment.sources), "text": text}
        if segment.optional:
            rendering["optional"] = True
        if segment.key[0] == "shared":
            _put_rendering(data["shared"], str(segment.key[1]), rendering, item, writing)
        else:
            _, task, pointer, _ = segment.key
            own = data["tasks"].setdefault(str(task), {})
            _put_rendering(own, str(pointer), rendering, item, writing)
    for name in ("tasks", "shared"):
        if not data[name]:
            del data[name]
    return data


def _put_rendering(owner: Data, pointer: str, new: Data, item: Item, writing: Writing) -> None:
    is_list = item.segment.key[0] == "shared"
    entry = owner.get(pointer)
    renderings = list(entry) if isinstance(entry, list) else [entry] if entry else []
    if not is_list and any(rendering.get("optional") for rendering in renderings):
        # Some layout has no such text at all, whatever its wordings on others.
        new = {**new, "optional": True}
    if item.held is not None:
        place = item.held.key[-2] if isinstance(item.held.key[-2], int) else 0
        is_machines = item.entry is not None and item.entry.origin == "machine"
        # A text of a task can be there in several wordings: an older one needs no second meaning.
        if (is_machines and not writing.accepts_old) or set(item.segment.sources) <= set(
            item.held.sources
        ):
            renderings[place] = {**renderings[place], **new}
        else:
            renderings.insert(place, new)
    elif item.segment.key[-1] == 0:
        renderings.insert(0, new)  # the wording that is run comes first
    else:
        renderings.append(new)
    owner[pointer] = renderings if is_list or len(renderings) > 1 else renderings[0]
