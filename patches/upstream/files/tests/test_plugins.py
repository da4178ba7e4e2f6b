from importlib.metadata import EntryPoint

import pytest

from tau2 import plugins


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch):
    """Lets a test say which plugins are installed: functions by name."""
    monkeypatch.setattr(plugins, "_tried", set())
    monkeypatch.delenv(plugins.PLUGINS_VARIABLE, raising=False)

    class Point(EntryPoint):
        def load(self):
            return functions[self.name]

    functions = {}

    def install(**given):
        functions.update(given)
        points = [Point(name, f"x:{name}", plugins.ENTRY_POINT_GROUP) for name in given]
        monkeypatch.setattr(plugins, "entry_points", lambda group: points)

    return install


def test_each_plugin_is_called_once(installed):
    calls = []
    installed(b=lambda: calls.append("b"), a=lambda: calls.append("a"))
    assert plugins.load_plugins() == ["a", "b"]
    assert plugins.load_plugins() == []
    assert calls == ["a", "b"]


def test_a_plugin_that_fails_does_not_stop_the_others(installed):
    def fail():
        raise RuntimeError("broken")

    installed(a=fail, b=lambda: None)
    assert plugins.load_plugins() == ["b"]


@pytest.mark.parametrize(
    ("setting", "loaded"),
    [("none", []), ("", []), ("b", ["b"]), ("b, a", ["a", "b"]), ("c", [])],
)
def test_the_variable_chooses(installed, monkeypatch, setting, loaded):
    installed(a=lambda: None, b=lambda: None)
    monkeypatch.setenv(plugins.PLUGINS_VARIABLE, setting)
    assert plugins.load_plugins() == loaded
