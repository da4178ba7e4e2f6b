"""The boot module: costs nothing, hooks once, and never takes the host program down."""

from __future__ import annotations

import importlib
import inspect
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from jtau_plugin import _bootstrap

ROOT = Path(__file__).parents[2]
PTH = ROOT / "jtau_plugin.pth"
NAME = "fake_benchmark.registry"


@pytest.fixture
def fired(monkeypatch):
    """The names of the modules whose hook fired, in order."""
    names: list[str] = []
    monkeypatch.setattr(_bootstrap, "_fire", names.append)
    return names


@pytest.fixture
def hooked_module(tmp_path, monkeypatch):
    """A module that is hooked and not imported yet."""
    package = tmp_path / "fake_benchmark"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "registry.py").write_text("def registry():\n    return 'the registry'\n")
    (package / "other.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(_bootstrap, "HOOKED_MODULES", frozenset({NAME}))
    monkeypatch.setattr(sys, "meta_path", [_bootstrap.HookFinder, *sys.meta_path])
    yield NAME
    for name in [n for n in sys.modules if n.partition(".")[0] == "fake_benchmark"]:
        del sys.modules[name]


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in an interpreter without site-packages."""
    return subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env={"PATH": os.environ["PATH"], **environment},
    )


class TestHook:
    def test_it_fires_once_the_module_has_been_executed(self, hooked_module, fired):
        module = importlib.import_module(hooked_module)
        assert fired == [hooked_module]
        assert module.registry() == "the registry"

    def test_it_fires_once_however_often_the_module_is_imported(self, hooked_module, fired):
        for _ in range(3):
            importlib.import_module(hooked_module)
        assert fired == [hooked_module]

    def test_other_modules_of_the_package_are_left_alone(self, hooked_module, fired):
        importlib.import_module("fake_benchmark.other")
        assert fired == []

    def test_the_module_keeps_its_own_loader(self, hooked_module, fired):
        module = importlib.import_module(hooked_module)
        assert type(module.__loader__).__name__ == "SourceFileLoader"
        assert module.__spec__.loader is module.__loader__
        assert "the registry" in inspect.getsource(module.registry)

    def test_a_reload_works_and_fires_again(self, hooked_module, fired):
        importlib.reload(importlib.import_module(hooked_module))
        assert fired == [hooked_module, hooked_module]

    def test_many_threads_fire_it_once(self, hooked_module, fired):
        threads = [
            threading.Thread(target=importlib.import_module, args=(hooked_module,))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert fired == [hooked_module]

    def test_an_error_of_the_module_itself_passes(self, hooked_module, fired, tmp_path):
        (tmp_path / "fake_benchmark" / "registry.py").write_text("raise RuntimeError('theirs')\n")
        with pytest.raises(RuntimeError, match="theirs"):
            importlib.import_module(hooked_module)
        assert fired == []

    def test_a_missing_module_stays_missing(self, hooked_module, fired, tmp_path):
        (tmp_path / "fake_benchmark" / "registry.py").unlink()
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(hooked_module)

    def test_a_loader_of_the_old_kind_is_left_alone(self, hooked_module, monkeypatch):
        class OldLoader:
            def load_module(self, name):
                raise NotImplementedError

        spec = importlib.machinery.ModuleSpec(hooked_module, OldLoader())

        class Finder:
            @staticmethod
            def find_spec(name, path=None, target=None):
                return spec

        monkeypatch.setattr(sys, "meta_path", [_bootstrap.HookFinder, Finder])
        found = _bootstrap.HookFinder.find_spec(hooked_module)
        assert found is spec
        assert isinstance(found.loader, OldLoader)

    def test_a_finder_without_find_spec_is_passed_over(self, hooked_module, fired, monkeypatch):
        importlib.import_module("fake_benchmark")
        monkeypatch.setattr(sys, "meta_path", [_bootstrap.HookFinder, object(), *sys.meta_path])
        path = sys.modules["fake_benchmark"].__path__
        assert _bootstrap.HookFinder.find_spec(hooked_module, path) is not None

    def test_asking_for_the_spec_fires_nothing(self, hooked_module, fired):
        importlib.util.find_spec(hooked_module)
        assert fired == []


class TestFailure:
    @pytest.fixture
    def failing(self, monkeypatch, hooked_module):
        def fail(error):
            class Hooks:
                @staticmethod
                def run_hook(name, module):
                    raise error

            monkeypatch.setitem(sys.modules, "jtau_plugin.compat.hooks", Hooks)
            return hooked_module

        return fail

    @pytest.mark.parametrize("error", [RuntimeError("broken"), ImportError("no loguru")])
    def test_it_is_one_line_and_the_module_is_there(self, failing, capfd, error):
        module = importlib.import_module(failing(error))
        assert module.registry() == "the registry"
        lines = capfd.readouterr().err.splitlines()
        failed = f"hook on {NAME} failed, tau2 goes on without it"
        assert lines == [f"jtau-plugin: {failed}: {type(error).__name__}: {error}"]

    def test_an_interrupt_passes(self, failing):
        with pytest.raises(KeyboardInterrupt):
            importlib.import_module(failing(KeyboardInterrupt()))

    def test_a_closed_error_stream_is_no_failure(self, failing, monkeypatch):
        monkeypatch.setattr(sys, "stderr", None)
        assert importlib.import_module(failing(RuntimeError("broken"))).registry()


class TestInstall:
    @pytest.fixture(autouse=True)
    def own_meta_path(self, monkeypatch):
        others = [f for f in sys.meta_path if not getattr(f, "jtau_hook", False)]
        monkeypatch.setattr(sys, "meta_path", others)

    def test_twice_is_once(self):
        assert _bootstrap.install()
        assert _bootstrap.install()
        assert sys.meta_path.count(_bootstrap.HookFinder) == 1
        assert sys.meta_path[0] is _bootstrap.HookFinder

    @pytest.mark.parametrize("value", ["1", "yes", "true"])
    def test_it_can_be_switched_off(self, monkeypatch, value):
        monkeypatch.setenv("JTAU_DISABLE", value)
        assert not _bootstrap.install()
        assert _bootstrap.HookFinder not in sys.meta_path

    @pytest.mark.parametrize("value", ["", "0"])
    def test_these_values_leave_it_on(self, monkeypatch, value):
        monkeypatch.setenv("JTAU_DISABLE", value)
        assert _bootstrap.install()


class TestStart:
    def test_the_boot_module_imports_nothing_else(self):
        package = Path(_bootstrap.__file__).parents[1]
        code = (
            f"import sys, os; sys.path.insert(0, {str(package)!r}); before = set(sys.modules);"
            "import jtau_plugin._bootstrap as b; b.install(); print(set(sys.modules) - before)"
        )
        done = run_python(code)
        assert eval(done.stdout) == {"jtau_plugin", "jtau_plugin._bootstrap", "__future__"}

    def test_the_line_is_one_line(self):
        assert PTH.read_text().count("\n") == 1
        assert PTH.read_text().startswith("import ")

    def test_the_line_survives_a_plugin_that_is_gone(self):
        done = run_python(PTH.read_text() + "print('the program goes on')")
        assert done.stdout == "the program goes on\n"
        assert done.stderr.startswith("jtau-plugin: not loaded: ModuleNotFoundError")
        assert done.stderr.count("\n") == 1

    def test_the_line_survives_a_plugin_that_is_broken(self, tmp_path):
        package = tmp_path / "jtau_plugin"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "_bootstrap.py").write_text("raise SystemExit('no')")
        done = run_python(
            f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{PTH.read_text()}print('on')"
        )
        assert done.stdout == "on\n"
        assert done.stderr == "jtau-plugin: not loaded: SystemExit('no')\n"
