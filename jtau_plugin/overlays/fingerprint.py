"""Fingerprints of the English sources that an overlay renders.

Never reads a file and never imports tau2: text in, digest out.
"""

from __future__ import annotations

import hashlib
import inspect


def fingerprint_text(text: str) -> str:
    """Return the SHA-256 (64 hex digits) of ``text``, blind to line endings and outer blanks."""
    normal = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return hashlib.sha256(normal.encode("utf-8")).hexdigest()


def fingerprint_docstring(docstring: str) -> str:
    """Return the fingerprint of a docstring, the same on every Python.

    Python 3.13 strips a docstring's common indentation when it compiles, older versions keep it,
    so the indentation is taken away before hashing.
    """
    lines = inspect.cleandoc(docstring).splitlines()
    return fingerprint_text("\n".join(line.rstrip() for line in lines))
