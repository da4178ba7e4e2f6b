"""A results file in which every text tries to break out of the page that shows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from arm_runs import ArmFile

#: Whatever of these runs, calls this function of the page.
MARK = "__attacked"
ATTACKS = (
    f"</script><script>window.{MARK}=1</script>",
    f"<img src=x onerror='window.{MARK}=1'>",
    f'"><svg onload="window.{MARK}=1">',
    f"' onmouseover='window.{MARK}=1' x='",
    f"<!--<script>window.{MARK}=1",
    f"javascript:window.{MARK}=1",
    "]]></style></title><style>*{display:none}</style>",
    "${alert(1)} {{7*7}} $x^2$ \\frac{1}{2}",
    "left\u202eright\u2066\u0000\u0007\u001b[31m\u2028\ud800\u200b",
    '=HYPERLINK("http://x","y")',
    "&lt;b&gt; &amp; &#60;",
)
EVERYTHING = " | ".join(ATTACKS)


def write_hostile(path: Path, **settings: Any) -> Path:
    """Write a results file that is hostile in each field that is text."""
    names = [f"{number} {attack}" for number, attack in enumerate(ATTACKS)]
    arm = ArmFile(
        dict.fromkeys(names, 0.0),
        model=EVERYTHING,
        lost=("DB", "COMMUNICATE", "ACTION", "NL_ASSERTION"),
        **settings,
    )
    data = arm.data()
    data["info"]["user_info"]["llm"] = EVERYTHING
    for task in data["tasks"]:
        task["user_scenario"] = {"instructions": {"reason_for_call": EVERYTHING}}
        task["evaluation_criteria"]["actions"] = [_call()]
    for simulation in data["simulations"]:
        simulation["id"] = EVERYTHING
        simulation["messages"] = _messages()
        reward = simulation["reward_info"]
        reward["communicate_checks"] = [{"info": EVERYTHING, "met": False}]
        reward["nl_assertions"] = [{"nl_assertion": EVERYTHING, "met": False}]
        reward["action_checks"] = [{"action": _call(), "action_match": False}]
        reward["info"]["jtau"]["plugin"] = EVERYTHING
        reward["info"]["jtau"]["patches"] = [EVERYTHING]
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def _call(identifier: str = "1") -> dict[str, Any]:
    return {"id": identifier, "name": EVERYTHING, "arguments": {EVERYTHING: EVERYTHING}}


def _messages() -> list[dict[str, Any]]:
    return [
        {"role": "assistant", "content": EVERYTHING},
        {"role": "user", "content": EVERYTHING},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{**_call(), "requestor": "assistant"}],
        },
        {"role": "tool", "id": "1", "content": EVERYTHING, "error": True, "requestor": "assistant"},
        {"role": EVERYTHING, "content": EVERYTHING},
        {"role": "user", "content": "###STOP###"},
    ]
