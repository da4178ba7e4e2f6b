"""The report in a real browser, opened from disk without a network. Needs playwright and Chromium."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from arm_runs import ArmFile, japanese
from hostile_runs import ATTACKS, MARK, write_hostile

from jtau_plugin.reporting.compare.arms import read_arms
from jtau_plugin.reporting.compare.comparison import compare_arms
from jtau_plugin.reporting.compare.settings import find_mixtures
from jtau_plugin.reporting.html import render_page
from jtau_plugin.scoring.bootstrap import Bootstrap

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "device_scale_factor": 2}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


def render(folder: Path, *arguments: str) -> Path:
    arms = read_arms(arguments)
    page = render_page(compare_arms(arms, find_mixtures(arms), settings=Bootstrap(repetitions=50)))
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    rates = {str(number): 0.7 for number in range(40)}
    en = ArmFile(rates, trials=3).write(folder / "en.json", 1)
    ja = japanese(rates, trials=3, lost=("DB", "COMMUNICATE"), caller=0.05, infrastructure=0.05)
    data = ja.data(2)
    for simulation in data["simulations"]:
        simulation["messages"] *= 12
    (folder / "ja.json").write_text(json.dumps(data), encoding="utf-8")
    return render(folder, f"en={en}", f"ja={folder / 'ja.json'}")


class Page:
    """A page that has been opened, and everything that went wrong in it."""

    def __init__(self, browser: Any, path: Path, **settings: Any) -> None:
        self.problems: list[str] = []
        self.context = browser.new_context(offline=True, **settings)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._listen)
        self.page.on("dialog", lambda dialog: self.problems.append(dialog.message))
        self.page.goto(path.as_uri())

    def _listen(self, message: Any) -> None:
        if message.type in {"error", "warning"}:
            self.problems.append(message.text)


@pytest.fixture
def open_page(browser: Any) -> Iterator[Any]:
    opened: list[Page] = []

    def open_it(path: Path, **settings: Any) -> Page:
        opened.append(Page(browser, path, **settings))
        return opened[-1]

    yield open_it
    for one in opened:
        one.context.close()


def shown(page: Any) -> int:
    return page.locator("#task-table tbody tr:visible").count()


@pytest.mark.parametrize(
    "settings", [{}, PHONE, {"color_scheme": "dark"}], ids=["", "phone", "dark"]
)
def test_it_opens_and_fits(report: Path, open_page: Any, settings: dict[str, Any]) -> None:
    one = open_page(report, **settings)

    assert one.page.locator("h1").inner_text() == "en · ja"
    assert shown(one.page) == 40
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    one.page.locator("button.open").first.click()
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert one.problems == []


def test_tasks_are_filtered(report: Path, open_page: Any) -> None:
    page = open_page(report).page
    page.select_option("#check", "COMMUNICATE")
    lost = shown(page)
    page.select_option("#state", "lost")
    both = shown(page)
    page.fill("#search", "retail 1")

    assert 0 < shown(page) < both <= lost < 40
    page.click("#reset")
    assert page.locator("#count").inner_text() == "40 of 40 tasks"


def test_both_arms_scroll_in_step(report: Path, open_page: Any) -> None:
    page = open_page(report).page
    page.locator("tr[data-state~=lost] button.open").first.click()
    first, second = (page.locator(f"#{side}").input_value() for side in ("left", "right"))
    assert (json.loads(first)[0], json.loads(second)[0]) == ("en", "ja")
    assert json.loads(first)[1] == json.loads(second)[1]

    sides = "[...document.querySelectorAll('.turn')].at(-1).querySelectorAll('.side')"
    tops = f"[...{sides}].map((side) => side.getBoundingClientRect().top)"
    before = page.evaluate(tops)
    page.locator("#viewer-body").evaluate("(body) => { body.scrollTop = 300; }")
    after = page.evaluate(tops)

    assert before[0] == before[1]
    assert after == [top - 300 for top in before]
    assert "Lost" in page.locator(".verdict.lost").inner_text()


def test_the_keyboard_is_enough(report: Path, open_page: Any) -> None:
    one = open_page(report)
    page, press = one.page, one.page.keyboard.press
    page.locator("#search").focus()
    for _ in range(6):  # four choices, the button, the first task
        press("Tab")
    press("ArrowDown")
    press("Enter")
    title = page.locator("#viewer-title")
    assert title.inner_text() == "Task retail 1"
    assert page.evaluate("document.activeElement.id") == "viewer-title"
    for _ in range(4):
        press("j")
    assert page.evaluate("document.activeElement.querySelector('h3').textContent") == "Turn 2"
    press("k")
    assert page.evaluate("document.activeElement.querySelector('h3').textContent") == "Turn 1"
    before = page.locator("#right").input_value()
    press("2")
    assert page.locator("#right").input_value() != before
    press("n")
    assert title.inner_text() == "Task retail 2"
    press("p")
    press("Escape")
    assert page.locator("#viewer[open]").count() == 0
    assert page.evaluate("document.activeElement.textContent") == "retail 1"
    assert one.problems == []


def test_it_prints(report: Path, open_page: Any) -> None:
    page = open_page(report).page
    page.emulate_media(media="print")

    assert page.locator("#task-table").is_visible()
    assert not page.locator(".filters").is_visible()
    assert page.pdf(format="A4")[:5] == b"%PDF-"


def test_nothing_in_a_results_file_runs(tmp_path: Path, open_page: Any) -> None:
    en = write_hostile(tmp_path / "en.json")
    ja = write_hostile(tmp_path / "ja.json", domain="ja_retail", scenario="domain", locale="ja")
    path = render(tmp_path, f"{ATTACKS[1].replace('=', '')}={en}", f"__proto__={ja}")
    one = open_page(path)
    page = one.page

    assert shown(page) == len(ATTACKS)
    for number in range(len(ATTACKS)):
        page.locator("button.open").nth(number).click()
        body = page.locator("#viewer-body")
        assert ATTACKS[0] in body.inner_text()
        assert "left⟨U+202E⟩right⟨U+2066⟩⟨U+0000⟩⟨U+0007⟩⟨U+001B⟩[31m" in body.inner_text()
        page.mouse.move(300, 300)
        page.keyboard.press("Escape")
    assert page.evaluate(f"window.{MARK}") is None
    assert page.evaluate("document.querySelectorAll('img, iframe, object, link').length") == 0
    assert page.evaluate("[...document.scripts].filter((s) => s.type === '').length") == 1
    assert one.problems == []
