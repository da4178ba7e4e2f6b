"""Takes what is obsolete out of an overlay's files, or says that it may be missing there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jtau_plugin.overlays.yamlfile import Key
from jtau_plugin.translation.obsolete import Obsolete
from jtau_plugin.translation.overlay_texts import descend

Data = dict[str, Any]


def stays(obsolete: Obsolete, *, prunes: bool) -> bool:
    """Return whether an obsolete text stays in its file, marked as optional."""
    return obsolete.can_stay and not prunes


def take_out(data: Data, obsolete: Iterable[Obsolete], *, prunes: bool) -> Data:
    """Return the content of a file without the obsolete texts that cannot stay in it.

    Args:
        data: the content.
        obsolete: texts of this file whose source is gone.
        prunes: also those that could stay for another layout.
    """
    gone: list[Key] = []
    for old in obsolete:
        if not old.key:
            continue
        if stays(old, prunes=prunes):
            _mark(descend(data, old.key))
        else:
            gone.append(old.key)
    # From the back, so that places in lists stay what they are.
    for key in sorted(gone, key=_order, reverse=True):
        owner, last = descend(data, key[:-1]), key[-1]
        if isinstance(owner, dict):
            owner.pop(last, None)
        elif isinstance(owner, list) and isinstance(last, int) and last < len(owner):
            del owner[last]
    return data


def _order(key: Key) -> tuple[int, ...]:
    return tuple(step for step in key if isinstance(step, int))


def _mark(entry: Any) -> None:
    renderings = entry if isinstance(entry, list) else [entry]
    for rendering in renderings:
        if isinstance(rendering, dict):
            rendering["optional"] = True
