"""What the active repairs make of tasks, documents and tool texts, for both arms alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from loguru import logger

from jtau_plugin.errors import RepairError
from jtau_plugin.localization.toolkit import ToldTool
from jtau_plugin.models.overlay import Parameter, ToolText
from jtau_plugin.models.patches import DocumentRepair, ToolTextRepair
from jtau_plugin.overlays.catalog import Catalog
from jtau_plugin.overlays.fingerprint import fingerprint_docstring
from jtau_plugin.patching import repairs as task_repairs
from jtau_plugin.patching.catalogue import active_selection
from jtau_plugin.patching.documents import (
    load_document_repairs,
    repair_document,
    repair_localized_document,
)
from jtau_plugin.patching.tool_texts import (
    check_tool_texts,
    read_descriptions,
    repair_tool_text,
    repaired_tool_texts,
)

Tools = Mapping[tuple[str, str], Any]


def repair_tasks(tasks: list[Any], domain: str) -> list[task_repairs.RepairedTask]:
    """Return tau2's tasks of a domain with the active repairs applied.

    Raises:
        RepairError: for each guard that does not fit.
    """
    return task_repairs.repair_tasks(tasks, domain, active_selection().enabled)


def _active_documents(domain: str) -> list[DocumentRepair]:
    selection = active_selection()
    repairs = load_document_repairs(domain).repairs
    return [repair for repair in repairs if selection.is_enabled(repair.id)]


def _active_tool_texts(domain: str) -> list[ToolTextRepair]:
    selection = active_selection()
    texts = load_document_repairs(domain).tool_texts
    return [repair for repair in texts if selection.is_enabled(repair.id)]


def document_repair_ids(domain: str) -> tuple[str, ...]:
    """Return the ids of the active repairs of a domain's documents and tool texts."""
    active = [*_active_documents(domain), *_active_tool_texts(domain)]
    return tuple(repair.id for repair in active)


def repair_english_documents(documents: Mapping[str, str], domain: str) -> dict[str, str]:
    """Return the English documents with the active repairs; one that is not installed stays empty.

    Raises:
        RepairError: for each guard that does not fit.
    """
    active = _active_documents(domain)
    return {
        name: repair_document(name, text, active) if text.strip() else text
        for name, text in documents.items()
    }


def _has_wording(repair: DocumentRepair | ToolTextRepair, locale: str) -> bool:
    if isinstance(repair, ToolTextRepair):
        return locale in repair.localized
    edits = [edit for own in repair.documents.values() for edit in own]
    return all(locale in edit.localized for edit in edits)


def _split_by_wording(repairs: list[Any], catalog: Catalog) -> tuple[list[Any], tuple[str, ...]]:
    """Return the repairs that speak the locale's language, and the ids of the others.

    Only repairs that are on without anybody asking may be left out: a locale that renders the
    source as it stands is no error, a setting that is ignored would be one; the applying functions
    report that.
    """
    missing = tuple(r.id for r in repairs if r.is_default and not _has_wording(r, catalog.locale))
    if missing:
        logger.info(f"{catalog.name} has no wording for the repairs {', '.join(missing)}")
    return [repair for repair in repairs if repair.id not in missing], missing


def repair_catalog(catalog: Catalog, english: Mapping[str, str], tools: Tools) -> Catalog:
    """Return a locale's catalog with the active repairs of documents and tool texts.

    Args:
        catalog: the overlay as it is written.
        english: the installed English documents by name, which the repairs have to fit too.
        tools: the installed English tools by (requestor, name).

    Raises:
        RepairError: for each repair that does not fit the English or the localized text.
    """
    repair_english_documents(english, catalog.domain)
    documents, _ = _split_by_wording(_active_documents(catalog.domain), catalog)
    texts, _ = _split_by_wording(_active_tool_texts(catalog.domain), catalog)
    _check_english_tools(texts, tools)
    if not documents and not texts:
        return catalog
    repaired = {
        name: repair_localized_document(name, text, documents, catalog.locale)
        for name, text in catalog.documents.items()
    }
    new = repaired_tool_texts(texts, catalog.locale)
    agent = {k: _retold(t, "assistant", k, new) for k, t in catalog.tools.agent.items()}
    user = {k: _retold(t, "user", k, new) for k, t in catalog.tools.user.items()}
    return replace(
        catalog,
        documents=MappingProxyType(repaired),
        tools=catalog.tools.model_copy(update={"agent": agent, "user": user}),
        repairs=tuple(repair.id for repair in (*documents, *texts)),
    )


def _retold(
    text: ToolText, requestor: str, tool: str, new: Mapping[tuple[str, str, str], str]
) -> ToolText:
    own = {
        path: said for (side, name, path), said in new.items() if (side, name) == (requestor, tool)
    }
    return repair_tool_text(text, own) if own else text


def _english_descriptions(tools: Tools) -> dict[tuple[str, str, str], str]:
    return {
        (requestor, name, path): text
        for (requestor, name), tool in tools.items()
        for path, text in read_descriptions(
            _description(tool), tool.params.model_json_schema()
        ).items()
    }


def _description(tool: Any) -> str:
    return f"{tool.short_desc}\n\n{tool.long_desc}" if tool.long_desc else str(tool.short_desc)


def _check_english_tools(repairs: list[ToolTextRepair], tools: Tools) -> None:
    if not repairs:
        return
    problems = check_tool_texts(repairs, _english_descriptions(tools))
    if problems:
        raise RepairError("Repairs of tool texts do not fit the installed tau2.", problems)


def repair_english_tools(tools: Tools, english: Catalog) -> dict[tuple[str, str], ToldTool]:
    """Return a text for each English tool that the active repairs describe anew, and no other.

    Args:
        tools: the installed English tools by (requestor, name).
        english: the control arm's catalog of the domain.

    Raises:
        RepairError: for each repair that does not fit the installed description.
    """
    active = _active_tool_texts(english.domain)
    _check_english_tools(active, tools)
    new = repaired_tool_texts(active, None)
    told = {}
    for requestor, name in dict.fromkeys((side, tool) for side, tool, _ in new):
        if (requestor, name) in tools:
            text = _english_text(tools[requestor, name])
            told[requestor, name] = ToldTool(_retold(text, requestor, name, new), english)
    return told


def _english_text(tool: Any) -> ToolText:
    schema = tool.params.model_json_schema()
    source = (fingerprint_docstring(tool.__doc__ or ""),)
    parameters = _parameters(read_descriptions("", schema))
    return ToolText(source=source, description=_description(tool), parameters=parameters)


def _parameters(descriptions: Mapping[str, str]) -> dict[str, Parameter]:
    """Return one parameter per described path; only the repaired ones are given a description."""
    tree: dict[str, Any] = {}
    for path in filter(None, descriptions):
        level = tree
        for step in path.split("."):
            level = level.setdefault(step, {})
    return {name: _parameter(children) for name, children in tree.items()}


def _parameter(children: dict[str, Any]) -> Parameter:
    items = children.pop("items", None)
    own = {name: _parameter(child) for name, child in children.items()}
    return Parameter(
        kind="free_text", parameters=own, items=None if items is None else _parameter(items)
    )
