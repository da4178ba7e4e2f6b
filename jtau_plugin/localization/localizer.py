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
from jtau_plugin.localization.toolkit import ToolTexts
from jtau_plugin.localization.values import Miss as MissReporter
from jtau_plugin.localization.values import ValueShower
from jtau_plugin.models.overlay import ToolText
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
        tool_texts: what is said of the tools, by (requestor, tool); the catalog's texts when left
            out. A tool without a text keeps tau2's own.
    """

    def __init__(
        self,
        catalog: Catalog,
        templates: list[SourceTemplate],
        schemas: Schemas,
        tool_texts: Mapping[tuple[str, str], ToolText] | None = None,
    ) -> None:
        self.catalog = catalog
        if tool_texts is None:
            tool_texts = {key: text for key in schemas if (text := catalog.tool(key[1], key[0]))}
        self.tool_texts = {side: ToolTexts() for side in ("assistant", "user")}
        for (side, name), text in tool_texts.items():
            self.tool_texts[side][name] = text
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
        self._compiler = ArgumentCompiler(get_rules(catalog.locale), catalog.tables, catalog.names)
        self._nodes: dict[tuple[str, str], Node | None] = {}
        self._lock = threading.Lock()

    def __deepcopy__(self, _: object) -> DomainLocalizer:
        """Return the same localizer: copies of an environment share it."""
        return self

    @property
    def is_strict(self) -> bool:
        """Whether ``JTAU_STRICT_ARGS=1`` switches canonicalization off."""
        return is_strict()

    def _node(self, requestor: str, tool: str) -> Node | None:
        key = (requestor, tool)
        if key not in self._nodes:
            text = self.catalog.tool(tool, requestor)
            schema = self._schemas.get(key)
            node = None
            if text is not None and schema is not None:
                node = self._compiler.compile(text, schema)
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
