"""Greeting, records and run information of localized simulations; English ones are left alone."""

from __future__ import annotations

from typing import Any

from loguru import logger

from jtau_plugin.compat import wrapping
from jtau_plugin.compat.extension import EXTENSION
from jtau_plugin.compat.simulation import remember_misses, running
from jtau_plugin.compat.tasks import read_mark
from jtau_plugin.compat.text import surface_of
from jtau_plugin.errors import JtauError


def patch_orchestrator(module: Any) -> None:
    """Localize the greeting, and name the running simulation to the embedded model."""
    wrapping.replace_method(module.Orchestrator, "initialize", lambda f: _initialize(f, module))
    wrapping.replace_method(module.Orchestrator, "step", _step)
    wrapping.replace_method(_owner(module.Orchestrator, "run"), "run", _run)


def _owner(cls: Any, name: str) -> Any:
    return next(base for base in cls.__mro__ if name in base.__dict__)


def _initialize(original: Any, module: Any) -> Any:
    def initialize(self: Any) -> Any:
        _refuse_foreign_task(self)
        surface = surface_of(self.environment.get_policy())
        if surface is None:
            return original(self)
        if read_mark(self.task) is None:
            logger.warning(
                f"task {self.task.id} is none of {surface.domain}'s own: its caller and its "
                "scoring stay upstream's"
            )
        with running(self):
            result = original(self)
        if surface.localizes("greeting"):
            english = module.DEFAULT_FIRST_AGENT_MESSAGE.content
            _greet(self, surface.render_prompt("greeting"), english)
        return result

    return initialize


def _refuse_foreign_task(orchestrator: Any) -> None:
    mark = read_mark(orchestrator.task)
    domain = orchestrator.environment.get_domain_name()
    if mark is None or _plays_in(mark.domain, domain):
        return
    raise JtauError(
        f"task {orchestrator.task.id} is of {mark.domain}, the environment of {domain}: they are "
        f"not the same world; run it with --domain {mark.domain}"
    )


def _plays_in(marked: str, domain: str) -> bool:
    find = EXTENSION.find_environment
    # A task set such as ja_telecom_full is played in the environment of ja_telecom.
    return domain in (marked, find(marked) if find else None)


def _run(original: Any) -> Any:
    def run(self: Any) -> Any:
        simulation = original(self)
        if surface_of(self.environment.get_policy()) is not None:
            remember_misses(simulation.id, self.environment)
        return simulation

    return run


def _greet(orchestrator: Any, greeting: str, english: str) -> None:
    history = getattr(orchestrator.task.initial_state, "message_history", None)
    if history or not orchestrator.trajectory:
        return
    first = orchestrator.trajectory[0]
    if first.role != "assistant" or first.content != english:
        return
    known = [first, orchestrator.message]
    known += getattr(orchestrator.agent_state, "messages", None) or []
    for message in known:
        if getattr(message, "role", "") == "assistant" and message.content == english:
            message.content = greeting


def _step(original: Any) -> Any:
    def step(self: Any) -> Any:
        if surface_of(self.environment.get_policy()) is None:
            return original(self)
        with running(self):
            return original(self)

    return step


def patch_full_duplex(module: Any) -> None:
    """Refuse voice runs of localized domains: their prompts would be English."""
    wrapping.replace_method(module.FullDuplexOrchestrator, "initialize", _refuse_voice)


def _refuse_voice(original: Any) -> Any:
    def initialize(self: Any) -> Any:
        surface = surface_of(self.environment.get_policy())
        if surface is not None:
            raise JtauError(
                f"{surface.domain} has no localized voice mode; run it as text, or run the English "
                "domain"
            )
        return original(self)

    return initialize


def patch_run_info(module: Any) -> None:
    """Record in a localized run's information the guidelines that its user was really given."""
    function = getattr(module, "get_info", None)
    if function is not None and function.__module__ == module.__name__:
        wrapping.replace_function(module, "get_info", _get_info)


def _get_info(original: Any) -> Any:
    def get_info(*args: Any, **kwargs: Any) -> Any:
        info = original(*args, **kwargs)
        find = EXTENSION.find_surface
        surface = find(info.environment_info.domain_name) if find else None
        if surface is not None and surface.localizes("user"):
            info.user_info.global_simulation_guidelines = surface.render_guidelines(
                with_tools=False
            )
        return info

    return get_info
