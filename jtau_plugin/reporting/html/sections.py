"""The sections of the report, from what a manager reads to what a reviewer asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jtau_plugin.reporting import charts as drawing
from jtau_plugin.reporting.charts.captions import describe_settings
from jtau_plugin.reporting.charts.style import styled
from jtau_plugin.reporting.charts.svg import inline_svg
from jtau_plugin.reporting.compare.arms import SCENARIO_NAMES, Arm
from jtau_plugin.reporting.compare.comparison import Comparison
from jtau_plugin.reporting.compare.figures import OVERALL, ArmFigures
from jtau_plugin.reporting.compare.sentences import (
    find_cautions,
    find_findings,
    language_name,
    percent,
    points,
    say_coverage,
)
from jtau_plugin.reporting.compare.tables import Table, all_tables, iter_columns
from jtau_plugin.reporting.html.markup import Markup, join, tag
from jtau_plugin.reporting.html.tabular import folded, raw_table

#: Inches: as wide as the page's text, and as a phone.
_WIDE, _PHONE = 7.6, 3.7
#: Tables that are shown in another way.
_ELSEWHERE = ("trials", "arms", "settings", "flips", "figures", "differences")
_DEFINITIONS = {
    "pass^k": """the chance that a task is done k times in a row. Strict: every trial that should
        have been played and has not passed has failed, except those that the simulated caller
        spoiled, which are left out and counted. Upstream: as the code of the tau2 that made the
        file would have shown it.""",
    "points": "percentage points of pass^1, unless another k is named.",
    "within noise": """it stays plausible that there is no difference at all: the interval
        contains 0, or fewer than six tasks differ, which may all have done so by chance. Intervals
        come from drawing tasks again and again; each stands on its own.""",
    "ρ^k": """pass^k / pass^1: how much of what is done once is done k times in a row. A model that
        does little can have a high ρ^k; it means nothing without pass^k beside it.""",
    "retention": "pass^k of an arm / pass^k of the arm it is compared with, on what both played.",
    "does nothing": "what an agent scores that refuses everything in one line.",
    "caller": """the simulated user. A trial that it spoiled, or in which it broke its rules, is
        never counted as the agent's loss.""",
}


def header(comparison: Comparison, heading: str) -> Markup:
    """Return the top of the page."""
    sizes = sum(one.expected for one in comparison.figures if one.base != OVERALL)
    models = dict.fromkeys(arm.model for arm in comparison.arms)
    return tag(
        "header",
        tag("button", "Theme", id="theme", type="button", title="Light, dark, or as the system"),
        tag("p", "jtau compare", class_="kicker"),
        tag("h1", heading),
        tag(
            "p",
            f"{len(comparison.arms)} arms, {len(comparison.bases)} "
            f"{'domain' if len(comparison.bases) == 1 else 'domains'}, {sizes} trials. "
            f"Agents: {', '.join(models)}.",
            class_="lead",
        ),
    )


def mixed(comparison: Comparison) -> Markup | None:
    """Return the warning that conditions were mixed, if they were."""
    refused = [mixture for mixture in comparison.mixtures if mixture.is_refused]
    if not refused:
        return None
    return tag(
        "section",
        tag("h2", "Mixed conditions"),
        tag(
            "p",
            "These arms were not run under the same conditions, and were compared because that "
            "was asked for. A difference between them may be a difference of conditions.",
        ),
        tag("ul", *(tag("li", str(mixture)) for mixture in refused)),
        class_="warning",
        role="alert",
    )


def summary(comparison: Comparison) -> Markup:
    """Return what the comparison comes down to, and what a reader must know besides."""
    findings = [
        tag(
            "div",
            tag("p", one.headline, class_="headline"),
            *(tag("p", sentence) for sentence in one.rest),
            class_="finding ladder" if one.is_ladder else "finding",
        )
        for one in find_findings(comparison)
    ]
    cautions = find_cautions(comparison)
    return tag(
        "section",
        tag("h2", "What this says"),
        *(findings or [tag("p", "There is one arm, and nothing to compare it with.")]),
        tag("ul", *(tag("li", sentence) for sentence in cautions)) if cautions else None,
        id="summary",
    )


def _describe(arm: Arm) -> str:
    name = SCENARIO_NAMES.get(arm.scenario, arm.scenario)
    return f"{name} ({language_name(arm.locale)})" if arm.locale != "en" else name


def tiles(comparison: Comparison) -> Markup:
    """Return one tile for each arm: its figure, its interval, its coverage."""
    return tag(
        "section",
        tag("h2", "Arms"),
        tag("div", *(_tile(comparison, arm) for arm in comparison.arms), class_="tiles"),
        id="arms",
    )


def _tile(comparison: Comparison, arm: Arm) -> Markup:
    found = comparison.of_arm(arm)
    figure = found.figure(1)
    value = percent(figure.strict if figure else None)
    interval = "no interval"
    if figure is not None and figure.interval is not None:
        interval = f"{percent(figure.interval.low)} to {percent(figure.interval.high)}"
    return tag(
        "article",
        tag("h3", arm.name),
        tag("p", arm.model, class_="muted"),
        tag("p", _describe(arm), class_="muted"),
        tag("p", tag("b", value), tag("span", "% pass^1"), class_="figure"),
        tag("p", f"{comparison.settings.level:.0%} interval {interval}"),
        _change(comparison, arm),
        tag("p", say_coverage(found), class_="muted"),
        _caller(found),
        class_="tile",
    )


