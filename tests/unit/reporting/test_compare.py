"""Arms at known rates are compared to those rates; what must not be compared is refused."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from arm_runs import LOST as LOST_REWARDS
from arm_runs import ArmFile, japanese, reward_of

from jtau_plugin.errors import ResultsError, SettingError
from jtau_plugin.reporting.compare.arms import find_base, read_arms, split_argument
from jtau_plugin.reporting.compare.checks import Blame, LostCheck, lost_checks
from jtau_plugin.reporting.compare.comparison import Comparison, compare_arms
from jtau_plugin.reporting.compare.figures import OVERALL
from jtau_plugin.reporting.compare.flips import GAINED, LOST, NEITHER, SPOILED, UNGRADED
from jtau_plugin.reporting.compare.intervals import Resampler, widened_level
from jtau_plugin.reporting.compare.measured import Measured
from jtau_plugin.reporting.compare.sentences import summarize
from jtau_plugin.reporting.compare.settings import check_mixtures, find_mixtures
from jtau_plugin.scoring.bootstrap import Bootstrap, mean_intervals, paired_difference
from jtau_plugin.scoring.causes import Outcome
from jtau_plugin.scoring.inventory import Cell

QUICK = Bootstrap(repetitions=400)


def tasks(count: int, rate: float = 1.0) -> dict[str, float]:
    return {str(number): rate for number in range(count)}


def compare(tmp_path: Path, *, seed: int = 1, **arms: ArmFile) -> Comparison:
    named = [
        f"{name}={arm.write(tmp_path / f'{name}.json', seed + number)}"
        for number, (name, arm) in enumerate(arms.items())
    ]
    found = read_arms(named)
    return compare_arms(found, find_mixtures(found), settings=QUICK)


class TestArguments:
    @pytest.mark.parametrize(
        ("text", "name", "path"),
        [
            ("en=a.json", "en", "a.json"),
            ("GPT 4=runs/a.json", "GPT 4", "runs/a.json"),
            ("runs/a.json", "a", "runs/a.json"),
            ("runs/k=1/a.json", "a", "runs/k=1/a.json"),
            ("en=runs/k=1/a.json", "en", "runs/k=1/a.json"),
            ("runs/folder", "folder", "runs/folder"),
            ("日本語=a.json", "日本語", "a.json"),
        ],
    )
    def test_a_name_and_a_file(self, text: str, name: str, path: str) -> None:
        assert split_argument(text) == (name, Path(path))

    @pytest.mark.parametrize(
        ("domain", "locale", "scenario", "base"),
        [
            ("retail", "en", "upstream", "retail"),
            ("en_retail", "en", "control", "retail"),
            ("ja_retail", "ja", "domain", "retail"),
            ("ja_telecom-workflow_agentside", "ja", "agentside", "telecom-workflow"),
            ("retail_polite", "ja", "polite", "retail"),
        ],
    )
    def test_the_base_of_a_domain(self, domain, locale, scenario, base) -> None:
        assert find_base(domain, locale, scenario) == base

    def test_every_problem_of_every_file_is_told(self, tmp_path: Path) -> None:
        broken = tmp_path / "broken.json"
        broken.write_text("{", encoding="utf-8")

        with pytest.raises(ResultsError) as error:
            read_arms([f"a={broken}", f"b={tmp_path / 'absent.json'}"])

        assert len(error.value.problems) == 2

    def test_two_files_of_one_domain_are_two_arms(self, tmp_path: Path) -> None:
        one = ArmFile(tasks(2)).write(tmp_path / "one.json")
        two = ArmFile(tasks(2)).write(tmp_path / "two.json")

        with pytest.raises(ResultsError, match="second file of retail in the arm en"):
            read_arms([f"en={one}", f"en={two}"])

    def test_arms_without_a_common_domain_are_refused(self, tmp_path: Path) -> None:
        one = ArmFile(tasks(2)).write(tmp_path / "one.json")
        two = ArmFile(tasks(2), domain="en_airline").write(tmp_path / "two.json")

        with pytest.raises(ResultsError, match="has results of airline, but the arm a of retail"):
            read_arms([f"a={one}", f"b={two}"])

    def test_an_unknown_reference_is_refused(self, tmp_path: Path) -> None:
        arms = read_arms([f"en={ArmFile(tasks(2)).write(tmp_path / 'one.json')}"])

        with pytest.raises(SettingError, match=r"no arm 'ja'.*there are en"):
            compare_arms(arms, reference="ja")


class TestKnownRates:
    def test_rates_and_differences_are_recovered(self, tmp_path: Path) -> None:
        chance = random.Random(5)
        rates = {str(n): chance.choice((0.2, 0.5, 0.8, 1.0)) for n in range(600)}
        found = compare(
            tmp_path,
            en=ArmFile(rates, trials=4),
            ja=japanese({task: rate * 0.8 for task, rate in rates.items()}, trials=4),
        )

        for arm, factor in zip(found.arms, (1.0, 0.8), strict=True):
            for figure in found.of_arm(arm).figures:
                true = sum((rate * factor) ** figure.k for rate in rates.values()) / len(rates)
                assert figure.strict == pytest.approx(true, abs=0.03)
                assert figure.rho == pytest.approx(
                    figure.strict / found.of_arm(arm).figures[0].strict
                )
        for k in range(1, 5):
            true = sum((r * 0.8) ** k - r**k for r in rates.values()) / len(rates)
            difference = found.pairs[0].difference(k=k)
            assert difference.strict.value == pytest.approx(true, abs=0.03)
            assert difference.strict.interval.contains(true)
            assert not difference.strict.is_noise

    @pytest.mark.parametrize("size", [20, 50])
    def test_intervals_cover_as_often_as_they_should(self, size: int) -> None:
        """500 studies of tasks from one population, with 3 trials each in both arms."""
        chance, resampler = random.Random(11), Resampler(Bootstrap(repetitions=600))
        population = (0.0, 0.3, 0.6, 0.9, 1.0)
        effect = {0.0: 0.0, 0.3: -0.1, 0.6: -0.3, 0.9: -0.1, 1.0: 0.0}
        true = sum(effect.values()) / len(population)
        covered = 0
        for _ in range(500):
            column = []
            for _ in range(size):
                rate = chance.choice(population)
                english = sum(chance.random() < rate for _ in range(3))
                localized = sum(chance.random() < rate + effect[rate] for _ in range(3))
                column.append((localized - english) / 3)
            covered += resampler.difference([column]).interval.contains(true)

        assert 0.92 <= covered / 500 <= 0.98

    def test_no_effect_is_called_noise_as_often_as_it_should(self) -> None:
        chance, resampler = random.Random(12), Resampler(Bootstrap(repetitions=300))
        noise = 0
        for _ in range(500):
            column = [(chance.random() < 0.6) - (chance.random() < 0.6) for _ in range(60)]
            noise += resampler.difference([column]).is_noise

        assert noise / 500 >= 0.93

    def test_missing_lost_and_spoiled_trials_stay_apart(self, tmp_path: Path) -> None:
        found = compare(
            tmp_path,
            en=ArmFile(tasks(100), trials=2),
            ja=japanese(tasks(100), trials=2, infrastructure=0.1, missing=0.1, caller=0.1),
        )
        english, localized = (found.of_arm(arm) for arm in found.arms)
        (pair,) = found.pairs
        counts = localized.outcomes
        lost = counts[Outcome.INFRASTRUCTURE_ERROR] + counts[Outcome.MISSING]

        assert (english.graded, english.expected) == (200, 200)
        assert localized.expected == 200
        assert all(count > 5 for count in (lost, counts[Outcome.USER_ERROR]))
        assert pair.matrix[SPOILED] == counts[Outcome.USER_ERROR] == localized.excluded
        assert pair.matrix[UNGRADED] == lost
        assert pair.matrix[LOST] == pair.matrix[GAINED] == pair.matrix[NEITHER] == 0
        assert pair.difference().graded.value == 0
        assert pair.difference().strict.value < -0.1
        assert {flip.blame for task in pair.flips for flip in task.flips} == {Blame.NOBODY}
        assert pair.lost_checks[Blame.AGENT] == {}
        said = " ".join(summarize(found))
        assert f"{lost} trials were lost or not graded" in said
        assert f"{counts[Outcome.USER_ERROR]} trials were spoiled by the simulated caller" in said

    def test_a_k_with_too_few_trials_names_its_tasks(self, tmp_path: Path) -> None:
        arm = japanese(tasks(3), trials=2)
        data = arm.data()
        data["simulations"][0]["termination_reason"] = "user_error"
        (tmp_path / "ja.json").write_text(json.dumps(data), encoding="utf-8")
        en = ArmFile(tasks(3), trials=2).write(tmp_path / "en.json")
        arms = read_arms([f"en={en}", f"ja={tmp_path / 'ja.json'}"])

        (pair,) = compare_arms(arms, settings=QUICK).pairs

        assert pair.difference(k=1).short == ()
        assert pair.difference(k=2).short == ("retail 0",)
        assert pair.difference(k=2).strict.tasks == 2


class TestIntervals:
    def test_they_are_those_of_every_other_command(self) -> None:
        chance = random.Random(3)
        groups = [[chance.random() for _ in range(size)] for size in (7, 12)]
        resampler = Resampler(QUICK)

        expected = mean_intervals([[(value,) for value in group] for group in groups], QUICK)
        assert resampler.mean_interval(groups) == expected[0]
        assert resampler.mean_interval([[1.0] * 9]) == mean_intervals([[(1.0,)] * 9], QUICK)[0]
        first = {str(n): value for n, value in enumerate(groups[0])}
        second = {str(n): 0.25 for n in range(7)}
        ours = resampler.difference([[value - 0.25 for value in groups[0]]])
        theirs = paired_difference(first, second, QUICK)
        assert ours.value == theirs.value
        assert ours.interval.low < theirs.interval.low
        assert ours.interval.high > theirs.interval.high

    def test_they_are_wider_for_few_tasks(self) -> None:
        assert widened_level(0.95, [10_000]) == pytest.approx(0.95, abs=1e-4)
        # Student's t with 19 degrees of freedom has 2.0930 where the normal distribution has 1.96.
        assert widened_level(0.95, [20]) == pytest.approx(0.9682, abs=1e-4)
        assert widened_level(0.95, [1]) == 0.95

    def test_tasks_that_all_agree_prove_little(self) -> None:
        difference = Resampler(QUICK).difference([[0.0] * 10])

        assert difference.interval.low < -0.3
        assert difference.interval.high > 0.3
        assert difference.is_noise


class TestLostChecks:
    @pytest.mark.parametrize(
        ("kind", "detail"),
        [
            ("DB", ""),
            ("COMMUNICATE", "42"),
            ("ACTION", "refund"),
            ("ENV_ASSERTION", "is_on"),
            ("NL_ASSERTION", "is polite"),
        ],
    )
    def test_each_kind(self, kind: str, detail: str) -> None:
        cell = Cell("0", 0, Outcome.FAILED, position=0)
        reward = reward_of(kind, basis=tuple(LOST_REWARDS))

        assert lost_checks(cell, {"reward_info": reward}) == (LostCheck(kind, detail),)

    def test_what_does_not_count_is_no_loss(self) -> None:
        cell = Cell("0", 0, Outcome.FAILED, position=0)
        reward = {**reward_of("COMMUNICATE"), **LOST_REWARDS["NL_ASSERTION"]}

        assert [check.kind for check in lost_checks(cell, {"reward_info": reward})] == [
            "COMMUNICATE"
        ]

    def test_without_a_breakdown_the_checks_themselves_tell(self) -> None:
        cell = Cell("0", 0, Outcome.FAILED, position=0)
        reward: dict[str, Any] = {"reward": 0.0, **LOST_REWARDS["DB"], **LOST_REWARDS["ACTION"]}

        assert {check.kind for check in lost_checks(cell, {"reward_info": reward})} == {
            "DB",
            "ACTION",
        }
        (unknown,) = lost_checks(cell, {"reward_info": {"reward": 0.0}})
        assert unknown.kind == "UNKNOWN"

    def test_whose_loss_it_is(self) -> None:
        early = Cell("0", 0, Outcome.FAILED, reason="did not end", position=0)
        assert lost_checks(early, {}) == (LostCheck("END", "did not end"),)
        spoiled = Cell("0", 0, Outcome.USER_ERROR, reason="empty", position=0)
        assert [check.blame for check in lost_checks(spoiled, {})] == [Blame.CALLER]
        gone = Cell("0", 0, Outcome.MISSING, reason="never played")
        assert [check.blame for check in lost_checks(gone, None)] == [Blame.NOBODY]
        assert lost_checks(Cell("0", 0, Outcome.PASSED), {}) == ()

    def test_flips_have_the_checks_that_were_lost(self, tmp_path: Path) -> None:
        kinds = ("DB", "COMMUNICATE", "ACTION")
        found = compare(
            tmp_path,
            en=ArmFile(tasks(40)),
            ja=japanese(tasks(40, 0.5), lost=kinds),
        )
        (pair,) = found.pairs
        file = json.loads((tmp_path / "ja.json").read_text(encoding="utf-8"))
        expected = {
            s["task_id"]: [k for k, v in s["reward_info"]["reward_breakdown"].items() if v == 0]
            for s in file["simulations"]
            if s["reward_info"]["reward"] == 0
        }

        lost = {task.task.task_id: [c.kind for c in task.flips[0].lost] for task in pair.flips}
        assert lost == expected
        assert sum(pair.lost_checks[Blame.AGENT].values()) == len(expected) == pair.matrix[LOST]

    def test_a_caller_that_broke_its_rules_is_not_the_agent_s_loss(self, tmp_path: Path) -> None:
        en = ArmFile(tasks(8)).write(tmp_path / "en.json")
        ja = japanese(tasks(8, 0.0)).write(tmp_path / "ja.json")
        arms = read_arms([f"en={en}", f"ja={ja}"])

        def measure(run: Any) -> dict[tuple[str, int], Measured]:
            broken = {"0", "1"} if run.locale == "ja" else set()
            return {
                (task, 0): Measured(faults=("ended at the first turn",) if task in broken else ())
                for task in run.inventory.tasks
            }

        (pair,) = compare_arms(arms, settings=QUICK, measure=measure).pairs

        assert pair.lost_checks[Blame.AGENT] == {"DB": 6}
        assert pair.lost_checks[Blame.UNCLEAR] == {"DB": 2}


class TestMixtures:
    @pytest.mark.parametrize(
        ("stamp", "key"),
        [
            ({"protocol": "judged"}, "protocol"),
            ({"repairs": {"classes": ["scorer"], "changes": ["-facts"]}}, "repairs"),
            ({"facts": "f" * 64}, "facts"),
        ],
    )
    def test_other_conditions_are_refused(self, tmp_path: Path, stamp, key) -> None:
        found = compare(tmp_path, en=ArmFile(tasks(2)), ja=japanese(tasks(2), stamp=stamp))

        assert {mixture.key for mixture in found.mixtures if mixture.is_refused} == {key}
        with pytest.raises(ResultsError, match=f"different {key}"):
            check_mixtures(found.mixtures)

    def test_two_overlays_of_one_language_are_refused(self, tmp_path: Path) -> None:
        found = compare(
            tmp_path,
            en=ArmFile(tasks(2)),
            old=japanese(tasks(2)),
            new=japanese(tasks(2), stamp={"overlay": "1" * 64}),
        )

        with pytest.raises(ResultsError, match=r"000000000000 \(old\); 111111111111 \(new\)"):
            check_mixtures(found.mixtures)

    def test_an_english_arm_has_no_overlay(self, tmp_path: Path) -> None:
        found = compare(tmp_path, en=ArmFile(tasks(2)), ja=japanese(tasks(2)))

        assert [mixture for mixture in found.mixtures if mixture.is_refused] == []

    def test_a_file_that_is_mixed_in_itself_is_refused(self, tmp_path: Path) -> None:
        data = japanese(tasks(4)).data()
        data["simulations"][0]["reward_info"]["info"]["jtau"]["overlay"] = "2" * 64
        (tmp_path / "ja.json").write_text(json.dumps(data), encoding="utf-8")

        with pytest.raises(ResultsError, match="different overlay"):
            check_mixtures(find_mixtures(read_arms([f"ja={tmp_path / 'ja.json'}"])))

    def test_what_may_differ_is_told(self, tmp_path: Path) -> None:
        found = compare(
            tmp_path, en=ArmFile(tasks(2)), ja=japanese(tasks(2), stamp={"plugin": "0.2.0"})
        )

        check_mixtures(found.mixtures)
        (mixture,) = found.mixtures
        assert str(mixture) == "retail: different plugin versions: 0.1.0 (en); 0.2.0 (ja)"

    def test_files_without_stamps_are_compared_by_their_criteria(self, tmp_path: Path) -> None:
        for name, amount in (("a", 1), ("b", 1), ("c", 2)):
            data = ArmFile(tasks(2), domain="retail").data()
            for simulation in data["simulations"]:
                simulation["reward_info"]["info"] = None
            data["tasks"][0]["evaluation_criteria"]["actions"][0]["arguments"] = {"n": amount}
            (tmp_path / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
        a, b, c = (f"{n}={tmp_path / f'{n}.json'}" for n in "abc")

        check_mixtures(find_mixtures(read_arms([a, b])))
        with pytest.raises(ResultsError, match="retail, task 0: different facts"):
            check_mixtures(find_mixtures(read_arms([a, c])))


class TestLadder:
    def arms(self, **rates: float) -> dict[str, ArmFile]:
        made = {"control": ArmFile(tasks(400, rates["control"]))}
        for name, rate in rates.items():
            if name != "control":
                suffix = "" if name == "domain" else f"_{name}"
                made[name] = ArmFile(
                    tasks(400, rate), domain=f"ja_retail{suffix}", scenario=name, locale="ja"
                )
        return made

    def test_the_sentence(self, tmp_path: Path) -> None:
        arms = self.arms(domain=0.5, tools=0.8, control=1.0, interaction=1.0, agentside=0.6)
        found = compare(tmp_path, **arms)

        (ladder,) = found.ladders
        assert [arm.name for arm in ladder.steps] == [
            "control",
            "interaction",
            "tools",
            "agentside",
            "domain",
        ]
        first, second, *_ = summarize(found)
        lost = {p.pairing.second.name: -p.difference().strict.value * 100 for p in ladder.pairs}
        assert first.startswith(
            f"From English to Japanese, some/model loses {lost['domain']:.1f} points of pass^1 ("
        )
        assert (
            ": more than noise), none of them (within noise) when only the conversation is "
            f"localized; {lost['tools']:.1f} of them when only the tools are localized; "
        ) in first
        assert "need not add up" in second

    def test_each_model_has_its_own(self, tmp_path: Path) -> None:
        arms = self.arms(control=1.0, domain=0.5)
        other = {f"{name}2": arm for name, arm in self.arms(control=0.9, domain=0.8).items()}
        for arm in other.values():
            arm.model = "other/model"
        found = compare(tmp_path, **arms, **other)

        assert [ladder.model for ladder in found.ladders] == ["some/model", "other/model"]
        assert [(p.pairing.first.name, p.pairing.second.name) for p in found.pairs] == [
            ("control", "domain"),
            ("control", "control2"),
            ("control2", "domain2"),
        ]


def test_domains_weigh_the_same(tmp_path: Path) -> None:
    files = {
        "en": [ArmFile(tasks(30)), ArmFile(tasks(10), domain="en_airline")],
        "ja": [
            japanese(tasks(30)),
            ArmFile(tasks(10, 0.0), domain="ja_airline", scenario="domain", locale="ja"),
        ],
    }
    named = [
        f"{name}={arm.write(tmp_path / f'{name}{number}.json')}"
        for name, arms in files.items()
        for number, arm in enumerate(arms)
    ]
    found = compare_arms(read_arms(named), settings=QUICK)

    assert found.of_arm(found.arms[1]).base == OVERALL
    assert found.of_arm(found.arms[1]).figures[0].strict == 0.5
    assert found.pairs[0].difference().strict.value == -0.5
    assert found.pairs[0].difference("airline").strict.value == -1.0
    assert found.pairs[0].difference("airline").retention == 0.0


def test_tasks_of_one_arm_only_are_named(tmp_path: Path) -> None:
    found = compare(tmp_path, en=ArmFile(tasks(5)), ja=japanese(tasks(3)))

    assert found.pairs[0].pairing.unpaired == ("retail 3", "retail 4")
    assert found.pairs[0].difference().strict.tasks == 3


def test_what_is_not_measured_is_not_zero(tmp_path: Path) -> None:
    found = compare(tmp_path, en=ArmFile(tasks(3)), ja=japanese(tasks(3)))
    figures = found.of_arm(found.arms[0])

    assert figures.language is None
    assert figures.usage.averages["agent_tokens_in"].value is None
    assert figures.usage.averages["agent_cost"].value == 0.25
    assert figures.floor is None
    assert figures.normalized is None


def test_every_arm_is_compared_with_english_wherever_it_stands(tmp_path: Path) -> None:
    found = compare(tmp_path, ja=japanese(tasks(3)), en=ArmFile(tasks(3)))

    assert [pair.name for pair in found.pairs] == ["en → ja"]
    named = compare_arms(found.arms, reference="ja", settings=QUICK)
    assert [pair.name for pair in named.pairs] == ["ja → en"]


class TestFilesOfOthers:
    """Upstream's own domains, an older tau2, a fork: they load, or fail with a clear sentence."""

    def write(self, path: Path, change: Any = None) -> str:
        data = ArmFile(tasks(3), trials=2, domain="retail").data()
        for simulation in data["simulations"]:
            simulation["reward_info"]["info"] = {"note": "x"}
        if change is not None:
            change(data)
        path.write_text(json.dumps(data), encoding="utf-8")
        return f"{path.stem}={path}"

    def test_a_run_of_upstream_s_own_domain(self, tmp_path: Path) -> None:
        found = read_arms([self.write(tmp_path / "a.json"), self.write(tmp_path / "b.json")])
        check_mixtures(find_mixtures(found))

        comparison = compare_arms(found, settings=QUICK)

        assert (found[0].scenario, found[0].locale) == ("upstream", "en")
        assert comparison.ladders == ()
        assert comparison.pairs[0].difference().strict.value == 0.0

    def test_a_fork_s_further_fields_are_no_obstacle(self, tmp_path: Path) -> None:
        def fork(data: dict[str, Any]) -> None:
            data["seatau"] = {"language": "th"}
            data["info"]["environment_info"]["language"] = "th"
            for task in data["tasks"]:
                task["id"] = int(task["id"])
                task["evaluation_criteria"]["own_checks"] = [1]
            for simulation in data["simulations"]:
                simulation["messages"].append({"role": "tool", "content": [{"type": "image"}]})
                simulation["reward_info"]["language_correctness"] = 0.5
                simulation["task_id"] = int(simulation["task_id"])

        arms = read_arms([self.write(tmp_path / "a.json", fork)])

        figures = compare_arms(arms, settings=QUICK).of_arm(arms[0])
        assert (figures.graded, figures.figure(2).strict) == (6, 1.0)

    def test_an_older_file_without_what_came_later(self, tmp_path: Path) -> None:
        def age(data: dict[str, Any]) -> None:
            for task in data["tasks"]:
                del task["evaluation_criteria"]["reward_basis"]
            for simulation in data["simulations"]:
                reward = {"reward": 0.0, "db_check": {"db_match": False}}
                simulation["reward_info"] = reward
                del simulation["agent_cost"]

        arms = read_arms([self.write(tmp_path / "a.json", age), self.write(tmp_path / "b.json")])
        comparison = compare_arms(arms, settings=QUICK, reference="b")

        assert comparison.pairs[0].lost_checks[Blame.AGENT] == {"DB": 6}
        assert comparison.of_arm(arms[0]).usage.averages["agent_cost"].value is None

    def test_a_folder_of_tau2_bench_1(self, tmp_path: Path) -> None:
        self.write(tmp_path / "a.json")
        data = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
        parts = tmp_path / "run" / "simulations"
        parts.mkdir(parents=True)
        for simulation in data.pop("simulations"):
            path = parts / f"{simulation['id']}.json"
            path.write_text(json.dumps(simulation), encoding="utf-8")
        (tmp_path / "run" / "results.json").write_text(json.dumps(data), encoding="utf-8")

        (arm,) = read_arms([str(tmp_path / "run")])

        assert (arm.name, arm.runs["retail"].inventory.present) == ("run", 6)

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("[]", "holds a list, but results are an object"),
            ("{}", "is no results file of tau2: it has no key 'info', 'tasks', 'simulations'"),
            ("", "is empty"),
            ('{"info": {}, "tasks": [], "simulations": [{}]}', "simulations[0].task_id"),
        ],
    )
    def test_what_is_no_results_file_says_so(self, tmp_path: Path, text, sentence) -> None:
        (tmp_path / "x.json").write_text(text, encoding="utf-8")

        with pytest.raises(ResultsError) as error:
            read_arms([f"x={tmp_path / 'x.json'}"])

        assert sentence in str(error.value)
