"""What the checks work on and what they find: plain values, no file and no tau2 behind them."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from jtau_plugin.models.checks import CheckWords, Term


class Severity(enum.Enum):
    """How bad a finding is; only errors fail."""

    ERROR = "error"
    WARNING = "warning"


ERROR, WARNING = Severity.ERROR, Severity.WARNING

POLICY, DOCUMENT = "policy", "document"
TOOL, PARAMETER, MESSAGE, FRAGMENT, LIBRARY = "tool", "parameter", "message", "fragment", "library"
PROMPT, LABEL, TASK, VALUE, SPEECH = "prompt", "label", "task", "value", "speech"
#: Kinds whose lines correspond one to one where there are as many of them.
BY_LINE = frozenset({POLICY, TOOL, TASK, PROMPT})
#: What a model reads as running text.
PROSE = frozenset({POLICY, TOOL, PARAMETER, MESSAGE, FRAGMENT, LIBRARY, PROMPT, TASK, SPEECH})
#: Everything that is shown, single words included; not what is only accepted.
SHOWN = PROSE | {LABEL, VALUE}
#: Prose whose English is known.
TRANSLATED = frozenset({POLICY, TOOL, PARAMETER, MESSAGE, FRAGMENT, PROMPT, TASK})


@dataclass(frozen=True)
class Segment:
    """One localized text beside the English that it renders.

    Attributes:
        address: where it lives, ``retail/tools.yaml#agent.calculate.description``.
        kind: ``policy``, ``tool``, ``task`` …
        source: the installed English; empty where there is none. For what the embedded model says
            in a task, everything that the task says.
        target: the localized text.
        file: the overlay's file.
        line: its line there.
        scope: texts of one scope must differ when their sources do; empty when they need not.
        table: the table of values that a parameter takes.
        key: where it stands in its file, if that is YAML.
    """

    address: str
    kind: str
    source: str
    target: str
    file: str
    line: int
    scope: str = ""
    table: str = ""
    key: tuple[str | int, ...] = ()

    def pairs(self) -> Sequence[Segment]:
        """Return the segment line by line where both sides have the same lines, else whole."""
        return self._pairs

    @cached_property
    def _pairs(self) -> Sequence[Segment]:
        # Every check asks for them.
        if self.kind not in BY_LINE:
            return (self,)
        source, target = self.source.split("\n"), self.target.split("\n")
        if len(source) != len(target):
            return (self,)
        lines = list(zip(source, target, strict=True))
        has_same_gaps = all(bool(one.strip()) == bool(other.strip()) for one, other in lines)
        if self.kind != POLICY and not has_same_gaps:
            return (self,)
        # The lines of a text in a YAML file begin below its key.
        first = self.line + bool(self.key) if len(source) > 1 else self.line
        return [
            replace(self, source=english, target=text, line=first + offset)
            for offset, (english, text) in enumerate(lines)
            if english.strip() or text.strip()
        ]


@dataclass(frozen=True)
class Fault:
    """What a check has to say about a segment.

    Attributes:
        message: what is wrong, with what was found and what was expected.
        hint: the next step; may be empty.
    """

    message: str
    hint: str = ""


@dataclass(frozen=True)
class Finding:
    """A fault at its place.

    Attributes:
        check: name of the check.
        severity: whether it fails.
        segment: the text, narrowed to the line where that is known.
        message: what is wrong.
        hint: the next step; may be empty.
    """

    check: str
    severity: Severity
    segment: Segment
    message: str
    hint: str = ""

    @property
    def where(self) -> str:
        """``file:line`` of the text."""
        return f"{self.segment.file}:{self.segment.line}"


@dataclass(frozen=True)
class Choices:
    """A table of values: what is shown for each, and what else is accepted.

    Attributes:
        display: canonical value to the form that is shown.
        forms: every accepted form to its canonical value.
    """

    display: Mapping[str, str]
    forms: Mapping[str, str]

    @property
    def aliases(self) -> Iterator[tuple[str, str]]:
        """Each form that is accepted and never shown, with its canonical value."""
        for form, canonical in self.forms.items():
            if form not in (canonical, self.display.get(canonical)):
                yield form, canonical


@dataclass(frozen=True, eq=False)
class Context:
    """What the checks know about the overlay that a segment belongs to.

    Attributes:
        locale: ``ja``.
        domain: ``retail``.
        words: the locale's words.
        terms: the termbase's rows for this domain.
        tables: the tables of values.
        told: names of the tables that written arguments are looked up in.
        names: names of tools, parameters and fields, which stay as they are.
        persons: names of persons, which stay in Latin letters.
        places: names of cities, states and countries, which may.
    """

    locale: str
    domain: str
    words: CheckWords = field(default_factory=CheckWords)
    terms: tuple[Term, ...] = ()
    tables: Mapping[str, Choices] = field(default_factory=dict)
    told: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    persons: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()

    @cached_property
    def displays(self) -> frozenset[str]:
        """Every form that some table shows."""
        return frozenset(form for t in self.tables.values() for form in t.display.values())

    @cached_property
    def canonical_values(self) -> frozenset[str]:
        """Every canonical value of some table."""
        return frozenset(value for table in self.tables.values() for value in table.display)


OfSegment = Callable[[Segment, Context], Iterable[Fault]]
OfAll = Callable[[Sequence[Segment], Context], Iterable["tuple[Segment, Fault]"]]


@dataclass(frozen=True)
class Check:
    """One rule.

    Attributes:
        name: ``placeholders``.
        title: what holds when it passes, one sentence.
        severity: how bad it is when it fails.
        kinds: the kinds of segments that it looks at.
        of_segment: looks at a single segment (or line).
        of_all: looks at all segments of an overlay together.
        is_whole: a document's section is looked at as a whole, not line by line.
    """

    name: str
    title: str
    severity: Severity
    kinds: frozenset[str]
    of_segment: OfSegment | None = None
    of_all: OfAll | None = None
    is_whole: bool = False

    def run(self, segments: Sequence[Segment], context: Context) -> Iterator[Finding]:
        """Yield the findings among the segments of one overlay."""
        mine = [segment for segment in segments if segment.kind in self.kinds]
        if self.of_all is not None:
            for segment, fault in self.of_all(mine, context):
                yield self._finding(segment, fault)
        if self.of_segment is not None:
            for whole in mine:
                for segment in (whole,) if self.is_whole else whole.pairs():
                    for fault in self.of_segment(segment, context):
                        yield self._finding(segment, fault)

    def _finding(self, segment: Segment, fault: Fault) -> Finding:
        return Finding(self.name, self.severity, segment, fault.message, fault.hint)


def _title(function: Callable[..., object]) -> str:
    return (function.__doc__ or "").strip().partition("\n")[0]


def _name(function: Callable[..., object]) -> str:
    return function.__name__.removeprefix("check_").replace("_", "-")


def of_segment(
    severity: Severity, kinds: Iterable[str] = PROSE, *, is_whole: bool = False
) -> Callable[[OfSegment], Check]:
    """Make a check of a function that looks at a single segment; its docstring is the title."""

    def make(function: OfSegment) -> Check:
        return Check(
            name=_name(function),
            title=_title(function),
            severity=severity,
            kinds=frozenset(kinds),
            of_segment=function,
            is_whole=is_whole,
        )

    return make


def of_all(severity: Severity, kinds: Iterable[str] = PROSE) -> Callable[[OfAll], Check]:
    """Make a check of a function that compares segments; its docstring is the title."""

    def make(function: OfAll) -> Check:
        return Check(
            name=_name(function),
            title=_title(function),
            severity=severity,
            kinds=frozenset(kinds),
            of_all=function,
        )

    return make
