"""Messages and mails of patches."""

from __future__ import annotations

import email
import email.header

import pytest

from jtau_plugin.errors import JtauError
from jtau_plugin.models.patches import Upstream
from jtau_plugin.upstream.changes import Group
from jtau_plugin.upstream.patchfile import (
    Message,
    as_mail,
    difference,
    message_of,
    references,
    subject_of,
)

from .checkouts import change, line_change


def test_subjects_are_written_as_upstream_writes_them():
    assert subject_of("fix", "Expect 708.", "airline") == "fix: airline: expect 708"
    assert subject_of("feat", "VPN details") == "feat: VPN details"
    assert subject_of("fix", "A") == "fix: a"


@pytest.mark.parametrize(
    ("issues", "state", "lines"),
    [
        ((), "unfiled", []),
        (("#554",), "open", ["Fixes #554"]),
        (("#554",), "unfiled", ["Fixes #554"]),
        (("#84",), "merged", ["See #84"]),
        (("#1", "tau-bench#37"), "open", ["Fixes #1", "See sierra-research/tau-bench#37"]),
    ],
)
def test_issues_are_named(issues, state, lines):
    assert references(Upstream(issues=issues, state=state)) == lines


def test_a_message_says_why_and_how_it_is_known():
    made = line_change(
        1,
        why="Long " * 40,
        evidence="--- a line\nthat looks like a patch",
        upstream=Upstream(issues=("#5",), state="open"),
    )
    message = message_of(made)
    assert message.subject == "fix: shop: change line-1"
    assert max(map(len, message.body.split("\n"))) <= 73
    assert "\n\n --- a line that looks like a patch\n\nIt decides the DB check." in message.body
    assert message.body.endswith("\n\nFixes #5")
    assert not any(line.startswith("---") for line in message.body.split("\n"))
    other = message_of(line_change(1, gates="DB and ACTION", group=Group("fix/a", "a")))
    assert other.subject == "fix: change line-1"
    assert "It decides: DB and ACTION." in other.body
    assert "It decides" not in message_of(line_change(1, gates="")).body


def test_a_mail_can_be_read():
    text = as_mail(Message("fix: größe", "Weil.\n\nFixes #1"), "diff\n", "Änn <a@b.org>", (3, 12))
    first, _, rest = text.partition("\n")
    assert first.startswith("From 000")
    mail = email.message_from_string(rest)

    def header(name):
        return str(email.header.make_header(email.header.decode_header(mail[name])))

    assert header("Subject") == "[PATCH 03/12] fix: größe"
    assert header("From") == "Änn <a@b.org>"
    assert mail["Date"] is None
    assert mail.get_payload().startswith("Weil.\n\nFixes #1\n---\ndiff\n-- \njtau-plugin ")
    assert "Subject: [PATCH] fix: a\n" in as_mail(Message("fix: a", ""), "", "A <a@b.org>", None)


def test_differences_are_git_s(tmp_path):
    text = difference({"x/a.txt": "1\n2\n", "b": None}, {"x/a.txt": "1\n3", "b": "new\n"}, tmp_path)
    assert "diff --git a/x/a.txt b/x/a.txt\n" in text
    assert "--- a/x/a.txt\n+++ b/x/a.txt\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n\\ No newline" in text
    assert "diff --git a/b b/b\nnew file mode 100644\n" in text
    assert "--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+new\n" in text
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    with pytest.raises(JtauError, match="nothing differs"):
        difference({"a": "1"}, {"a": "1"}, tmp_path)


def test_a_contribution_tells_its_solution():
    from jtau_plugin.upstream.changes import _contributed
    from jtau_plugin.upstream.contributions import load_contributions

    one = load_contributions().contributions[0]
    message = message_of(_contributed(one))
    assert message.subject == f"{one.type}: {one.title}"
    flat = " ".join(message.body.split())
    assert one.problem in flat
    assert one.solution in flat
    assert change("a", None).contribution is None
