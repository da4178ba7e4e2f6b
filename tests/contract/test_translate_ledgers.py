"""The ledgers of the Japanese overlays: an edit upstream makes exactly what it touched stale."""

from __future__ import annotations

import json

import pytest

from jtau_plugin import resources
from jtau_plugin.cli import sync
from jtau_plugin.translation.ledger import load_ledger

from .drifted import Upstream

EDITED = {
    "airline": ("airline/policy.md", "airline/policy.md#Airline Agent Policy"),
    "retail": ("retail/policy.md", "retail/policy.md#Retail agent policy"),
    "telecom": ("telecom/main_policy.md", "telecom/main_policy.md#Telecom Agent Policy"),
}


def lengthen(text: str) -> str:
    """Add a sentence to the first paragraph below the first heading."""
    heading, paragraph, rest = text.split("\n\n", 2)
    return f"{heading}\n\n{paragraph} Be brief.\n\n{rest}"


def test_one_edited_paragraph_makes_one_segment_stale(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream = Upstream(monkeypatch)
    for path, _ in EDITED.values():
        upstream.edit_document(path, lengthen)
    assert sync.main(["--check", "--locale", "ja", "--json"]) == 1
    (locale,) = json.loads(capsys.readouterr().out)["locales"]
    for found in locale["found"]:
        assert found["stale"] == [EDITED[found["domain"]][1]]
        assert found["missing"] == found["kept"] == found["obsolete"] == found["problems"] == []


@pytest.mark.parametrize("domain", sorted(EDITED))
def test_the_ledgers_claim_no_model_and_no_review(domain: str) -> None:
    entries = load_ledger(dict(resources.iter_locales())["ja"] / domain)
    assert entries
    assert {(e.origin, e.status) for e in entries.values()} == {("written", "translated")}
    assert not any(e.model or e.prompt or e.reviewer or e.text for e in entries.values())
    # Documents and tools: what other files hold says itself which English it renders.
    assert {e.address.partition("#")[0].rpartition(".")[2] for e in entries.values()} == {
        "md",
        "yaml",
    }
