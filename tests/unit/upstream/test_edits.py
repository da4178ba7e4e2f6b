"""The edits of upstream's source, on small modules of the same shape."""

from __future__ import annotations

import ast

import pytest

from jtau_plugin.upstream.contributions import check_contributions, edits_of, load_contributions
from jtau_plugin.upstream.syntax import AlreadyThereError, AnchorError

RETAIL = """
class RetailTools:
    def modify_pending_order_items(self, order, item_ids, new_item_ids):
        diff_price = 0
        for item_id, new_item_id in zip(item_ids, new_item_ids):
            if item_id == new_item_id:
                raise ValueError("the same")
            variant = self._get_variant("p", new_item_id)
            diff_price += variant.price
        for item_id, new_item_id in zip(item_ids, new_item_ids):
            item = next(i for i in order.items if i.item_id == item_id)
            item.item_id = new_item_id
            item.price = variant.price
        return order

    def cancel_pending_order(self, order):
        refunds = []
        for payment in order.payment_history:
            payment_id = payment.payment_method_id
            refunds.append((payment_id, payment.amount))
        return refunds

    def exchange_delivered_order_items(self, order, item_ids, new_item_ids):
        for item_id, new_item_id in zip(item_ids, new_item_ids):
            self._get_variant(item_id, new_item_id)
        order.exchange_items = sorted(item_ids)
        order.exchange_new_items = sorted(new_item_ids)
        return order
"""
PHONE = """
class TelecomUserTools:
    default_vpn_details = VpnDetails()

    def _connect_vpn(self):
        self.device.vpn_details = self.default_vpn_details

    def _check_status_bar(self):
        device = self.device
        if device.data_enabled and device.network:
            return "on"
        else:
            return "off"
"""
AIRLINE = """
class AirlineTools:
    def cancel_reservation(self, reservation_id):
        reservation = self._get_reservation(reservation_id)
        reservation.refund()
        return reservation
"""
GOLD = "".join(
    f"""
class {name}EnvironmentEvaluator:
    def calculate_reward(cls, golds):
        gold_environment = make()
        for action in golds:
            try:
                gold_environment.make_tool_call(action.name)
            except ValueError:
                pass
"""
    for name in ("", "FullDuplex")
)
COMMUNICATE = """
from somewhere import Message


class CommunicateEvaluator:
    def evaluate_communicate_info(cls, trajectory, infos):
        for info_str in infos:
            for message in trajectory:
                if info_str.lower() in message.content.replace(
                    ",", ""
                ):  # too simple
                    yield info_str
"""
JUDGE = """
import json

from somewhere import generate


class NLAssertionsEvaluator:
    def evaluate_nl_assertions(cls, trajectory, nl_assertions):
        transcript = "\\n".join(
            [f"{message.role}: {message.content}" for message in trajectory]
        )
        assistant_message = generate(
            transcript,
        )
        data = json.loads(assistant_message.content)
        return [result for result in data]
"""
CONFIG = '# Defaults\nDEFAULT_LLM_NL_ASSERTIONS = "m"\nDEFAULT_LLM_NL_ASSERTIONS_ARGS = {"t": 0}\n'
METRICS = """
class AgentMetrics(BaseModel):
    avg: float


def get_metrics_df(results):
    df = results.to_df()
    lost = df.reason == TerminationReason.INFRASTRUCTURE_ERROR
    return df[df.reason != TerminationReason.INFRASTRUCTURE_ERROR], lost


def compute_metrics(results):
    if not results.simulations:
        return AgentMetrics(avg=0.0)
    return AgentMetrics(
        avg=1.0,
    )


def display_metrics(metrics):
    print(metrics.avg)
"""
ACTIONS = '''
def _check_actions(calls, golden_actions, tool_types: Optional[dict] = None):
    """Check them.

    Args:
        calls: the calls.

    Returns:
        the checks.
    """
    checks = []
    for gold_action in golden_actions:
        found = False
        for call in calls:
            if gold_action.fits(call):
                found = True
                break
        checks.append(found)
    return checks


class ActionEvaluator:
    def evaluate_actions(cls, full_trajectory, golden_actions, tool_types):
        predicted_tool_calls = cls.extract(full_trajectory)
        return _check_actions(predicted_tool_calls, golden_actions, tool_types)
'''
TASKS = """
class Action:
    def compare_with_tool_call(self, tool_call):
        if self.compare_args is None:
            compare_args = tool_call.arguments.keys()
        else:
            compare_args = self.compare_args
        return all(self.arguments[k] == tool_call.arguments[k] for k in compare_args)
"""
PACKAGE = "from tau2.orchestrator import run\nfrom tau2.registry import registry\n\n__all__ = []\n"
GUIDE = "Strings that are said (substring match).\n"

