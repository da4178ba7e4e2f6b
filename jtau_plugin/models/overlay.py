"""The overlay's files: what each may hold.

Shapes only. Whether a table is one-to-one or a source is stale is decided by ``overlays``.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, RootModel, field_validator

from jtau_plugin.models.base import Fingerprint, FrozenModel, Text

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

    source: tuple[Fingerprint, ...]
    text: Text
    optional: bool = False

    @field_validator("source", mode="before")
    @classmethod
    def _one_or_many(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value


class Value(FrozenModel):
    """The form in which a canonical value is shown, and further forms accepted as input."""

    display: Text
    accept: tuple[Text, ...] = ()


class DictField(FrozenModel):
    """A field that holds a mapping: tables for its keys and for its values.

    ``values`` may hold ``{key}``, which stands for the canonical key.
    """

    keys: str | None = None
    values: str | None = None


class ResultSpec(FrozenModel):
    """What a tool's plain string result is: data as it stands, JSON text, or a value of a table."""

    data: bool = False
    json_: DictField | None = Field(default=None, alias="json")
    text: str | None = None


class ValuesFile(FrozenModel):
    """``values.yaml``: one-to-one tables, and where they apply on the way out."""

    tables: dict[str, dict[str, Value]]
    fields: dict[str, str | DictField] = {}
    results: dict[str, ResultSpec] = {}


class Parameter(FrozenModel):
    """One parameter of a tool: its kind decides how an argument is canonicalized.

    ``source`` is given where the description comes from a data model and not from the docstring.
    """

    kind: Kind
    source: tuple[Fingerprint, ...] = ()
    description: Text | None = None
    table: str | None = None
    units: tuple[Text, ...] = ()
    parameters: dict[str, Parameter] = {}
    items: Parameter | None = None


class ToolText(FrozenModel):
    """The localized text of one tool."""

    source: tuple[Fingerprint, ...]
    description: Text
    returns: Text | None = None
    parameters: dict[str, Parameter] = {}
    optional: bool = False

    @field_validator("source", mode="before")
    @classmethod
    def _one_or_many(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value


class ToolsFile(FrozenModel):
    """``tools.yaml``: the tools of the agent and of the user."""

    agent: dict[str, ToolText]
    user: dict[str, ToolText] = {}


class Message(FrozenModel):
    """A sentence that a tool can return or raise.

    Attributes:
        source: fingerprint of the English template.
        at: functions in which it stands, for the reader.
        text: the localized template with the same placeholders.
        values: table by placeholder, for values that are shown localized.
    """

    source: Fingerprint
    at: tuple[str, ...]
    text: Text
    values: dict[str, str] = {}
    optional: bool = False


class PythonMessage(FrozenModel):
    """A sentence that the interpreter or a library makes, matched by a regular expression."""

    pattern: Text
    text: Text


class MessagesFile(FrozenModel):
    """``messages.yaml``."""

    messages: tuple[Message, ...] = ()
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
    """``tasks.yaml``: texts by task id and JSON pointer."""

    domain_label: Text
    tasks: dict[str, TaskTexts]


class LocaleFile(FrozenModel):
    """``locale.yaml``: who the locale is and how far it has been reviewed."""

    locale: Text
    name: Text
    language: Text
    register_: Text = Field(alias="register")
    version: Text
    changelog: dict[str, Text]
    review: Text


class PromptsFile(FrozenModel):
    """``prompts.yaml``: what tau2 itself says to the models, by name."""

    prompts: dict[str, Rendering]
    scenario_labels: dict[str, Text]


class Document(FrozenModel):
    """A whole localized document and the English it renders."""

    file: Text
    source: tuple[Fingerprint, ...]

    @field_validator("source", mode="before")
    @classmethod
    def _one_or_many(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value


class Artefact(FrozenModel):
    """How one file of an overlay came to be and who has read it."""

    translated: Text
    date: Text
    second_reading: Text
    differences_mended: int | None = None
    mechanical_checks: Text
    human_review: Text


class ManifestFile(FrozenModel):
    """``manifest.yaml``: provenance of a domain's overlay.

    Attributes:
        base_domain: tau2's name of the domain that is localized.
        title: the domain's name in this locale.
        documents: whole documents by role (``policy`` is required).
        sources: fingerprints of the English source files by layout, for the record.
        artefacts: provenance by file name.
    """

    base_domain: Text
    title: Text
    documents: dict[str, Document]
    sources: dict[str, dict[str, Fingerprint]]
    artefacts: dict[str, Artefact]
