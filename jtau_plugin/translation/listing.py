"""The segments of the installed tau2 as plain data, for people and other programs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from jtau_plugin import resources
from jtau_plugin.compat import layout
from jtau_plugin.domains import is_variant
from jtau_plugin.errors import LayoutError, Problem
from jtau_plugin.translation.english import read_english
from jtau_plugin.translation.extraction.domain import UPSTREAM, extract_domain
from jtau_plugin.translation.extraction.segment import SourceSegment
from jtau_plugin.translation.extraction.structure import Structure, find_structure
from jtau_plugin.translation.masking import MaskRules, mask


def base_domains() -> list[str]:
    """Return tau2's domains, without variants of another one and without ours."""
    names = [n for n in layout.registry().get_domains() if n in _own_domains()]
    return [n for n in names if not any(n != other and is_variant(n, other) for other in names)]


def _own_domains() -> set[str]:
    from jtau_plugin.domains import localized_domains  # noqa: PLC0415  (registering imports tau2)

    return set(layout.registry().get_domains()) - set(localized_domains())


def known_domains() -> list[str]:
    """Return the domains of which some overlay knows the facts, in the order of their names."""
    installed = base_domains()
    known = {d for _, folder in resources.iter_locales() for d in resources.iter_domains(folder)}
    return sorted(known & set(installed)) or installed


def require_domains(names: Sequence[str]) -> list[str]:
    """Return the domains that were asked for, all known ones when none was.

    Raises:
        LayoutError: for a name that is no domain of the installed tau2.
    """
    layout.require_tau2()
    installed = base_domains()
    unknown = [name for name in names if name not in installed]
    if unknown:
        what = f"no such domain; the installed tau2 has {', '.join(installed)}"
        raise LayoutError("A domain is not installed.", [Problem(n, what) for n in unknown])
    return list(dict.fromkeys(names)) or known_domains()


def neutral_rules(structure: Structure) -> MaskRules:
    """Return the rules of masking without a locale: choices stand for themselves."""
    values = {value for values in structure.tables.values() for value in values}
    persons = {n for role in ("given", "family") for n in structure.names.get(role, ())}
    return MaskRules(choices={value: value for value in values}, persons=frozenset(persons))


def as_data(segment: SourceSegment, rules: MaskRules) -> dict[str, object]:
    """Return a segment as plain data."""
    masked = mask(segment.english, segment.kind, rules)
    return {
        "address": segment.address,
        "domain": segment.domain,
        "component": segment.component,
        "kind": segment.kind,
        "english": segment.english,
        "fingerprint": segment.fingerprint,
        "sources": list(segment.sources),
        "optional": segment.optional,
        "table": segment.table,
        "masked": [{"text": m.text, "kind": m.kind} for m in masked.masks],
        "context": dict(segment.context),
    }


def list_segments(
    domains: Sequence[str], problems: list[Problem], components: Collection[str] = UPSTREAM
) -> Iterator[dict[str, object]]:
    """Yield every segment of some domains once, what they share first met.

    Args:
        domains: tau2's names.
        problems: takes repairs of tasks that do not fit what is installed.
        components: which of the components.
    """
    seen = set()
    for domain in domains:
        structure = find_structure(domain)
        rules = neutral_rules(structure)
        for segment in extract_domain(read_english(domain), structure, components, problems):
            if segment.address not in seen:
                seen.add(segment.address)
                yield as_data(segment, rules)
