"""The command ``jtau``: dispatch, exit codes, and errors that are messages."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from jtau_plugin import __version__
from jtau_plugin.cli import main as cli
from jtau_plugin.errors import JtauError, OverlayError, Problem


@pytest.fixture
def command(monkeypatch):
    """``command(action)`` puts a function in the place of 'doctor'; returns what it was given."""
    given: list[list[str]] = []

    def put(action):
        def run(arguments):
            given.append(list(arguments))
            return action()

        monkeypatch.setitem(cli.COMMANDS, "doctor", ("says something", run))
        return given

    return put


def raising(error):
    def action():
        raise error

    return action


@pytest.mark.parametrize("code", [0, 1])
def test_the_commands_exit_code_is_the_programs(command, code):
    command(lambda: code)
    assert cli.main(["doctor"]) == code


@pytest.mark.parametrize(
    "arguments",
    [[], ["--json"], ["--help"], ["-x", "1", "--y=2", "z"], ["--version"]],
)
def test_a_command_gets_every_argument_behind_its_name(command, arguments):
    given = command(lambda: 0)
    cli.main(["doctor", *arguments])
    assert given == [arguments]


def test_an_error_of_ours_is_a_message(command, capsys):
    problems = [Problem("values.yaml:3: a", "unknown key", "remove it"), Problem("b", "c")]
    command(raising(OverlayError("The overlay cannot be used.", problems)))
    assert cli.main(["doctor"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "jtau: The overlay cannot be used.\n"
        "  - values.yaml:3: a: unknown key (remove it)\n"
        "  - b: c\n"
    )


def test_an_error_of_others_passes(command):
    command(raising(ZeroDivisionError("theirs")))
    with pytest.raises(ZeroDivisionError):
        cli.main(["doctor"])


def test_an_interrupt_is_no_traceback(command, capsys):
    command(raising(KeyboardInterrupt()))
    assert cli.main(["doctor"]) == 130
    assert capsys.readouterr().err == "jtau: interrupted\n"


@pytest.mark.parametrize("arguments", [[], ["dance"], ["--dance"], ["doctor", "--dance"]])
def test_wrong_usage_exits_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    assert caught.value.code == 2
    assert "usage: jtau" in capsys.readouterr().err


def test_version(capsys):
    with pytest.raises(SystemExit) as caught:
        cli.main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"jtau-plugin {__version__}\n"


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as caught:
        cli.main(["--help"])
    assert caught.value.code == 0
    out = capsys.readouterr().out
    for name, (summary, _) in cli.COMMANDS.items():
        assert f"  {name:<8} {summary}" in out


def test_a_terminal_that_knows_no_japanese_shows_code_points(command, monkeypatch):
    buffer = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(buffer, encoding="ascii"))

    def action():
        sys.stdout.write("小売\n")
        return 0

    command(action)
    assert cli.main(["doctor"]) == 0
    assert buffer.getvalue() == b"\\u5c0f\\u58f2\n"


def test_a_reader_that_leaves_early_is_no_traceback(tmp_path):
    code = (
        "import sys; from jtau_plugin.cli import main as cli;"
        "cli.COMMANDS['doctor'] = ('', lambda a: [print('x' * 1000) for _ in range(1000)] and 0);"
        "sys.exit(cli.main(['doctor']))"
    )
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], stdout=writer, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writer)
    assert done.returncode == 1
    assert done.stderr == b""


def test_every_error_of_ours_is_of_one_family():
    assert issubclass(OverlayError, JtauError)
