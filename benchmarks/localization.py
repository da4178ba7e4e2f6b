"""What localization costs per call, against upstream in the same process.

Prints medians in milliseconds: one tool call, all schemas of one model call after the first, one
environment constructor, one grading.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

from loguru import logger

logger.remove()

from jtau_plugin.compat.layout import detect_layout, module, registry  # noqa: E402

Calls = list[tuple[str, str, dict[str, Any]]]

CALLS: dict[str, Calls] = {
    "retail": [
        ("assistant", "get_order_details", {"order_id": "#W2378156"}),
        ("assistant", "get_product_details", {"product_id": "1656367028"}),
        ("assistant", "get_user_details", {"user_id": "yusuf_rossi_9620"}),
        ("assistant", "list_all_product_types", {}),
        ("assistant", "calculate", {"expression": "12.5 + 3"}),
        ("assistant", "get_order_details", {"order_id": "#W0"}),
    ],
    "airline": [
        ("assistant", "get_reservation_details", {"reservation_id": "4WQ150"}),
        ("assistant", "list_all_airports", {}),
        ("assistant", "get_user_details", {"user_id": "chen_jackson_3290"}),
        ("assistant", "get_flight_status", {"flight_number": "HAT001", "date": "2024-05-15"}),
        ("assistant", "get_reservation_details", {"reservation_id": "0"}),
    ],
    "telecom": [
        ("assistant", "get_customer_by_phone", {"phone_number": "555-123-2002"}),
        ("assistant", "get_bills_for_customer", {"customer_id": "C1001"}),
        ("user", "check_status_bar", {}),
        ("user", "check_network_status", {}),
        ("user", "check_apn_settings", {}),
        ("user", "run_speed_test", {}),
    ],
}


def _paired(left: Callable[[], Any], right: Callable[[], Any], runs: int) -> tuple[float, float]:
    """Return the median milliseconds of both, measured in turn so that drift hits both."""
    times: tuple[list[float], list[float]] = ([], [])
    for function in (left, right):
        function()
    gc.collect()
    gc.disable()
    try:
        for _ in range(runs):
            for function, own in zip((left, right), times, strict=True):
                start = time.perf_counter()
                function()
                own.append((time.perf_counter() - start) * 1000)
    finally:
        gc.enable()
    return statistics.median(times[0]), statistics.median(times[1])


def _calls(domain: str, runs: int) -> dict[str, dict[str, float]]:
    tool_call = module("tau2.data_model.message").ToolCall
    english = registry().get_env_constructor(domain)()
    local = registry().get_env_constructor(f"ja_{domain}")()
    rows = {}
    for requestor, name, arguments in CALLS[domain]:
        call = tool_call(id="1", name=name, arguments=arguments, requestor=requestor)
        before, after = _paired(
            lambda c=call: english.get_response(c), lambda c=call: local.get_response(c), runs
        )
        key = f"{name}({', '.join(map(str, arguments.values()))})"
        rows[key] = {"upstream": before, "localized": after, "more": after - before}
    return rows


def _schemas(domain: str, runs: int) -> dict[str, float]:
    english = registry().get_env_constructor(domain)().get_tools()
    local = registry().get_env_constructor(f"ja_{domain}")().get_tools()
    before, after = _paired(
        lambda: [t.openai_schema for t in english], lambda: [t.openai_schema for t in local], runs
    )
    return {"upstream": before, "localized": after, "more": after - before}


def _constructor(domain: str, runs: int) -> dict[str, float]:
    before, after = _paired(
        registry().get_env_constructor(domain), registry().get_env_constructor(f"ja_{domain}"), runs
    )
    return {"upstream": before, "localized": after, "ratio": after / before}


def measure(runs: int) -> dict[str, Any]:
    """Return all figures in milliseconds, by domain."""
    layout = detect_layout()
    report: dict[str, Any] = {"tau2": f"{layout.distribution} {layout.version}", "domains": {}}
    for domain in CALLS:
        if f"ja_{domain}" not in registry().get_domains():
            continue
        calls = _calls(domain, runs)
        report["domains"][domain] = {
            "get_response": calls,
            "get_response median more": statistics.median(r["more"] for r in calls.values()),
            "all schemas, after the first": _schemas(domain, runs),
            "environment constructor": _constructor(domain, max(runs // 20, 5)),
        }
    return report


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measure(options.runs)
    if options.json:
        print(json.dumps(report, ensure_ascii=False, indent=2))
        return
    print(report["tau2"])
    for domain, figures in report["domains"].items():
        print(f"\n{domain}")
        for name, row in figures["get_response"].items():
            print(f"  {name:60} {row['upstream']:8.3f} -> {row['localized']:8.3f} ms")
        print(f"  {'get_response, median more':60} {figures['get_response median more']:8.3f} ms")
        for name in ("all schemas, after the first", "environment constructor"):
            row = figures[name]
            print(f"  {name:60} {row['upstream']:8.3f} -> {row['localized']:8.3f} ms")


if __name__ == "__main__":
    main()
