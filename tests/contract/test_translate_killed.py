"""A run that is killed anywhere ends, when it is run again, as if nothing had happened."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from model_server import BAD_REPLIES, NO_REPLIES, ModelServer, Request, seeded, serving, well

from jtau_plugin.cli.main import main
from jtau_plugin.translation import session
from jtau_plugin.translation.english import read_english
from jtau_plugin.translation.extraction.structure import find_structure
from jtau_plugin.translation.planning import read_source

from .killing import KILLED, Diary, dying_at_write, files_of, fork, read_diary, wait

DOMAINS = ("airline", "telecom")
_MOST_LIVES = 8
_INTERRUPTED = 130
COMPONENTS = ("prompts", "policy", "tools", "names")


@pytest.fixture(autouse=True)
def _no_network() -> None:
    """These tests talk to a server of their own."""


@pytest.fixture(scope="module", autouse=True)
def _read_once() -> Iterator[None]:
    """Read tau2 once: a forked process has it then."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "read_english", cache(read_english))
        patch.setattr(session, "find_structure", cache(find_structure))
        patch.setenv("SOURCE_DATE_EPOCH", "1767312000")
        known = {
            domain: read_source(session.read_english(domain), session.find_structure(domain, None))
            for domain in DOMAINS
        }
        patch.setattr(session, "read_source", lambda english, structure: known[english.domain])
        import litellm
        import litellm.llms.openai.openai  # noqa: F401

        yield


class Victim:
    """One run that is killed and taken up again until it ends."""

    def __init__(self, server: ModelServer, folder: Path, components: tuple[str, ...]) -> None:
        self.server, self.folder, self.components = server, folder, components

    @property
    def locale(self) -> Path:
        return self.folder / "out" / "th"

    def start(
        self,
        change: Callable[[Callable[[], int]], Callable[[], int]] | None = None,
        more: Sequence[str] = (),
    ) -> int:
        given = ["--locale", "th", "--model", "openai/x", "--api-base", self.server.url]
        given += [part for domain in DOMAINS for part in ("--domain", domain)]
        given += [part for name in self.components for part in ("--component", name)]
        given += ["--out", str(self.folder / "out"), "--cache", str(self.folder / "cache")]
        given += ["--no-cache", "--first-wait", "0.001", "--batch", "10", *more]

        def work() -> int:
            return main(["translate", *given])

        return fork(change(work) if change else work, self.folder / "output.txt")

    def finish(self) -> None:
        assert wait(self.start()) == 0, (self.folder / "output.txt").read_text()[-3000:]

    def journal_lines(self) -> list[str]:
        (path,) = (self.folder / "cache" / "runs").glob("*.jsonl")
        return path.read_text(encoding="utf-8", errors="replace").splitlines()


def uninterrupted(folder: Path, components: tuple[str, ...]) -> tuple[dict[str, bytes], int]:
    """Return the files of a run that nobody disturbed, and how many texts it asked for."""
    folder.mkdir()
    with serving() as server:
        victim = Victim(server, folder, components)
        victim.finish()
        assert set(server.log.asked.values()) == {1}
        return files_of(victim.locale), len(server.log.asked)


@pytest.fixture(scope="module")
def quiet_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], int]:
    """What an undisturbed run of a part of the components ends with, for several tests."""
    return uninterrupted(tmp_path_factory.mktemp("quiet") / "right", ("prompts", "policy"))


def kill_at_request(victim: Victim, number: int, how: signal.Signals = signal.SIGKILL) -> int:
    """Kill the process while its request of some number, from now, is waiting for its answer."""
    seen = len(victim.server.log.requests)
    pid = 0

    def choose(request: Request) -> str:
        if request.number == seen + number:
            os.kill(pid, how)
        return "well"

    # The pid is known before the first request comes: the server waits for the lock.
    with victim.server.lock:
        victim.server.choose = choose
        pid = victim.start()
    ended = wait(pid)
    victim.server.choose = well
    return ended


def torture(victim: Victim, moments: list[tuple[str, int]], texts: int) -> None:
    """Kill runs at some moments, finish, and count what was asked for.

    Args:
        victim: the run.
        moments: at which request, or at which step of writing, each process dies.
        texts: how many texts there are.
    """
    asked = victim.server.log.asked
    diary = Diary()
    for kind, number in moments:
        before = sum(asked.values())
        if kind == "request":
            ended = kill_at_request(victim, number)
        else:
            ended = wait(victim.start(lambda work, n=number: dying_at_write(n, work)))
        # Nothing is asked for but what was not on the disk when the process before it died.
        assert sum(asked.values()) - before <= texts - len(diary.answered)
        assert ended in (KILLED, 0)
        if ended == 0:
            return
        diary = read_diary(victim.journal_lines())
        assert diary.again == []
    before = sum(asked.values())
    victim.finish()
    assert sum(asked.values()) - before == texts - len(diary.answered)


