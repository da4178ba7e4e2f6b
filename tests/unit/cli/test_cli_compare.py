"""``jtau compare``, ``analyze`` and ``plot`` as commands: what they print, write and refuse."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from arm_runs import ArmFile, japanese
from hostile_runs import write_hostile

from jtau_plugin.cli.main import main

QUICK = ("--no-floor", "--repetitions", "50")
RATES = {str(number): 0.5 for number in range(8)}


@pytest.fixture
def arms(tmp_path: Path) -> list[str]:
    en = ArmFile(dict.fromkeys(RATES, 1.0), trials=2).write(tmp_path / "en.json")
    ja = japanese(RATES, trials=2, lost=("COMMUNICATE",)).write(tmp_path / "ja.json")
    return [f"en={en}", f"ja={ja}"]


def test_what_is_printed(arms: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *arms, *QUICK]) == 0
    text = capsys.readouterr().out

    assert text.startswith("From English to Japanese, some/model loses ")
    for heading in ("Arms", "pass^k in percent", "Differences in points", "Coverage", "Language"):
        assert f"\n{heading}\n" in text
    assert "not communicated: 42" in text
    assert "95%, bootstrap over tasks, 50 repetitions, seed 20260101" in " ".join(text.split())


def test_json_has_every_table(arms: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *arms, *QUICK, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)

    assert data["schema"] == 1
    assert data["mixed"] == []
    assert len(data["tables"]["trials"]) == 32
    assert {row["k"] for row in data["tables"]["differences"]} == {1, 2}


def test_other_conditions_are_refused_unless_that_is_asked_for(
    arms: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    japanese(RATES, trials=2, stamp={"protocol": "judged"}).write(tmp_path / "ja.json")

    assert main(["compare", *arms, *QUICK]) == 1
    assert "--allow-mixed compares them all the same" in capsys.readouterr().err
    assert main(["compare", *arms, *QUICK, "--allow-mixed"]) == 0
    assert "MIXED: these arms were not run under the same conditions." in capsys.readouterr().out
    assert main(["analyze", *arms, *QUICK, "--allow-mixed", "-o", str(tmp_path / "csv")]) == 0
    assert "jtau: MIXED: retail: different protocol" in capsys.readouterr().err
    settings = (tmp_path / "csv" / "settings.csv").read_text(encoding="utf-8-sig")
    assert "mixed,retail: different protocol" in settings


def test_what_cannot_be_written_is_said(
    arms: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "no" / "r.csv"

    assert main(["compare", *arms, *QUICK, "--csv", str(path)]) == 1
    assert f"{path} cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    "option",
    [["--level", "95"], ["--repetitions", "0"], ["--user-errors", "x"], ["--seed", "x"]],
)
def test_wrong_usage(arms: list[str], option: list[str]) -> None:
    with pytest.raises(SystemExit) as error:
        main(["compare", *arms, *option])
    assert error.value.code == 2


def test_user_errors_can_be_failures(
    arms: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    japanese(RATES, trials=2, caller=1.0).write(tmp_path / "ja.json")

    assert main(["compare", *arms, *QUICK, "--user-errors", "fail", "--json"]) == 0
    (row, _) = json.loads(capsys.readouterr().out)["tables"]["differences"]
    assert row["difference"] == -1.0
    assert main(["compare", *arms, *QUICK, "--json"]) == 0
    (row, _) = json.loads(capsys.readouterr().out)["tables"]["differences"]
    assert row["difference"] is None


def test_the_wide_table(arms: list[str], tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    assert main(["compare", *arms, *QUICK, "--csv", str(path)]) == 0

    rows = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
    assert [row["arm"] for row in rows] == ["en", "ja"]
    assert rows[0]["pass_hat_1"] == "1.0"
    assert rows[0]["difference"] == ""
    assert float(rows[1]["difference"]) < 0
    assert rows[1]["agent_tokens_in"] == ""


def test_charts_are_written(
    arms: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "plots"
    chosen = ["--chart", "ladder", "--chart", "drift", "--format", "png", "--format", "svg"]

    assert main(["plot", *arms, *QUICK, *chosen, "-o", str(out)]) == 0

    assert (out / "ladder.png").read_bytes()[:4] == b"\x89PNG"
    assert "en.json" in (out / "ladder.svg").read_text(encoding="utf-8")
    assert "ladder.png" in capsys.readouterr().out


def test_without_matplotlib_charts_are_refused_and_the_report_does_without(
    arms: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for place in ("charts.style", "html.sections.drawing", "charts"):
        monkeypatch.setattr(f"jtau_plugin.reporting.{place}.is_available", lambda: False)
    monkeypatch.setattr("jtau_plugin.cli.comparing.report.is_available", lambda: False)
    page = tmp_path / "r.html"

    assert main(["plot", *arms, *QUICK]) == 1
    assert "pip install 'jtau-plugin[report]'" in capsys.readouterr().err
    assert main(["compare", *arms, *QUICK, "--html", str(page)]) == 0
    assert "charts are left out" in capsys.readouterr().err
    assert "Charts are left out" in page.read_text(encoding="utf-8")


def test_a_hostile_file_prints_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    en = write_hostile(tmp_path / "en.json")
    ja = write_hostile(tmp_path / "ja.json", domain="ja_retail", scenario="domain", locale="ja")

    assert main(["compare", f"en={en}", f"ja={ja}", *QUICK]) == 0
    assert not {"\x1b", "\u202e", "\x00", "\x07"} & set(capsys.readouterr().out)
