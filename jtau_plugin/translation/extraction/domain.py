"""Every segment of a domain, in the order of the components."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from jtau_plugin.errors import LayoutError, Problem
from jtau_plugin.translation.english import English
from jtau_plugin.translation.extraction.documents import extract_documents
from jtau_plugin.translation.extraction.messages import extract_library, extract_messages
from jtau_plugin.translation.extraction.names import extract_names, extract_terms
from jtau_plugin.translation.extraction.prompts import extract_prompts
from jtau_plugin.translation.extraction.segment import COMPONENTS, SourceSegment
from jtau_plugin.translation.extraction.structure import Structure
from jtau_plugin.translation.extraction.tasks import extract_tasks
from jtau_plugin.translation.extraction.tools import extract_tools
from jtau_plugin.translation.extraction.values import extract_values

#: What tau2 itself says; names and terms are the overlay's own.
UPSTREAM = tuple(name for name in COMPONENTS if name not in ("names", "terms"))


def _component(
    name: str, english: English, structure: Structure, problems: list[Problem]
) -> Iterator[SourceSegment]:
    if name == "values":
        yield from extract_values(english, structure)
    elif name == "terms":
        yield from extract_terms(structure)
    elif name == "names":
        yield from extract_names(structure)
    elif name == "prompts":
        yield from extract_prompts()
    elif name == "policy":
        yield from extract_documents(english, structure)
    elif name == "tools":
        yield from extract_tools(english, structure)
    elif name == "messages":
        yield from extract_messages(english, structure)
        yield from extract_library(structure)
    else:
        yield from extract_tasks(english, structure, problems)


def extract_domain(
    english: English,
    structure: Structure,
    components: Collection[str] = UPSTREAM,
    problems: list[Problem] | None = None,
) -> list[SourceSegment]:
    """Return the segments of a domain, what all domains share included.

    Args:
        english: the installed domain.
        structure: facts about it.
        components: which of ``COMPONENTS``.
        problems: takes repairs of tasks that do not fit what is installed.

    Raises:
        LayoutError: if two segments have one address: the installed tau2 says something in a way
            that addresses cannot tell apart.
    """
    found: list[SourceSegment] = []
    notes: list[Problem] = [] if problems is None else problems
    for name in COMPONENTS:
        if name in components:
            found += _component(name, english, structure, notes)
    seen: dict[str, SourceSegment] = {}
    for segment in found:
        other = seen.setdefault(segment.address, segment)
        if other is not segment and other.english != segment.english:
            problem = Problem(segment.address, "two segments have this address")
            raise LayoutError("The texts of the installed tau2 cannot be told apart.", [problem])
    return list(seen.values())
