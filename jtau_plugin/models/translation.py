"""What the translation pipeline keeps about single texts: the lines of ``ledger.jsonl``."""

from __future__ import annotations

from typing import Literal

from jtau_plugin.models.base import Fingerprint, FrozenModel, Text

#: ``written``: taken over as it stood; the manifest says how it came to be.
Origin = Literal["machine", "person", "written"]
#: ``retired``: its source is gone; the text is kept here.
Status = Literal["translated", "reviewed", "stale", "retired"]


class LedgerEntry(FrozenModel):
    """Where one text of an overlay stands.

    Attributes:
        address: the segment's address.
        source: fingerprint of the English that the text renders.
        text: fingerprint of the text; another text in the file is a person's edit.
        place: which section of the localized document it is, from 0.
        origin: who wrote it.
        status: how far it is.
        model: the model that wrote it.
        prompt: version of the words in which the model was asked.
        date: when it was written or reviewed.
        tau2: the distribution of tau2 whose English it renders.
        reviewer: who read it last.
        round: the round of review in which that was.
        note: what a reviewer, or the last check of a machine's text, had to say.
        retired: the text itself, of a source that is gone.
    """

    address: Text
    source: Fingerprint
    text: Fingerprint | None = None
    place: int | None = None
    origin: Origin = "written"
    status: Status = "translated"
    model: Text | None = None
    prompt: Text | None = None
    date: Text | None = None
    tau2: Text | None = None
    reviewer: Text | None = None
    round: Text | None = None
    note: Text | None = None
    retired: Text | None = None
