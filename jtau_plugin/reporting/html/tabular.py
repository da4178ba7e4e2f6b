"""The tables of the report: raw ones behind the charts, and the figures as they are read."""

from __future__ import annotations

from collections.abc import Sequence

from jtau_plugin.reporting.compare.comparison import Comparison, PairDifference
from jtau_plugin.reporting.compare.figures import ArmFigures
from jtau_plugin.reporting.compare.measured import (
    READ_LANGUAGE,
    TAG_SIDES,
    describe_language,
    describe_tags,
)
from jtau_plugin.reporting.compare.sentences import percent, points
from jtau_plugin.reporting.compare.tables import Table, Value
from jtau_plugin.reporting.html.markup import Markup, tag


def folded(table: Table, title: str) -> Markup:
    """Return a table that is folded away under its title."""
    return tag("details", tag("summary", title), raw_table(table))


def raw_table(table: Table) -> Markup:
    """Return a table with everything that it holds."""
    rows = [
        tag("tr", *(_cell(column, value) for column, value in zip(table.columns, row, strict=True)))
        for row in table.rows
    ]
    return _scroll(table.title, [_heading(column) for column in table.columns], rows)


def _heading(column: str) -> str:
    known = {"rho_k": "ρ^k", "pass_hat_k": "pass^k", "upstream_pass_hat_k": "upstream pass^k"}
    return known.get(column, column.replace("_", " "))


_SHARES = (
    "pass_hat_k", "low", "high", "rho_k", "floor", "difference", "retention", "target_share"
)  # fmt: skip


def _cell(column: str, value: Value) -> Markup:
    if value is None:
        return tag("td", "–", class_="number", title="not available")
    if isinstance(value, bool):
        return tag("td", "yes" if value else "no")
    if isinstance(value, float):
        is_share = column.endswith(_SHARES)
        return tag("td", points(value) + "%" if is_share else f"{value:.4g}", class_="number")
    if isinstance(value, int):
        return tag("td", str(value), class_="number")
    return tag("td", value, class_="hold" if column in {"arm", "reference"} else None)


def figures(comparison: Comparison) -> Markup:
    """Return pass^k and the differences as they are read; the raw tables stand below the charts."""
    return tag(
        "section",
        tag("h2", "Figures"),
        tag("h3", "pass^k in percent, by arm and domain"),
        _scroll("pass^k by arm and domain", _heads(comparison), _figure_rows(comparison)),
        tag("h3", "Differences in points, paired by task and trial"),
        _scroll("Differences", _DIFFERENCE_HEADS, _difference_rows(comparison)),
        id="figures",
    )


def _scroll(label: str, heads: Sequence[str], rows: Sequence[Markup]) -> Markup:
    return tag(
        "div",
        tag(
            "table",
            tag("thead", tag("tr", *(tag("th", head, scope="col") for head in heads))),
            tag("tbody", *rows),
        ),
        class_="scroll",
        tabindex="0",
        role="region",
        aria_label=label,
    )


def _heads(comparison: Comparison) -> list[str]:
    ks = [f"pass^{k}" for k in range(1, comparison.trials + 1)]
    return ["arm", "domain", *ks, "does nothing", "graded", "caller errors"]


def _figure_rows(comparison: Comparison) -> list[Markup]:
    rows = []
    for one in comparison.figures:
        ks = range(1, comparison.trials + 1)
        rows.append(
            tag(
                "tr",
                tag("td", one.arm.name, class_="hold"),
                tag("td", one.base, class_="hold"),
                *(tag("td", _pass_hat(one, k)) for k in ks),
                tag("td", percent(one.floor.rate if one.floor else None), class_="number"),
                tag("td", f"{one.graded} of {one.expected}", class_="number"),
                tag("td", str(one.excluded), class_="number"),
            )
        )
    return rows


def _pass_hat(one: ArmFigures, k: int) -> Markup:
    figure = one.figure(k)
    if figure is None:
        return tag("span", "–", title="not as many trials")
    interval = "no interval"
    if figure.interval is not None:
        interval = f"{percent(figure.interval.low)}–{percent(figure.interval.high)}"
    upstream = f"upstream {percent(figure.upstream)}"
    if one.upstream_failure:
        upstream = "upstream stops"
    return tag(
        "span",
        tag("b", percent(figure.strict)),
        tag("small", interval),
        tag("small", f"ρ^{k} {percent(figure.rho)}") if k > 1 else None,
        tag("small", upstream, title=one.upstream_failure or f"convention {one.convention}"),
        class_="k",
    )


_DIFFERENCE_HEADS = (
    "arms",
    "domain",
    "k",
    "points",
    "interval",
    "noise",
    "retention",
    "without ungraded",
    "tasks that differ",
)


def _difference_rows(comparison: Comparison) -> list[Markup]:
    return [
        _difference_row(pair.name, one) for pair in comparison.pairs for one in pair.differences
    ]


def _difference_row(name: str, one: PairDifference) -> Markup:
    found = one.strict
    if found is None:
        cells = ["–", "–", "too few trials", "–", "–", "0"]
    else:
        left_out = len(one.short) + len(found.unpaired)
        cells = [
            points(found.value),
            f"{points(found.interval.low)} to {points(found.interval.high)}",
            "within noise" if found.is_noise else "more than noise",
            percent(one.retention),
            points(one.graded.value) if one.graded else "–",
            f"{found.changed} of {found.tasks}{f'; {left_out} left out' if left_out else ''}",
        ]
    return tag(
        "tr",
        tag("td", name, class_="hold"),
        tag("td", one.base, class_="hold"),
        tag("td", str(one.k), class_="number"),
        *(tag("td", cell, class_="hold") for cell in cells),
    )


def language(comparison: Comparison) -> Markup:
    """Return the language measures and the caller's faults as they are read."""
    measured = [one for one in comparison.figures if one.language is not None]
    rows = [
        tag(
            "tr",
            tag("td", one.arm.name, class_="hold"),
            tag("td", one.base, class_="hold"),
            *(tag("td", value) for value in describe_language(one.language).values()),
        )
        for one in measured
        if one.language is not None
    ]
    heads = ["arm", "domain", *READ_LANGUAGE]
    nothing = tag("p", "Language measures: not available for these files.", class_="muted")
    return tag(
        "section",
        tag("h2", "Language and callers"),
        _scroll("Language measures", heads, rows) if rows else nothing,
        *_errors(measured),
        id="language",
    )


def _errors(measured: Sequence[ArmFigures]) -> list[Markup]:
    """Return which errors rules see in the conversations, and whose they are."""
    rows = [
        tag(
            "tr",
            tag("td", one.arm.name, class_="hold"),
            tag("td", one.base, class_="hold"),
            tag("td", side, class_="hold"),
            tag("td", said or "none"),
        )
        for one in measured
        for side in TAG_SIDES
        if one.language is not None and one.language.tags is not None
        if (said := describe_tags(one.language, side)) or side == "agent"
    ]
    heads = ["arm", "domain", "whose", "errors, by conversations"]
    title = tag("h3", "Errors that rules see")
    return [title, _scroll("Errors that rules see", heads, rows)] if rows else []