def _change(comparison: Comparison, arm: Arm) -> Markup | None:
    for pair in comparison.pairs:
        found = pair.difference() if pair.pairing.second is arm else None
        if found is not None and found.strict is not None:
            value, noise = found.strict.value, found.strict.is_noise
            kind = "noise" if noise else "loss" if value < 0 else "gain"
            sign = "+" if value > 0 else ""
            return tag(
                "p",
                tag("b", f"{sign}{points(value)} points", class_=kind),
                f" against {pair.pairing.first.name}, "
                f"{'within noise' if noise else 'more than noise'}",
            )
    return None


def _caller(figures: ArmFigures) -> Markup:
    language = figures.language
    if language is None or language.faulty is None:
        return tag("p", "Caller's faults: not available", class_="muted")
    said = f"Caller broke its rules in {language.faulty} of {language.conversations} conversations"
    return tag("p", said, class_="muted")


def charts(comparison: Comparison) -> Markup:
    """Return the charts, each with its caption and the table that holds its data."""
    tables = {table.name: table for table in all_tables(comparison)}
    if not drawing.is_available():
        why = "Charts are left out: matplotlib is not installed where this report was made."
        return tag("section", tag("h2", "Charts"), tag("p", why, class_="muted"), id="charts")
    found = [_figure(comparison, chart, tables.get(chart.table)) for chart in drawing.CHARTS]
    return tag("section", tag("h2", "Charts"), *found, id="charts")


def _figure(comparison: Comparison, chart: drawing.Chart, table: Table | None) -> Markup:
    drawn = {width: drawing.draw(chart, comparison, width) for width in (_WIDE, _PHONE)}
    if any(figure is None for figure in drawn.values()):
        why = f"Not drawn: {chart.missing}."
        return tag("figure", tag("h3", chart.title), tag("p", why, class_="muted"))
    images = []
    for width, figure in drawn.items():
        with styled(f"{chart.name}-{width}"):
            svg = Markup(inline_svg(figure, chart.title))
        images.append(tag("div", svg, class_="wide" if width == _WIDE else "phone"))
    return tag(
        "figure",
        tag("h3", chart.title),
        *images,
        tag("figcaption", drawing.caption(comparison, "")),
        None if table is None else folded(table, f"Data: {table.title.lower()}"),
        id=f"chart-{chart.name}",
    )


def details(comparison: Comparison) -> Markup:
    """Return the other tables, folded."""
    tables = [_shortened(t) for t in all_tables(comparison) if t.name not in _ELSEWHERE]
    found = [folded(table, table.title) for table in tables]
    return tag("section", tag("h2", "More tables"), *found, id="more")


def _shortened(table: Table) -> Table:
    """Return a table without columns that only repeat that everything is known."""
    columns = dict(iter_columns(table))
    totals = columns.get("conversations")
    kept = [
        name for name, values in columns.items() if not name.endswith("_known") or values != totals
    ]
    rows = zip(*(columns[name] for name in kept), strict=True)
    return replace(table, columns=tuple(kept), rows=tuple(rows))


def method(comparison: Comparison, notes: Sequence[str]) -> Markup:
    """Return what the words mean, which files were read, and what differs between them."""
    told = [str(mixture) for mixture in comparison.mixtures if not mixture.is_refused]
    tables = {table.name: table for table in all_tables(comparison)}
    terms = [
        join(tag("dt", term), tag("dd", " ".join(meaning.split())))
        for term, meaning in _DEFINITIONS.items()
    ]
    said = [*told, *comparison.notes, *notes]
    return tag(
        "section",
        tag("h2", "How this was made"),
        tag("p", describe_settings(comparison)),
        tag("h3", "Files"),
        raw_table(tables["arms"]),
        join(tag("h3", "Notes"), tag("ul", *(tag("li", note) for note in said))) if said else None,
        tag("h3", "Words"),
        tag("dl", *terms),
        id="method",
    )


def viewer() -> Markup:
    """Return the frame in which a task is opened; it is filled when that happens."""
    keys = (
        "J and K: next and previous turn · N and P: next and previous task · "
        "1 and 2: next trial on the left and right · Esc: close"
    )
    return tag(
        "dialog",
        tag(
            "div",
            tag("h2", id="viewer-title", tabindex="-1"),
            tag(
                "div",
                tag("button", "Previous task", id="previous", type="button"),
                tag("button", "Next task", id="next", type="button"),
                tag("button", "Close", id="close", type="button"),
                class_="buttons",
            ),
            tag(
                "div",
                tag("label", "Left ", tag("select", id="left")),
                tag("label", "Right ", tag("select", id="right")),
                tag("span", keys, class_="keys muted"),
                class_="choices",
            ),
            class_="bar",
        ),
        tag("div", id="viewer-body", tabindex="0", aria_label="Both conversations, turn by turn"),
        id="viewer",
        aria_labelledby="viewer-title",
    )