SOURCES = {
    "src/tau2/domains/retail/tools.py": RETAIL,
    "src/tau2/domains/telecom/user_tools.py": PHONE,
    "src/tau2/domains/airline/tools.py": AIRLINE,
    "src/tau2/evaluator/evaluator_env.py": GOLD,
    "src/tau2/evaluator/evaluator_communicate.py": COMMUNICATE,
    "src/tau2/evaluator/evaluator_nl_assertions.py": JUDGE,
    "src/tau2/evaluator/evaluator_action.py": ACTIONS,
    "src/tau2/data_model/tasks.py": TASKS,
    "src/tau2/config.py": CONFIG,
    "src/tau2/metrics/agent_metrics.py": METRICS,
    "src/tau2/__init__.py": PACKAGE,
    "docs/evaluation.md": GUIDE,
}
CONTRIBUTIONS = load_contributions().contributions
EDITS = [(one.id, path) for one in CONTRIBUTIONS for path in edits_of(one)]


def edit(name: str, path: str):
    return edits_of(next(one for one in CONTRIBUTIONS if one.id == name))[path]


@pytest.mark.parametrize(("name", "path"), EDITS)
def test_an_edit_is_made_once_and_is_python(name, path):
    once = edit(name, path)(SOURCES[path])
    assert once != SOURCES[path]
    if path.endswith(".py"):
        ast.parse(once)
    with pytest.raises(AlreadyThereError):
        edit(name, path)(once)


@pytest.mark.parametrize(("name", "path"), EDITS)
def test_an_edit_refuses_what_it_does_not_know(name, path):
    with pytest.raises(AnchorError):
        edit(name, path)("import abc\n\nanything = 1\n")


@pytest.mark.parametrize("path", sorted({path for _, path in EDITS}))
def test_all_edits_of_a_file_go_together_in_any_order(path):
    names = [name for name, known in EDITS if known == path]
    results = set()
    for order in (names, names[::-1]):
        text = SOURCES[path]
        for name in order:
            text = edit(name, path)(text)
        results.add(ast.dump(ast.parse(text)) if path.endswith(".py") else text)
    assert len(results) == 1 or path.endswith(("agent_metrics.py", "evaluator_nl_assertions.py"))


def _run(source: str, **names) -> dict:
    exec(compile(source, "edited", "exec"), names)
    return names


def test_the_vpn_is_copied():
    class VpnDetails:
        def __init__(self, performance="good"):
            self.performance = performance

        def model_copy(self):
            return VpnDetails(self.performance)

    path = "src/tau2/domains/telecom/user_tools.py"
    for source, leaks in ((PHONE, True), (edit("telecom-vpn-default", path)(PHONE), False)):
        tools = _run(source, VpnDetails=VpnDetails)["TelecomUserTools"]
        for performance in ("poor", "good"):
            phone = tools()
            phone.device = type("Device", (), {})()
            phone._connect_vpn()
            assert phone.device.vpn_details.performance == (
                "poor" if leaks and performance == "good" else "good"
            )
            phone.device.vpn_details.performance = "poor"


def test_every_code_patch_goes_upstream_or_says_why_not():
    from jtau_plugin.patching.catalogue import load_code_patches

    assert check_contributions({patch.id for patch in load_code_patches()}) == []


def test_a_patch_that_is_not_mentioned_is_a_problem():
    patches = {name for one in CONTRIBUTIONS for name in one.patches}
    patches |= {name for one in load_contributions().without for name in one.patches}
    found = check_contributions({*patches, "new-one"} - {"score-nl"})
    assert [problem.what for problem in found] == [
        "there is no code patch 'score-nl'",
        "code patch 'new-one' is not mentioned",
    ]


@pytest.mark.parametrize("one", CONTRIBUTIONS, ids=lambda one: one.id)
def test_a_contribution_brings_a_test_and_a_short_subject(one):
    assert any(path.startswith("tests/") for path in one.adds)
    assert len(f"{one.type}: {one.title}") <= 72
    assert not one.title.endswith(".")
    assert one.title[0].islower()
    assert all(issue.startswith("#") for issue in one.upstream.issues)
