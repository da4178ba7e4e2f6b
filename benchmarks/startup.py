"""What the hook costs at interpreter start when tau2 is never imported."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

# The interpreter behind a virtual environment starts with site, but without any .pth of ours.
_PYTHON = getattr(sys, "_base_executable", sys.executable)
_HOOKED = "import jtau_plugin._bootstrap as b; b.install()"


def _start(code: str) -> float:
    begin = time.perf_counter()
    subprocess.run([_PYTHON, "-c", code], check=True)
    return (time.perf_counter() - begin) * 1000


def _inside(runs: int) -> float:
    """Return the median milliseconds of the hook's own import, timed inside the interpreter."""
    path = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    code = (
        f"import sys, time; sys.path.insert(0, {path!r}); t = time.perf_counter(); "
        f"{_HOOKED}; print((time.perf_counter() - t) * 1000)"
    )
    times = []
    for _ in range(runs):
        out = subprocess.run(
            [_PYTHON, "-c", code],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "JTAU_DISABLE": ""},
        )
        times.append(float(out.stdout))
    return statistics.median(times)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    bare = statistics.median(_start("pass") for _ in range(options.runs))
    report = {"bare interpreter ms": bare, "hook ms": _inside(options.runs)}
    if options.json:
        print(json.dumps(report, indent=2))
    else:
        for name, value in report.items():
            print(f"{name:24} {value:8.3f}")


if __name__ == "__main__":
    main()
