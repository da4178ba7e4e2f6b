import os
import subprocess
import sys

PRINT = (
    "from tau2.config import DEFAULT_LLM_NL_ASSERTIONS as model, "
    "DEFAULT_LLM_NL_ASSERTIONS_ARGS as args; print(model, args)"
)


def shown(**variables: str) -> str:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("TAU2_NL_ASSERTIONS_LLM")
    }
    done = subprocess.run(
        [sys.executable, "-c", PRINT],
        env={**environment, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()[-1]


def test_the_judge_can_be_chosen():
    chosen = shown(
        TAU2_NL_ASSERTIONS_LLM="local/judge",
        TAU2_NL_ASSERTIONS_LLM_ARGS='{"temperature": 1.0, "api_base": "here"}',
    )
    assert chosen == "local/judge {'temperature': 1.0, 'api_base': 'here'}"


def test_the_default_stays():
    assert shown().endswith("{'temperature': 0.0}")
    assert "local/judge" not in shown()
