"""Helpers of the contract tests: calls, databases, and what counts as stray English."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import Any

import tau2.registry  # noqa: F401  (imported for its place in sys.modules)
from tau2.data_model.message import ToolCall

from jtau_plugin.compat.layout import detect_layout

# The shapes of what may stay as it is in a Japanese sentence.
_NOT_ENGLISH = re.compile(
    r"""
      \#?[A-Za-z]*\d[A-Za-z\d_.#-]*                     # ids and numbers
    | [A-Za-z]+(?:[_.][A-Za-z_<>]+)+                   # names of tools, parameters and functions
    | 「[A-Za-z]+」 | [A-Za-z]+型                      # a quoted name, a type
    | (?<![A-Za-z])(?:
          int|str|float|bool|list|dict|tuple|complex|set|object|NoneType|None|True|False
        | RAM|PayPal|Visa|Mastercard|ID|JSON|EST
      )(?![A-Za-z])
    """,
    re.VERBOSE,
)
_WORD = re.compile(r"[A-Za-z]{2,}")


def registry() -> Any:
    return sys.modules["tau2.registry"].registry


def is_main() -> bool:
    """Return whether the installed tau2 is the layout of tau2-bench 1.0."""
    return detect_layout().name == "v1_0"


def call(env: Any, name: str, arguments: dict[str, Any], requestor: str = "assistant") -> Any:
    """Return the tool message for a call as a model would make it."""
    message = ToolCall(id="c1", name=name, arguments=arguments, requestor=requestor)
    return env.get_response(message)


def stray_english(sentence: str, *known: str) -> list[str]:
    """Return the English words of a Japanese sentence that are no ids, names of tools or types.

    Args:
        sentence: what a model is shown; the prefix ``Error: `` is upstream's and stays.
        known: what the caller wrote itself and gets back.
    """
    text = sentence.removeprefix("Error: ")
    for own in known:
        text = text.replace(own, " ")
    return _WORD.findall(_NOT_ENGLISH.sub(" ", text))


def install_network_guard(monkeypatch: Any) -> None:
    """Make every attempt to open a connection fail the test."""
    import socket

    def refuse(*args: Any, **kwargs: Any) -> None:
        raise AssertionError(f"a test tried to reach the network: {args}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def fresh_domain() -> Any:
    """Return a ``ja_retail`` that has read nothing yet, beside the registered one."""
    from jtau_plugin.domains import LocalizedDomain

    return LocalizedDomain("ja", "retail", "retail", "retail")


def run_python(code: str, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run code in an interpreter of its own and return what it printed; it must not fail.

    Args:
        code: text of a program.
        arguments: its command line.
        settings: environment variables that it has besides ours.
    """
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done
