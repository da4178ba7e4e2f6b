"""A text as a whole: there at all, in the locale's language, of a fitting length, its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from jtau_plugin.checks.model import (
    ERROR,
    FRAGMENT,
    MESSAGE,
    SHOWN,
    TOOL,
    TRANSLATED,
    VALUE,
    WARNING,
    Context,
    Fault,
    Segment,
    of_all,
    of_segment,
)

_LETTERS = re.compile(r"[A-Za-z]{2,}")
_SHORTEST_REPEATED = 12
_PLACEHOLDER = re.compile(r"\{\w*\}")


@of_segment(ERROR, SHOWN, is_whole=True)
def check_empty(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """Every text says something."""
    if not segment.target.strip():
        yield Fault("the text is empty", "translate it")


@of_segment(ERROR, TRANSLATED)
def check_untranslated(segment: Segment, context: Context) -> Iterator[Fault]:  # noqa: ARG001
    """No text is still the source itself."""
    words = _LETTERS.findall(_PLACEHOLDER.sub("", segment.source))
    if len(words) > 1 and segment.source.strip() == segment.target.strip():
        yield Fault("the text is the source itself", "translate it")


@of_segment(WARNING, TRANSLATED)
def check_length(segment: Segment, context: Context) -> Iterator[Fault]:
    """A text is as long as its source lets expect."""
    rules = context.words.length
    if len(segment.source.strip()) < rules.shortest or not segment.target.strip():
        return
    ratio = len(segment.target.strip()) / len(segment.source.strip())
    if not rules.least <= ratio <= rules.most:
        yield Fault(
            f"{ratio:.2f} characters per character of the source, "
            f"expected {rules.least:.2f} to {rules.most:.2f}",
            "is something missing, or said twice?",
        )


def _bare(source: str) -> str:
    """Return a source without what makes no difference in another language."""
    return source.strip(" .!").casefold()


@of_all(ERROR, {MESSAGE, FRAGMENT, TOOL, VALUE})
def check_duplicates(
    segments: Sequence[Segment],
    context: Context,  # noqa: ARG001
) -> Iterator[tuple[Segment, Fault]]:
    """Within one scope, different sources have different texts."""
    groups: dict[tuple[str, str], list[Segment]] = {}
    for segment in segments:
        if segment.scope:
            groups.setdefault((segment.scope, segment.target.strip()), []).append(segment)
    for group in groups.values():
        if len({_bare(segment.source) for segment in group}) == 1:
            continue
        # Which of them is wrong is for a reader to say.
        for segment in group:
            other = next(o for o in group if _bare(o.source) != _bare(segment.source))
            what = f"the same text as {other.address} (line {other.line}), whose source differs"
            yield segment, Fault(what, "tell them apart")


@of_all(ERROR, TRANSLATED)
def check_consistency(
    segments: Sequence[Segment],
    context: Context,  # noqa: ARG001
) -> Iterator[tuple[Segment, Fault]]:
    """The same source has the same text, in whatever file it stands."""
    groups: dict[str, list[Segment]] = {}
    for whole in segments:
        for segment in whole.pairs():
            source = segment.source.strip()
            if len(source) >= _SHORTEST_REPEATED:
                groups.setdefault(source, []).append(segment)
    for group in groups.values():
        texts = Counter(segment.target.strip() for segment in group)
        usual, _ = texts.most_common(1)[0]
        model = next(segment for segment in group if segment.target.strip() == usual)
        for segment in group:
            if segment.target.strip() != usual:
                what = f"differs from {model.address} (line {model.line}) for the same source"
                yield segment, Fault(what, "use one of the two in both places")


CHECKS = (check_empty, check_untranslated, check_length, check_duplicates, check_consistency)
