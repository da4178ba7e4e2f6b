"""The overlay's files: what each may hold.

Shapes only. Whether a table is one-to-one or a source is stale is decided by ``overlays``.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, RootModel, model_validator

from jtau_plugin.models.base import Fingerprint, FrozenModel, Sources, Text

Kind = Literal[
    "id",
    "email",
    "phone",
    "name.given",
    "name.family",
    "name.full",
    "address.line",
    "address.city",
    "address.state",
    "address.country",
    "zip",
    "enum",
    "pseudo_enum",
    "date",
    "int",
    "float",
    "bool",
    "expression",
    "free_text",
    "object",
    "list",
]


class Rendering(FrozenModel):
    """A localized text and the English it renders.

    Attributes:
        source: fingerprints of every English wording that this text renders.
        text: the localized text.
        optional: the source exists on some supported layouts only.
    """

    source: Sources
    text: Text
    optional: bool = False


class Value(FrozenModel):
    """The form in which a canonical value is shown, and further forms accepted as input."""

    display: Text
    accept: tuple[Text, ...] = ()


class Shown(FrozenModel):
    """How a value is shown: through a table, else another way.

    Attributes:
        table: the table to look in first.
        else_: a further table, or ``@prose`` for a sentence, when the table lacks the value.
        open: a value that no table has is shown as it is and is no miss.
    """

    table: str | None = None
    else_: str | None = Field(default=None, alias="else")
    open: bool = False


class ValueSpec(Shown):
    """How a placeholder's value is shown.

    Attributes:
        split: the value is a list joined with this separator.
        join: the localized separator (``split`` when not given).
        repr: the value is the Python notation of a ``list``, or of the dump of the model named.
        keys: table for the keys of a dumped model.
        pair: how a key and a value of a dumped model are written, with ``{key}`` and ``{value}``.
    """

    split: str | None = None
    join: str | None = None
    repr: str | None = None
    keys: str | None = None
    pair: str | None = None


class DictField(FrozenModel):
    """A field that holds a mapping: tables for its keys and for its values.

    ``values`` may hold ``{key}``, which stands for the canonical key.
    """

    keys: str | None = None
    values: str | None = None


class ResultSpec(FrozenModel):
    """What a tool's result is, where its type does not say it.

    Attributes:
        data: a string that is data and stays as it is.
        json_: a string that holds a JSON object.
        text: a string that is one value of this table.
        fields: a mapping whose entries of these names are shown so.
    """

    data: bool = False
    json_: DictField | None = Field(default=None, alias="json")
    text: str | None = None
    fields: dict[str, str] = {}


class ValuesFile(FrozenModel):
    """``values.yaml``: one-to-one tables, and where they apply on the way out."""

    tables: dict[str, dict[str, Value]]
    fields: dict[str, str | DictField | Shown] = {}
    results: dict[str, ResultSpec] = {}


class Parameter(FrozenModel):
    """One parameter of a tool: its kind decides how an argument is canonicalized.

    ``source`` is given where the description comes from a data model and not from the docstring.
    """

    kind: Kind
    source: Sources = ()
    description: Text | None = None
    table: str | None = None
    units: tuple[Text, ...] = ()
    parameters: dict[str, Parameter] = {}
    items: Parameter | None = None


class ToolText(FrozenModel):
    """The localized text of one tool."""

    source: Sources
    description: Text
    returns: Text | None = None
    parameters: dict[str, Parameter] = {}
    optional: bool = False


class ToolsFile(FrozenModel):
    """``tools.yaml``: the tools of the agent and of the user."""

    agent: dict[str, ToolText]
    user: dict[str, ToolText] = {}


class Message(FrozenModel):
    """A sentence, or a piece of one, that a tool can return or raise.

    Attributes:
        source: fingerprint of the English template.
        at: functions in which it stands, for the reader.
        text: the localized template with the same placeholders.
        table: instead of ``text``: a word that is shown through the placeholder that holds it.
        values: how a placeholder's value is shown: a table, ``@prose``, or a specification.
        optional: the source exists on some supported layouts only.
        internal: the source is never shown to a model.
    """

    source: Fingerprint
    at: tuple[str, ...]
    text: Text | None = None
    table: str | tuple[str, ...] | None = None
    values: dict[str, str | ValueSpec] = {}
    optional: bool = False
    internal: bool = False

    @model_validator(mode="after")
    def _text_or_table(self) -> Message:
        if (self.text is None) == (self.table is None):
            raise ValueError("expected either text or table")
        return self


class PythonMessage(FrozenModel):
    """A sentence that the interpreter or a library makes, matched by a regular expression."""

    pattern: Text
    text: Text


class MessagesFile(FrozenModel):
    """``messages.yaml``.

    ``messages`` are raised or returned as they stand, ``fragments`` are what longer results are
    assembled from, ``python`` are sentences of the interpreter and of libraries.
    """

    messages: tuple[Message, ...] = ()
    fragments: tuple[Message, ...] = ()
    python: tuple[PythonMessage, ...] = ()


class NamesFile(FrozenModel):
    """``names.yaml``: accepted written forms by role, canonical name to forms."""

    given: dict[str, tuple[Text, ...]] = {}
    family: dict[str, tuple[Text, ...]] = {}
    city: dict[str, tuple[Text, ...]] = {}
    state: dict[str, tuple[Text, ...]] = {}
    country: dict[str, tuple[Text, ...]] = {}


class TaskTexts(RootModel[dict[str, "Rendering | tuple[Rendering, ...]"]]):
    """The texts of one task by JSON pointer."""

    model_config = {"frozen": True}


class TasksFile(FrozenModel):
    """``tasks.yaml``: texts by task id and JSON pointer.

    Attributes:
        domain_label: the domain's name as the user simulator reads it.
        tasks: texts of single tasks.
        shared: texts by JSON pointer that many tasks have in common, chosen by fingerprint.
    """

    domain_label: Text
    tasks: dict[str, TaskTexts] = {}
    shared: dict[str, tuple[Rendering, ...]] = {}


class PromptsFile(FrozenModel):
    """``prompts.yaml``: what tau2 itself says to the models, by name."""

    prompts: dict[str, Rendering]
    scenario_labels: dict[str, Text]


class Document(FrozenModel):
    """A whole localized document and the English it renders.

    Attributes:
        file: the localized document, in the domain's folder of the overlay.
        path: the English document, below ``tau2/`` in the installed data directory.
        source: fingerprints of every English wording that it renders.
    """

    file: Text
    path: Text
    source: Sources


class MachineWork(FrozenModel):
    """What a model has written in one file.

    Attributes:
        model: litellm's name of it.
        parameters: what it was given besides.
        prompt: version of the words in which it was asked.
        date: when it last wrote.
        segments: how many texts of the file are its own.
    """

    model: Text
    parameters: dict[str, Any] = {}
    prompt: Text
    date: Text
    segments: int


class Review(FrozenModel):
    """One round in which a person has read a file.

    Attributes:
        reviewer: who.
        round: which round.
        date: when it was taken in.
        segments: how many texts were read.
        corrections: how many of them were changed.
    """

    reviewer: Text
    round: Text
    date: Text
    segments: int
    corrections: int = 0


class Artefact(FrozenModel):
    """How one file of an overlay came to be and who has read it.

    Attributes:
        translated: how it was written.
        date: when.
        second_reading: how it was read a second time.
        differences_mended: how many differences that found.
        mechanical_checks: when the checks last passed.
        human_review: the person who has reviewed it whole, or how many of its texts were reviewed,
            by whom and when, or ``none``.
        machine: what a model has written in it.
        sources: SHA-256 of the English files that it renders, by path, as a model had them.
        counts: its texts, by how they stand.
        reviews: rounds of review.
    """

    translated: Text
    date: Text
    second_reading: Text
    differences_mended: int | None = None
    mechanical_checks: Text
    human_review: Text
    machine: MachineWork | None = None
    sources: dict[str, Fingerprint] = {}
    counts: dict[str, int] = {}
    reviews: tuple[Review, ...] = ()


class ManifestFile(FrozenModel):
    """``manifest.yaml``: provenance of a domain's overlay.

    Attributes:
        base_domain: tau2's name of the domain that is localized.
        title: the domain's name in this locale.
        documents: whole documents of which the policy is made, by name.
        sources: fingerprints of the English source files by layout, for the record.
        artefacts: provenance by file name.
    """

    base_domain: Text
    title: Text
    documents: dict[str, Document]
    sources: dict[str, dict[str, Fingerprint]]
    artefacts: dict[str, Artefact]


class LocaleFile(FrozenModel):
    """``locale.yaml``: who the locale is and how far it has been reviewed.

    Attributes:
        artefacts: provenance of the files that all its domains share, by file name.
    """

    locale: Text
    name: Text
    language: Text
    register_: Text = Field(alias="register")
    version: Text
    changelog: dict[str, Text]
    review: Text
    artefacts: dict[str, Artefact] = {}
