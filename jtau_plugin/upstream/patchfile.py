"""Patches as files: what differs, under a commit's message, in the form that ``git am`` reads."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from email.header import Header
from pathlib import Path

from jtau_plugin import __version__
from jtau_plugin.errors import JtauError
from jtau_plugin.models.patches import Upstream
from jtau_plugin.upstream.changes import Change
from jtau_plugin.upstream.checkout import run_git

_WIDTH = 72
_FIRST_LINE = f"From {'0' * 40} Mon Sep 17 00:00:00 2001"
_OWN = "sierra-research/tau2-bench"
_GATES = {
    "DB": "It decides the DB check.",
    "COMMUNICATE": "It decides the COMMUNICATE check.",
    "simulation": "It changes how conversations go, not what is checked.",
    "none": "It decides no check.",
}


@dataclass(frozen=True)
class Message:
    """A commit's message.

    Attributes:
        subject: its first line.
        body: the rest.
    """

    subject: str
    body: str


def subject_of(type_: str, title: str, area: str = "") -> str:
    """Return the first line of a commit's message, as upstream writes it: ``type: what``."""
    starts_with_a_name = title[1:2].isupper()
    text = title if starts_with_a_name else title[:1].lower() + title[1:]
    return ": ".join(filter(None, (type_, area, text.rstrip("."))))


def references(upstream: Upstream) -> list[str]:
    """Return a line for each issue where the fault is known: ``Fixes #554``."""
    lines = []
    for issue in upstream.issues:
        repository, _, number = issue.partition("#")
        is_open = upstream.state in ("open", "unfiled")
        verb = "Fixes" if is_open and not repository else "See"
        lines.append(f"{verb} {f'sierra-research/{repository}' if repository else ''}#{number}")
    return lines


def message_of(change: Change) -> Message:
    """Return the message of a change's commit."""
    _, *middle, _ = change.group.branch.split("/")
    area = middle[0] if middle and change.contribution is None else ""
    paragraphs = [change.why]
    if change.contribution is not None:
        paragraphs.append(change.contribution.solution)
    paragraphs += filter(None, [change.evidence, effect_of(change)])
    body = "\n\n".join(_wrap(paragraph) for paragraph in paragraphs)
    closing = references(change.upstream)
    text = "\n\n".join([body, "\n".join(closing)] if closing else [body])
    return Message(subject_of(change.group.type, change.title, area), text)


def effect_of(change: Change) -> str:
    """Return the sentence that says what a change decides; nothing for one that does not say."""
    return _GATES.get(change.gates, f"It decides: {change.gates}.") if change.gates else ""


def _wrap(text: str) -> str:
    """Return a paragraph in lines; none of them looks like the start of a patch."""
    lines = textwrap.wrap(
        " ".join(text.split()), _WIDTH, break_long_words=False, break_on_hyphens=False
    )
    marks = ("---", "diff ", "From ", "Index: ")
    return "\n".join(f" {line}" if line.startswith(marks) else line for line in lines)


def difference(before: Mapping[str, str | None], after: Mapping[str, str], folder: Path) -> str:
    """Return what differs between files, in git's format.

    Args:
        before: the files' texts by path; ``None`` for one that is not there yet.
        after: the new texts.
        folder: a folder for scratch, which no other file is in.

    Raises:
        JtauError: if git makes no difference of it.
    """
    sides = {"a": before, "b": after}
    for side, texts in sides.items():
        (folder / side).mkdir(exist_ok=True)
        for path, text in texts.items():
            if text is not None:
                write_text(folder / side / path, text)
    made = run_git(
        ["diff", "--no-index", "--no-prefix", "--full-index", *sides],
        folder,
        own_settings=False,
    )
    for side, texts in sides.items():
        for path in texts:
            (folder / side / path).unlink(missing_ok=True)
    said = made.stderr.decode("utf-8", "replace").strip()
    if made.returncode != 1 or not made.stdout:
        raise JtauError(f"git diff made no patch: {said or 'nothing differs'}")
    # Between folders, git names a new file after the one side that has it.
    return re.sub(r"^diff --git b/", "diff --git a/", made.stdout.decode("utf-8"), flags=re.M)


def write_text(path: Path, text: str) -> None:
    """Write a text as it is, with the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


def as_mail(message: Message, patch: str, author: str, number: tuple[int, int] | None) -> str:
    """Return a patch as one mail, which ``git am`` turns into a commit.

    Args:
        message: the commit's message.
        patch: what differs.
        author: whose commit it is, as a mail header names a person.
        number: its place in a series and the series' length.
    """
    place = f" {number[0]:0{len(str(number[1]))}}/{number[1]}" if number else ""
    return "\n".join(
        [
            _FIRST_LINE,
            f"From: {_header(author)}",
            f"Subject: {_header(f'[PATCH{place}] {message.subject}')}",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=UTF-8",
            "Content-Transfer-Encoding: 8bit",
            "",
            message.body,
            "---",
            patch.rstrip("\n"),
            "-- ",
            f"jtau-plugin {__version__}",
            "",
        ]
    )


def _header(text: str) -> str:
    return text if text.isascii() else Header(text, "utf-8", maxlinelen=10_000).encode()
