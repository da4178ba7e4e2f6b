"""One text of the installed tau2: where its rendering lives, what it says, what is around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jtau_plugin.checks import model as kinds
from jtau_plugin.overlays.fingerprint import fingerprint_text
from jtau_plugin.overlays.yamlfile import Key

POLICY, TOOL, PARAMETER = kinds.POLICY, kinds.TOOL, kinds.PARAMETER
MESSAGE, FRAGMENT, LIBRARY = kinds.MESSAGE, kinds.FRAGMENT, kinds.LIBRARY
PROMPT, LABEL, TASK, VALUE = kinds.PROMPT, kinds.LABEL, kinds.TASK, kinds.VALUE
#: A sentence with placeholders, a value that a model may have to write, a name, an approved term.
TEMPLATE, LITERAL, NAME, TERM = "template", "literal", "name", "term"

#: What each kind is, for people.
KINDS: Mapping[str, str] = {
    POLICY: "section of a document that the agent follows",
    TOOL: "what a tool does or returns",
    PARAMETER: "what a parameter is",
    LITERAL: "value that a model reads and may write as an argument",
    VALUE: "value that a model reads in results",
    MESSAGE: "sentence that a tool returns or raises",
    TEMPLATE: "sentence that a tool returns or raises, with placeholders",
    FRAGMENT: "piece from which a tool assembles its result",
    LIBRARY: "sentence of the interpreter or of a library",
    TASK: "text of a task",
    PROMPT: "instruction to a model",
    LABEL: "short label",
    NAME: "name or place, as it may be written in the locale",
    TERM: "term of the termbase",
}
#: Settled before any prose, in this order.
LITERALS = (LITERAL, VALUE, TERM, NAME)
#: Kinds that the checks of an overlay know under another name.
CHECKED_AS: Mapping[str, str] = {TEMPLATE: MESSAGE, LITERAL: VALUE}

#: What ``--component`` chooses, with the file in which it is written.
COMPONENTS: Mapping[str, str] = {
    "values": "values.yaml",
    "terms": "termbase.tsv",
    "names": "names.yaml",
    "prompts": "prompts.yaml",
    "policy": "the documents",
    "tools": "tools.yaml",
    "messages": "messages.yaml",
    "tasks": "tasks.yaml",
}


@dataclass(frozen=True)
class SourceSegment:
    """A text of the installed tau2.

    Attributes:
        address: where its rendering lives, ``retail/tools.yaml#agent.calculate.description``.
        kind: one of ``KINDS``.
        english: the text, with ``{name}`` for each placeholder.
        component: one of ``COMPONENTS``.
        file: the overlay's file, below the locale's folder.
        key: the entry in that file to which it belongs; what it holds depends on the component.
        sources: fingerprints that the overlay's file holds of what this text is a part of.
        container: the address of what those fingerprints cover; empty when it is this text alone.
        scope: texts of one scope differ when their sources do.
        table: the table of values that a parameter takes, or that a value stands in.
        optional: the text exists on some supported layouts only.
        context: what a translator needs to know about its place.
    """

    address: str
    kind: str
    english: str
    component: str
    file: str
    key: Key
    sources: tuple[str, ...] = ()
    container: str = ""
    scope: str = ""
    table: str = ""
    optional: bool = False
    context: Mapping[str, object] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the English."""
        return fingerprint_text(self.english)

    @property
    def domain(self) -> str:
        """tau2's name of the domain; empty for what all domains share."""
        return self.file.rpartition("/")[0]

    @property
    def checked_as(self) -> str:
        """The kind under which the checks of an overlay know it."""
        return CHECKED_AS.get(self.kind, self.kind)


def short(fingerprint: str) -> str:
    """Return the part of a fingerprint that stands in addresses."""
    return fingerprint[:12]


def join_address(file: str, *key: str | int) -> str:
    """Return the address of an entry of a file."""
    return f"{file}#{'.'.join(map(str, key))}" if key else file
