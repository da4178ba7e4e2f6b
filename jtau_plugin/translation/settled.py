"""The words of a locale that are settled at a moment of a run: the overlay's, and the run's own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from jtau_plugin.checks.model import Segment
from jtau_plugin.checks.terms import check_terms
from jtau_plugin.models.checks import CheckWords, Term, TermRules
from jtau_plugin.overlays.termbase import load_termbase
from jtau_plugin.translation.context import load_words
from jtau_plugin.translation.engine.limits import normal_form
from jtau_plugin.translation.extraction.names import TERMS
from jtau_plugin.translation.extraction.segment import LITERAL, NAME, TERM, VALUE
from jtau_plugin.translation.extraction.tools import iter_parameters, tool_key
from jtau_plugin.translation.extraction.values import choices_of, guess_table
from jtau_plugin.translation.glossary import Glossary
from jtau_plugin.translation.items import Item, State
from jtau_plugin.translation.overlay_texts import descend
from jtau_plugin.translation.planning import Plan
from jtau_plugin.translation.writing.locale import neutral_senses


def _words(plan: Plan) -> CheckWords:
    if (plan.folder / "checks.yaml").is_file():
        return load_words(plan.folder)
    rules = plan.structure.term_rules
    neutral = TermRules(
        keys=rules.keys,
        tables=rules.tables,
        everyday=rules.everyday,
        senses=neutral_senses(rules),
    )
    return CheckWords(terms=neutral)


def _tables(plan: Plan, new: Mapping[str, str]) -> dict[str, dict[str, str]]:
    data = descend(plan.texts.data(f"{plan.domain}/values.yaml"), ("tables",)) or {}
    tables: dict[str, dict[str, str]] = {}
    for name, table in data.items():
        for value, entry in (table or {}).items():
            if isinstance(entry, Mapping) and isinstance(entry.get("display"), str):
                tables.setdefault(name, {})[value] = entry["display"]
    for item in plan.items:
        if item.segment.kind in (LITERAL, VALUE) and item.address in new:
            _, table, value = map(str, item.segment.key)
            tables.setdefault(table, {})[value] = new[item.address]
    return tables


def _terms(plan: Plan, new: Mapping[str, str]) -> list[Term]:
    path = plan.folder / "termbase.tsv"
    rows = {(t.domain, t.key, t.english): t for t in load_termbase(path)} if path.is_file() else {}
    for address, local in new.items():
        file, _, rest = address.partition("#")
        if file == TERMS:
            domain, key, english = rest.split(".", 2)
            rows[domain, key, english] = Term(
                domain=domain, key=key, english=english, local=local.strip(), line=0
            )
    return list(rows.values())


def _told(plan: Plan) -> frozenset[str]:
    guessed = {
        guess_table(parameter)
        for (requestor, name), tool in plan.english.tools.items()
        for parameter in iter_parameters(tool, tool_key(requestor, name))
        if choices_of(parameter)
    }
    return plan.structure.told_tables | guessed


def _names(plan: Plan) -> frozenset[str]:
    names = {name for _, name in plan.english.tools}
    names |= {field.rpartition(".")[2] for field in plan.structure.fields}
    for (requestor, name), tool in plan.english.tools.items():
        names |= {str(p.key[-1]) for p in iter_parameters(tool, tool_key(requestor, name))}
    return frozenset(names)


def _people(plan: Plan, *roles: str) -> frozenset[str]:
    names = {name for role in roles for name in plan.structure.names.get(role, ())}
    return frozenset(names | {part for name in names for part in name.split()})


def settled_glossary(
    plan: Plan, locale: str, new: Mapping[str, str], *, all_domains: bool = False
) -> Glossary:
    """Return the glossary of a domain.

    Args:
        plan: what the overlay has and lacks.
        locale: the locale's id.
        new: texts that the run has brought so far, by address.
        all_domains: take in the terms of the other domains: for texts that all of them share.
    """
    terms = _terms(plan, new)
    shared = {
        term.english: term.model_copy(update={"domain": plan.domain})
        for term in reversed(terms)
        if all_domains
    }
    return Glossary(
        locale=locale,
        domain=plan.domain,
        words=_words(plan),
        terms=[*terms, *shared.values()],
        tables=_tables(plan, new),
        told=_told(plan),
        names=_names(plan),
        persons=_people(plan, "given", "family"),
        places=_people(plan, "city", "state", "country"),
    )


def outgrown(
    plan: Plan, glossary: Glossary, new: Collection[str], wanted: Iterable[Item]
) -> list[Item]:
    """Return the texts that all domains share and that lack a term which this run has brought.

    Only what a machine wrote and nobody has touched since.

    Args:
        plan: what the overlay has and lacks.
        glossary: the terms of all domains, the new ones included.
        new: addresses of what the run has brought so far.
        wanted: what will be translated anyway.
    """
    if not any(address.partition("#")[0] == TERMS for address in new):
        return []
    known = {*new, *(item.address for item in wanted)}
    return [
        item
        for item in plan.items
        if not item.segment.domain
        and item.segment.kind not in (LITERAL, VALUE, NAME, TERM)
        and item.address not in known
        and item.state is State.CURRENT
        and item.held is not None
        and not item.is_protected
        and item.entry is not None
        and item.entry.origin == "machine"
        and _lacks_term(item, item.held.text, glossary)
    ]


def _lacks_term(item: Item, text: str, glossary: Glossary) -> bool:
    segment = Segment(
        item.address, item.segment.checked_as, item.segment.english.strip(), text.strip(), "", 1
    )
    return bool(list(check_terms.run([segment], glossary.context)))


def taken_forms(plan: Plan, wanted: Iterable[Item]) -> dict[str, dict[str, str]]:
    """Return the forms of one-to-one scopes that values have which are not translated anew.

    Args:
        plan: what the overlay has and lacks.
        wanted: what will be translated.
    """
    renewed = {item.address for item in wanted}
    taken: dict[str, dict[str, str]] = {}
    for item in plan.items:
        segment = item.segment
        if segment.kind not in (LITERAL, VALUE, NAME) or item.address in renewed:
            continue
        own = taken.setdefault(segment.scope, {})
        for form in [segment.english, *_forms(plan, item)]:
            own.setdefault(normal_form(form), segment.english)
    return taken


def _forms(plan: Plan, item: Item) -> list[str]:
    """Return the forms that the overlay has for a value: shown, and accepted."""
    entry: Any = descend(plan.texts.data(item.segment.file), item.segment.key)
    if isinstance(entry, list):
        return [form for form in entry if isinstance(form, str)]
    if not isinstance(entry, Mapping):
        return []
    forms = [entry.get("display"), *(entry.get("accept") or ())]
    return [form for form in forms if isinstance(form, str)]
