"""The whole report: its head, its sections, its data, and the policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import resources

from jtau_plugin import __version__
from jtau_plugin.reporting.compare.comparison import Comparison
from jtau_plugin.reporting.html import sections, tabular
from jtau_plugin.reporting.html.conversation import Canonicalize
from jtau_plugin.reporting.html.markup import Markup, join, tag
from jtau_plugin.reporting.html.reaching import Reaching
from jtau_plugin.reporting.html.tasks import TaskList, conversation_scripts


@lru_cache(maxsize=2)
def _asset(name: str) -> str:
    return (resources.files(__package__) / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def render_page(comparison: Comparison, title: str = "", notes: Sequence[str] = ()) -> str:
    """Return the report of a comparison as one HTML file.

    Args:
        comparison: what it shows.
        title: of the page; left out, the arms are named.
        notes: why something is not there, besides the comparison's own.
    """
    reaching = Reaching()
    canonicalize: dict[tuple[str, str], Canonicalize] = {
        (arm.name, base): reaching.of_run(run)
        for arm in comparison.arms
        for base, run in arm.runs.items()
    }
    tasks = TaskList(comparison)
    heading = title or _name(comparison)
    body = tag(
        "body",
        tag("a", "Skip to the tasks", href="#tasks", class_="skip"),
        sections.header(comparison, heading),
        tag(
            "main",
            sections.mixed(comparison),
            sections.summary(comparison),
            sections.tiles(comparison),
            sections.charts(comparison),
            tabular.figures(comparison),
            tabular.language(comparison),
            tasks.section(),
            sections.details(comparison),
            sections.method(comparison, (*notes, *reaching.notes)),
        ),
        tag("footer", f"Made by jtau-plugin {__version__}. Nothing in this page is loaded."),
        sections.viewer(),
        tasks.index_script(),
        *conversation_scripts(comparison, tasks, canonicalize),
        _scripts(),
    )
    return "".join(_document(body, f"{heading} – jtau compare"))


_NAMED = 4


def _name(comparison: Comparison) -> str:
    names = [arm.name for arm in comparison.arms]
    return " · ".join(names) if len(names) <= _NAMED else f"{len(names)} arms compared"


def _scripts() -> Markup:
    return Markup(f"<script>{_asset('report.js')}</script>")


def _document(body: Markup, title: str) -> Iterable[str]:
    style, script = _asset("report.css"), _asset("report.js")
    yield "<!doctype html>\n"
    yield '<html lang="en">\n'
    yield tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        Markup(f"<style>{style}</style>"),
    )
    yield join(body, Markup("\n</html>\n"))
