"""``jtau``: finds the command and turns every error of ours into one message and an exit code.

Exit codes: 0 done, 1 a problem, 2 wrong usage, 130 interrupted. An error of tau2's own passes as it
is.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from jtau_plugin import __version__
from jtau_plugin.cli import (
    analyze,
    check,
    compare,
    doctor,
    domains,
    extract,
    grade,
    patches,
    plot,
    review,
    run,
    sync,
    tag,
    translate,
)
from jtau_plugin.errors import JtauError

#: What each command says about itself, and what runs it.
COMMANDS: dict[str, tuple[str, Callable[[Sequence[str]], int]]] = {
    "run": (run.SUMMARY, run.main),
    "doctor": (doctor.SUMMARY, doctor.main),
    "domains": (domains.SUMMARY, domains.main),
    "check": (check.SUMMARY, check.main),
    "extract": (extract.SUMMARY, extract.main),
    "translate": (translate.SUMMARY, translate.main),
    "sync": (sync.SUMMARY, sync.main),
    "review": (review.SUMMARY, review.main),
    "patches": (patches.SUMMARY, patches.main),
    "grade": (grade.SUMMARY, grade.main),
    "compare": (compare.SUMMARY, compare.main),
    "analyze": (analyze.SUMMARY, analyze.main),
    "plot": (plot.SUMMARY, plot.main),
    "tag": (tag.SUMMARY, tag.main),
}
_INTERRUPTED = 130


def _parser() -> argparse.ArgumentParser:
    lines = [f"  {name:<8} {summary}" for name, (summary, _) in COMMANDS.items()]
    parser = argparse.ArgumentParser(
        prog="jtau",
        description="Localized domains for an installed, unmodified tau2.",
        epilog="\n".join(["commands:", *lines, "", "'jtau COMMAND --help' says more."]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"jtau-plugin {__version__}")
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help=", ".join(COMMANDS))
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return parser


def _print_anything(stream: TextIO) -> None:
    """Let a stream that cannot write Japanese show code points instead of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: the arguments after the program's name; ``sys.argv`` when left out.

    Returns:
        The exit code.

    Raises:
        SystemExit: argparse's own, for ``--help``, ``--version`` and wrong usage.
    """
    _print_anything(sys.stdout)
    _print_anything(sys.stderr)
    given = _parser().parse_args(argv)
    _, command = COMMANDS[given.command]
    try:
        code = command(given.arguments)
        sys.stdout.flush()
    except JtauError as error:
        print(f"jtau: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("jtau: interrupted", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe has left. The interpreter flushes once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
