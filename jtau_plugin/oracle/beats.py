"""The parts of a conversation: who says or does what, in which order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

AGENT = "agent"
USER = "user"
STOP = "###STOP###"


@dataclass(frozen=True)
class Beat:
    """One message of one side: a text or a call.

    Attributes:
        side: ``agent`` or ``user``.
        means: what the message is for (``consent``, ``identity``, ``call`` …).
        text: what is said; empty for a call.
        tool: the tool that is called, if any.
        arguments: its arguments as they are written.
        done: what the agent says afterwards if the call was accepted; empty for look-ups.
        title: what the call does, for the sentence that it was refused.
        record: what is noted in the message's raw data.
    """

    side: str
    means: str
    text: str = ""
    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    done: str = ""
    title: str = ""
    record: dict[str, Any] | None = None


@dataclass(frozen=True)
class Script:
    """A whole conversation.

    Attributes:
        beats: all messages in order, without the greeting and the tools' answers.
        fault: the saboteur's record, or ``None``.
    """

    beats: tuple[Beat, ...]
    fault: dict[str, Any] | None = None

    def of(self, side: str) -> tuple[Beat, ...]:
        """Return the messages of one side."""
        return tuple(beat for beat in self.beats if beat.side == side)
