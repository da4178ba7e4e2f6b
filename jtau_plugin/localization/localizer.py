"""One domain's localizer: the compiled overlay joined with the installed tools.

Made once per process and domain, read-only afterwards, shared by all environments and threads.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from jtau_plugin.compat.sources import SourceTemplate
from jtau_plugin.localization.arguments import ArgumentCompiler, Change, Node, is_strict
from jtau_plugin.localization.messages import MessageBook
from jtau_plugin.localization.records import Miss, Records
from jtau_plugin.localization.results import ResultLocalizer
from jtau_plugin.localization.toolkit import ToldTool, ToolTexts
from jtau_plugin.localization.values import Miss as MissReporter
from jtau_plugin.localization.values import ValueShower
from jtau_plugin.normalization import get_rules
from jtau_plugin.overlays.catalog import Catalog

ERROR_PREFIX = "Error: "

Schemas = Mapping[tuple[str, str], Mapping[str, Any]]


class DomainLocalizer:
    """Localizes schemas, arguments, results and errors of one domain.

    Args:
        catalog: the compiled overlay.
        templates: the sentences that the installed tools can return or raise.
        schemas: the installed tools' parameter schemas by (requestor, tool).
        told: what is said of the tools, by (requestor, tool); the catalog's texts when left out.
            A tool without a text keeps tau2's own.
        readers: the catalogs whose kinds, tables and rules read the arguments of a tool, by
            (requestor, tool); ``catalog`` for tools that are left out.
    """

    def __init__(
        self,
        catalog: Catalog,
        templates: list[SourceTemplate],
        schemas: Schemas,
        told: Mapping[tuple[str, str], ToldTool] | None = None,
        readers: Mapping[tuple[str, str], Catalog] | None = None,
    ) -> None:
        self.catalog = catalog
        self._readers = dict(readers or {})
        if told is None:
            texts = {key: catalog.tool(key[1], key[0]) for key in schemas}
            told = {key: ToldTool(text, catalog) for key, text in texts.items() if text}
        self.tool_texts = {side: ToolTexts() for side in ("assistant", "user")}
        for (side, name), tool in told.items():
            self.tool_texts[side][name] = tool
        self.book = MessageBook(
            templates,
            catalog.messages + catalog.fragments,
            catalog.python_messages,
            catalog.tables,
            catalog.fields,
        )
        shower = ValueShower(catalog.tables, catalog.fields, self.book.localize)
        self.results = ResultLocalizer(shower, catalog.fields, catalog.results)
        self._schemas = schemas
        self._compilers: dict[int, ArgumentCompiler] = {}
        self._nodes: dict[tuple[str, str], Node | None] = {}
        self._lock = threading.Lock()

    def __deepcopy__(self, _: object) -> DomainLocalizer:
        """Return the same localizer: copies of an environment share it."""
        return self

    @property
    def is_strict(self) -> bool:
        """Whether ``JTAU_STRICT_ARGS=1`` switches canonicalization off."""
        return is_strict()

    def reader_of(self, tool: str, requestor: str) -> Catalog:
        """Return the catalog by which the arguments of a tool are read."""
        return self._readers.get((requestor, tool), self.catalog)

    def _compiler(self, reader: Catalog) -> ArgumentCompiler:
        # Kept by identity: the catalogs live as long as this localizer.
        if id(reader) not in self._compilers:
            self._compilers[id(reader)] = ArgumentCompiler(
                get_rules(reader.locale), reader.tables, reader.names
            )
        return self._compilers[id(reader)]

    def _node(self, requestor: str, tool: str) -> Node | None:
        key = (requestor, tool)
        if key not in self._nodes:
            reader = self.reader_of(tool, requestor)
            text = reader.tool(tool, requestor)
            schema = self._schemas.get(key)
            node = None
            if text is not None and schema is not None:
                node = self._compiler(reader).compile(text, schema)
            with self._lock:
                self._nodes[key] = node
        return self._nodes[key]

    def canonicalize_arguments(
        self, tool: str, arguments: dict[str, Any], requestor: str = "assistant"
    ) -> tuple[dict[str, Any], list[Change]]:
        """Return canonical arguments and what was changed; the input is left as it is."""
        changes: list[Change] = []
        node = None if is_strict() else self._node(requestor, tool)
        if node is None:
            return arguments, changes
        canonical = node(arguments, "", changes)
        return (canonical if changes else arguments), changes

    def localize_response(self, tool: str, response: Any, records: Records) -> str:
        """Return what the model is shown for a tool's response or error sentence."""

        def miss(scope: str, text: str) -> None:
            records.misses.append(Miss(tool=tool, scope=scope, text=text))

        if not isinstance(response, str):
            return self.results.dump(tool, response, miss)
        if response.startswith(ERROR_PREFIX):
            return self._localize_error(response, miss)
        spec = self.results.spec(tool)
        if spec is None:
            return self.book.localize(response, miss)
        if spec.json_ is not None:
            return self.results.show_json(response, spec.json_, miss)
        if spec.text is not None:
            return self.results.show_text(response, spec.text, miss)
        return response

    def _localize_error(self, response: str, miss: MissReporter) -> str:
        def miss_error(_: str, text: str) -> None:
            miss("error", text)

        sentence = response.removeprefix(ERROR_PREFIX)
        return ERROR_PREFIX + self.book.localize(sentence, miss_error)