def test_killed_while_asking_and_while_writing(
    tmp_path: Path, quiet_run: tuple[dict[str, bytes], int]
) -> None:
    components = ("prompts", "policy")
    right, texts = quiet_run
    (tmp_path / "killed").mkdir()
    with serving() as server:
        victim = Victim(server, tmp_path / "killed", components)
        torture(victim, [("request", 2), ("write", 3), ("write", 6)], texts)
        assert files_of(victim.locale) == right
        assert len(server.log.asked) == texts
        assert list((tmp_path / "killed" / "cache" / "runs").iterdir()) == []


def test_stopped_by_a_person_and_taken_up_again(
    tmp_path: Path, quiet_run: tuple[dict[str, bytes], int]
) -> None:
    right, texts = quiet_run
    with serving() as server:
        victim = Victim(server, tmp_path, ("prompts", "policy"))
        # The sixth: with four at a time, the answers of two are there.
        assert kill_at_request(victim, 5, signal.SIGINT) == _INTERRUPTED
        said = (tmp_path / "output.txt").read_text()
        assert said.rstrip().endswith("jtau: interrupted")
        assert "Traceback" not in said
        assert files_of(victim.locale) == {}
        diary = read_diary(victim.journal_lines())
        assert diary.answered
        before = sum(server.log.asked.values())
        victim.finish()
        assert sum(server.log.asked.values()) - before == texts - len(diary.answered)
        assert files_of(victim.locale) == right


def test_every_fault_at_once_leaves_the_same_files(
    tmp_path: Path, quiet_run: tuple[dict[str, bytes], int]
) -> None:
    components = ("prompts", "policy")
    right, _ = quiet_run
    (tmp_path / "faulty").mkdir()
    modes = [mode for mode in BAD_REPLIES + NO_REPLIES if mode != "hang"]
    with serving(seeded(7, modes)) as server:
        victim = Victim(server, tmp_path / "faulty", components)
        assert wait(victim.start(more=["--max-retries", "20"])) == 0
        assert files_of(victim.locale) == right
        assert set(server.log.answered.values()) == {1}
        assert len(set(server.log.requests)) > 10


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(3))
def test_killed_at_ten_random_moments(tmp_path: Path, seed: int) -> None:
    right, texts = uninterrupted(tmp_path / "right", COMPONENTS)
    (tmp_path / "killed").mkdir()
    chance = random.Random(seed)
    moments = [("request", chance.randrange(1, 7)) for _ in range(8)]
    moments += [("write", chance.randrange(24)) for _ in range(2)]
    with serving() as server:
        victim = Victim(server, tmp_path / "killed", COMPONENTS)
        torture(victim, moments, texts)
        assert files_of(victim.locale) == right


@pytest.mark.exhaustive
def test_killed_at_every_step_of_the_writing(tmp_path: Path) -> None:
    right, _ = uninterrupted(tmp_path / "right", COMPONENTS)
    steps = 2 * len(right) + 10  # some files are written by both domains
    with serving() as server:
        for number in range(steps):
            folder = tmp_path / f"killed {number}"
            folder.mkdir()
            victim = Victim(server, folder, COMPONENTS)
            ended = wait(victim.start(lambda work, n=number: dying_at_write(n, work)))
            if ended == KILLED:
                victim.finish()
            assert files_of(victim.locale) == right, number


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(3))
def test_killed_while_the_service_fails_too(tmp_path: Path, seed: int) -> None:
    """The files are equal byte for byte, though each life of a run meets other faults.

    That holds because the service has one good answer for each text of these kinds, and none of
    its bad ones passes. A service that words the same text now so and now so gives files that are
    as good, and not the same.
    """
    right, _ = uninterrupted(tmp_path / "right", COMPONENTS)
    (tmp_path / "killed").mkdir()
    modes = [*BAD_REPLIES, "500", "429", "reset", "cut body"]
    with serving(seeded(seed, modes, 0.3)) as server:
        victim = Victim(server, tmp_path / "killed", COMPONENTS)
        chance = random.Random(seed)
        for _ in range(10):
            pid = victim.start()
            # At any moment at all.
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            victim.server.closing.wait(chance.uniform(0.2, 2.5))
            os.kill(pid, signal.SIGKILL)
            wait(pid)
        # A text that met a fault at every attempt is reported, and comes with the next run.
        lives = 0
        while (ended := wait(victim.start())) != 0:
            lives += 1
            said = (victim.folder / "output.txt").read_text()
            assert (ended, lives < _MOST_LIVES) == (1, True), said[-3000:]
            assert "not translated" in said
        assert files_of(victim.locale) == right
