"""The localized policy: upstream's own composition, with each whole document replaced.

A policy is one or more documents in tags of upstream's. A document is exchanged only where its
English stands whole; a policy of which any word would stay English is a problem.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from jtau_plugin.errors import Problem
from jtau_plugin.overlays.catalog import Catalog, is_stale

_TAG = re.compile(r"</?\w+>")


def render_policy(catalog: Catalog, english: str, documents: Mapping[str, str]) -> str:
    """Return the localized policy.

    Args:
        catalog: the domain's overlay.
        english: the policy as upstream composed it.
        documents: the English of each document of the manifest, by name.
    """
    policy = english
    for name, text in documents.items():
        if text.strip():
            policy = policy.replace(text, catalog.documents[name])
    return policy


def check_policy(catalog: Catalog, english: str, documents: Mapping[str, str]) -> list[Problem]:
    """Return a problem for each changed document, and for words that no document holds."""
    file = catalog.files["manifest.yaml"]
    problems = []
    rest = english
    for name, text in documents.items():
        key = ("documents", name)
        if is_stale(catalog.manifest.documents[name].source, text):
            hint = "translate it anew and renew the fingerprint"
            problems.append(Problem(file.where(key), "the English has changed", hint))
        if text.strip():
            rest = rest.replace(text, "")
    if _TAG.sub("", rest).strip():
        what = f"the policy holds words of no document: {rest.strip()[:60]!r}"
        problems.append(Problem(file.where(("documents",)), what, "add the document"))
    return problems
