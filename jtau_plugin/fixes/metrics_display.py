"""Lines below tau2's own display of metrics that say what strict figures are made of."""

from __future__ import annotations

from typing import Any

from jtau_plugin.compat.agent_metrics import lines_of
from jtau_plugin.models.results import RecordedResults
from jtau_plugin.scoring.agent_metrics import describe
from jtau_plugin.scoring.bootstrap import Bootstrap
from jtau_plugin.scoring.summary import summarize_run


def make(original: Any) -> Any:
    """Return the replacement for ``ConsoleDisplay.display_agent_metrics``."""

    def display_agent_metrics(cls: Any, metrics: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(cls, metrics, *args, **kwargs)
        for line in lines_of(metrics):
            # Ids of tasks hold brackets, which are no markup.
            cls.console.print(line, markup=False, highlight=False, soft_wrap=True)
        return result

    return display_agent_metrics


def check() -> list[str]:
    """Return what is left unsaid of an English and a Japanese vector with a lost trial."""
    problems = []
    for domain, task in (("retail", "[0]"), ("ja_retail", "住所変更")):
        results = RecordedResults.model_validate(
            {
                "info": {"num_trials": 1, "environment_info": {"domain_name": domain}},
                "tasks": [{"id": task}],
            }
        )
        run = summarize_run(results, domain, settings=Bootstrap(repetitions=2))
        if "1 missing" not in "\n".join(describe(run, "v0_2")):
            problems.append(f"{domain}: a lost trial of task {task} is not mentioned")
    return problems
