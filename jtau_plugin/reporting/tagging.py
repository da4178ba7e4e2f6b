"""Gives error tags to the simulations of a results file: by rules first, then by the judge.

Reads plain data and returns plain data; the file itself is never touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from jtau_plugin.reporting.measures import Measurer, setting_of, tasks_of
from jtau_plugin.reporting.reading import as_list, as_mappings
from jtau_plugin.reporting.tags import Vocabulary, load_vocabulary
from jtau_plugin.reporting.tags_judge import Judged
from jtau_plugin.reporting.tags_rules import Case, Finding, RuleTagger, read_case
from jtau_plugin.scoring.causes import Outcome

#: Version of the data: raised when a key is renamed, removed or given another meaning.
SCHEMA = 1


@dataclass(frozen=True)
class Tagged:
    """A simulation and its tags.

    Attributes:
        case: the simulation, its task and its measures.
        findings: its tags.
        judged: what the judge said; ``None`` if it was not asked.
    """

    case: Case
    findings: tuple[Finding, ...]
    judged: Judged | None = None

    def is_explained(self, vocabulary: Vocabulary) -> bool:
        """Tell whether some tag says why the conversation was lost."""
        return any(vocabulary.tags[one.tag].when == "failed" for one in self.findings)


def tag_by_rules(raw: Mapping[str, Any]) -> list[Tagged]:
    """Return the simulations of a results file with the tags that rules give, in its order.

    Args:
        raw: the file as plain data.

    Raises:
        OverlayError: if the overlay or the rules of a language cannot be used.
    """
    measurer = Measurer(setting_of(raw))
    tagger = RuleTagger(measurer)
    tasks = tasks_of(raw)
    tagged = []
    for simulation in as_mappings(raw.get("simulations")):
        case = read_case(simulation, tasks.get(str(simulation.get("task_id"))), measurer)
        tagged.append(Tagged(case, tuple(tagger.tag(case))))
    return tagged


def find_unexplained(tagged: Iterable[Tagged], vocabulary: Vocabulary) -> list[int]:
    """Return the numbers of the lost conversations that no tag explains."""
    return [
        number
        for number, one in enumerate(tagged)
        if one.case.outcome is Outcome.FAILED
        and one.case.conversation is not None
        and not one.is_explained(vocabulary)
    ]


def add_judged(tagged: list[Tagged], number: int, judge: Callable[[Case], Judged]) -> Judged:
    """Put the judge's tags beside those of the rules, in place, and return what it said."""
    one = tagged[number]
    judged = judge(one.case)
    tagged[number] = Tagged(one.case, (*one.findings, *judged.findings), judged)
    return judged


def count_tags(tagged: Iterable[Tagged]) -> Counter[str]:
    """Return in how many simulations each tag was given."""
    return Counter(tag for one in tagged for tag in {finding.tag for finding in one.findings})


def as_data(tagged: Iterable[Tagged], vocabulary: Vocabulary | None = None) -> dict[str, Any]:
    """Return tagged simulations as plain data."""
    words = vocabulary or load_vocabulary()
    found = list(tagged)
    return {
        "schema": SCHEMA,
        "vocabulary": {"version": words.version, "fingerprint": words.fingerprint},
        "simulations": [_simulation_data(one, words) for one in found],
        "counts": dict(count_tags(found).most_common()),
    }


def _simulation_data(one: Tagged, vocabulary: Vocabulary) -> dict[str, Any]:
    measures = one.case.measures
    data: dict[str, Any] = {
        "task_id": measures.task_id,
        "trial": measures.trial,
        "simulation_id": measures.simulation_id,
        "outcome": one.case.outcome.value,
        "tags": [
            {"side": vocabulary.side(finding.tag), **asdict(finding)} for finding in one.findings
        ],
        "explained": one.is_explained(vocabulary) if one.case.outcome is Outcome.FAILED else None,
    }
    if one.judged is not None:
        data["judge"] = {
            "error": one.judged.error,
            "unknown": [{"written": w, "hint": hint} for w, hint in one.judged.unknown],
            "cost": one.judged.cost,
        }
    return data


@dataclass(frozen=True)
class TagProblem:
    """A tag in a file of tags that the vocabulary does not have as it is written.

    Attributes:
        where: its place in the file.
        written: as it stands there.
        tag: what it is, for another spelling of a tag; ``None`` for no tag at all.
        hint: what it may have been meant to be.
    """

    where: str
    written: str
    tag: str | None
    hint: str


def normalise_tags(
    data: Mapping[str, Any], vocabulary: Vocabulary
) -> tuple[dict[str, Any], list[TagProblem]]:
    """Return a file of tags with every tag spelled as the vocabulary does, and what was not.

    What is no tag, nor another spelling of one, stays as it is.

    Args:
        data: what ``as_data`` made and somebody may have edited.
        vocabulary: the tags.
    """
    problems: list[TagProblem] = []
    simulations = []
    for number, simulation in enumerate(as_mappings(data.get("simulations"))):
        tags = []
        for position, entry in enumerate(as_list(simulation.get("tags"))):
            given = entry if isinstance(entry, Mapping) else {"tag": entry}
            written = str(given.get("tag"))
            found = vocabulary.normalise(written)
            if found.tag != written:
                where = f"simulations[{number}].tags[{position}]"
                problems.append(TagProblem(where, written, found.tag, found.hint))
            tags.append({**given, "tag": found.tag or written})
        simulations.append({**simulation, "tags": tags})
    return {**data, "simulations": simulations}, problems
