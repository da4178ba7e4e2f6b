"""What every file format's model shares."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

_SHA256 = re.compile(r"[0-9a-f]{64}")


def _check_sha256(value: str) -> str:
    if not _SHA256.fullmatch(value):
        raise ValueError("expected a SHA-256 of 64 hexadecimal digits")
    return value


def _check_text(value: str) -> str:
    if not value.strip():
        raise ValueError("expected a text that is not empty")
    return value


Fingerprint = Annotated[str, AfterValidator(_check_sha256)]
#: Fingerprints of every English wording that one text renders; a single one may stand alone.
Sources = Annotated[
    tuple[Fingerprint, ...], BeforeValidator(lambda v: (v,) if isinstance(v, str) else v)
]
Text = Annotated[str, AfterValidator(_check_text)]


class FrozenModel(BaseModel):
    """Immutable, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
