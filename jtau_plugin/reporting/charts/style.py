"""How charts look: one palette, fonts that can write what is written, and no global state."""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from jtau_plugin.errors import SettingError

#: By role. Told apart by lightness too, and by people who do not see red and green apart.
PALETTE = {
    "ink": "#1b1f24",
    "muted": "#5b6570",
    "grid": "#d9dee3",
    "band": "#eef1f4",
    "s1": "#0b62a4",
    "s2": "#d1680a",
    "s3": "#1d7f5f",
    "s4": "#9a4d96",
    "s5": "#7a6a10",
    "s6": "#3f4fb5",
    "loss": "#b3261e",
    "gain": "#1d7f5e",
    "caller": "#8a6d00",
    "nobody": "#7d8791",
}
SERIES = ("s1", "s2", "s3", "s4", "s5", "s6")
#: One fewer than the colours, so that thirty arms differ in colour or marker.
MARKERS = ("o", "s", "D", "^", "v")
#: Families with Japanese, as they are called on the systems that bring them, then anything.
_FAMILIES = (
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "Source Han Sans JP",
    "IPAexGothic",
    "IPAGothic",
    "Hiragino Sans",
    "Yu Gothic",
    "Meiryo",
    "MS Gothic",
    "TakaoGothic",
    "VL Gothic",
)
_FALLBACK = "DejaVu Sans"
_FILES = r"(?i)NotoSansCJK-Regular|NotoSansJP|SourceHanSansJP|ipaexg|ipag\.|TakaoGothic|VL-Gothic"


def is_available() -> bool:
    """Tell whether charts can be drawn."""
    return importlib.util.find_spec("matplotlib") is not None


def require_matplotlib() -> None:
    """Make sure that charts can be drawn.

    Raises:
        SettingError: if matplotlib is not installed.
    """
    if not is_available():
        raise SettingError(
            "charts need matplotlib, which is not installed; pip install 'jtau-plugin[report]'"
        )


def _import(name: str) -> Any:
    return importlib.import_module(name)


@lru_cache(maxsize=1)
def _installed() -> dict[str, str]:
    """Return the files of the fonts that charts may use, by family, in order of preference."""
    library = _import("matplotlib.font_manager")
    manager = library.fontManager
    if not {font.name for font in manager.ttflist} & set(_FAMILIES):
        # Fonts that were installed after matplotlib made its list.
        for path in library.findSystemFonts():
            if re.search(_FILES, path):
                manager.addfont(path)
    files = {font.name: font.fname for font in manager.ttflist}
    wanted = (_FALLBACK, *_FAMILIES)
    return {name: files[name] for name in wanted if name in files}


@lru_cache(maxsize=8)
def _characters(file: str) -> frozenset[int]:
    return frozenset(_import("matplotlib.ft2font").FT2Font(file).get_charmap())


def missing_characters(texts: Iterable[str]) -> str:
    """Return the characters that no installed font can write; empty if there are none."""
    needed = {ord(character) for text in texts for character in text if not character.isspace()}
    for file in _installed().values():
        if not needed:
            break
        needed -= _characters(file)
    return "".join(sorted(map(chr, needed)))


@contextmanager
def styled(salt: str) -> Iterator[None]:
    """Draw in this project's style inside the block.

    Args:
        salt: makes the ids in an SVG differ from those of other charts in one page.
    """
    settings = {
        "font.family": list(_installed()),
        "font.size": 10,
        "text.color": PALETTE["ink"],
        "axes.edgecolor": PALETTE["grid"],
        "axes.labelcolor": PALETTE["muted"],
        "xtick.color": PALETTE["muted"],
        "ytick.color": PALETTE["ink"],
        "axes.spines.top": False,
        "axes.spines.right": False,
        "svg.fonttype": "none",
        "svg.hashsalt": salt,
        "text.parse_math": False,
    }
    with _import("matplotlib").rc_context(settings):
        yield


def make_figure(width: float, height: float) -> Any:
    """Return an empty figure, in inches."""
    return _import("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")


def rectangle(place: tuple[float, float], width: float, height: float, **settings: Any) -> Any:
    """Return a rectangle to add to axes."""
    return _import("matplotlib.patches").Rectangle(place, width, height, **settings)


def shorten(text: str, width: int) -> str:
    """Return the text in one line, cut where it would not fit."""
    text = " ".join(text.split())
    return text if len(text) <= width else f"{text[: width - 1]}…"


def clean_axes(axes: Any, *, grid: str = "x") -> None:
    """Leave of the axes what is read: labels and a faint grid."""
    axes.grid(axis=grid, color=PALETTE["grid"], linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0)


def percent_axis(axes: Any, values: Sequence[float]) -> None:
    """Let the horizontal axis show percent, with room for every value."""
    low = min((0.0, *values))
    axes.set_xlim(low - 0.01, 1.02)
    ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
    axes.set_xticks(ticks, [f"{tick:.0%}" for tick in ticks])
