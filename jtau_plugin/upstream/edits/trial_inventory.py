"""The metrics say which trials of a run are missing, and what pass^k is when they count."""

from __future__ import annotations

import ast

from jtau_plugin.upstream.syntax import (
    AlreadyThereError,
    AnchorError,
    Editor,
    first_of,
    is_call,
    walk,
)

_TAKE = "take_trial_inventory"
_MODEL = "TrialInventory"
_HELPERS = f'''
class {_MODEL}(BaseModel):
    """
    Which trials a run has, out of those that it should have.
    """

    expected: int
    missing: int
    duplicates: int
    # pass^k over all tasks and trials of the run: what is missing has not passed.
    strict_pass_hat_ks: dict[int, float]


def {_TAKE}(results: Results) -> {_MODEL}:
    """
    Count the trials of a run before anything is filtered out.

    Every task should have each trial once. A second result of the same trial is
    counted and otherwise ignored; an infrastructure error has no result.
    """
    num_trials = results.info.num_trials
    passed: dict[str, set[int]] = {{task.id: set() for task in results.tasks}}
    seen: set[tuple[str, int]] = set()
    duplicates = 0
    for sim in results.simulations:
        cell = (sim.task_id, sim.trial or 0)
        if sim.termination_reason == TerminationReason.INFRASTRUCTURE_ERROR:
            continue
        if cell in seen:
            duplicates += 1
            continue
        seen.add(cell)
        if sim.reward_info is not None and is_successful(sim.reward_info.reward):
            passed.setdefault(sim.task_id, set()).add(cell[1])
    strict = {{}}
    for k in range(1, num_trials + 1):
        values = [
            pass_hat_k(num_trials, min(len(trials), num_trials), k)
            for trials in passed.values()
        ]
        strict[k] = sum(values) / len(values) if values else 0.0
    expected = len(passed) * num_trials
    return {_MODEL}(
        expected=expected,
        missing=max(0, expected - len(seen)),
        duplicates=duplicates,
        strict_pass_hat_ks=strict,
    )
'''
_TAKEN = f"""
inventory = {_TAKE}(results)
if inventory.missing or inventory.duplicates:
    logger.warning(
        f"Of {{inventory.expected}} trials {{inventory.missing}} have no result, and "
        f"{{inventory.duplicates}} results repeat a trial. pass^k is computed over what "
        "is there; strict pass^k counts what is missing as not passed."
    )
"""
_FIELDS = f"""
# Which trials the run has, out of those that it should have
trial_inventory: {_MODEL} | None = None
"""
_SHOWN = """
inventory = metrics.trial_inventory
if inventory is not None and (inventory.missing or inventory.duplicates):
    print(f"Missing trials: {inventory.missing} of {inventory.expected}")
    print(f"Repeated trials: {inventory.duplicates}")
    for k, value in inventory.strict_pass_hat_ks.items():
        print(f"  strict k={k}: {value}")
"""


def edit_metrics(source: str) -> str:
    """Take the inventory first, hand it on with the metrics, and show what is missing."""
    editor = Editor(source)
    if editor.has(_TAKE):
        raise AlreadyThereError
    compute = editor.function("compute_metrics")
    model, _, function = _HELPERS.partition("\n\n\n")
    owner = editor.class_named("AgentMetrics")
    editor.define_before(owner, model)
    editor.define_before(compute, function)
    _add_field(editor, owner)
    first = first_of((node for node in compute.body if isinstance(node, ast.If)), "the first test")
    editor.insert_before(first, _TAKEN)
    made = [call for call in walk(compute, ast.Call) if is_call(call, "AgentMetrics")]
    if not made:
        raise AnchorError("compute_metrics makes no AgentMetrics")
    for call in made:
        last = call.keywords[-1].value
        editor.replace_expression(
            last, f"{editor.text_of(last)},\n{' ' * _column(call)}trial_inventory=inventory"
        )
    editor.insert_after(editor.function("display_metrics").body[-1], _SHOWN)
    return editor.result()


def _column(call: ast.Call) -> int:
    return call.keywords[-1].value.col_offset - len(f"{call.keywords[-1].arg}=")


def _add_field(editor: Editor, owner: ast.ClassDef) -> None:
    """Add the field after the last one."""
    fields = [node for node in owner.body if isinstance(node, ast.AnnAssign)]
    if not fields:
        raise AnchorError("AgentMetrics has no field")
    editor.insert_after(fields[-1], _FIELDS, apart=True)


EDITS = {"src/tau2/metrics/agent_metrics.py": edit_metrics}
