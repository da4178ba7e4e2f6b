"""Prompts of localized agents and users; those of all others stay upstream's."""

from __future__ import annotations

from typing import Any

from jtau_plugin.compat import wrapping
from jtau_plugin.compat.layout import guidelines_field
from jtau_plugin.compat.text import Surface, surface_of
from jtau_plugin.errors import JtauError


def patch_agent(module: Any) -> None:
    """Localize ``system_prompt`` of agents whose policy is localized."""
    wrapping.replace_property(module.LLMAgent, "system_prompt", lambda f: _agent_prompt(f, module))
    wrapping.replace_property(module.LLMGTAgent, "system_prompt", lambda f: _gt_prompt(f, module))
    wrapping.replace_property(
        module.LLMSoloAgent, "system_prompt", lambda f: _solo_prompt(f, module)
    )
    wrapping.replace_method(module.LLMSoloAgent, "add_stop_tool", _add_stop_tool)


def patch_gym(module: Any) -> None:
    """Localize the stop tool that the gym gives to agents whose policy is localized."""
    wrapping.replace_method(module.GymAgent, "add_stop_tool", _add_stop_tool)


def _agent_prompt(original: Any, module: Any) -> Any:
    def system_prompt(self: Any) -> Any:
        surface = surface_of(self.domain_policy, "agent")
        if surface is None:
            return original(self)
        return module.SYSTEM_PROMPT.format(
            domain_policy=self.domain_policy,
            agent_instruction=surface.render_agent_instruction("agent_instruction"),
        )

    return system_prompt


def _gt_prompt(original: Any, module: Any) -> Any:
    def system_prompt(self: Any) -> Any:
        surface = surface_of(self.domain_policy, "agent")
        if surface is None:
            return original(self)
        return module.SYSTEM_PROMPT_GT.format(
            agent_instruction=surface.render_agent_instruction("agent_instruction_gt"),
            domain_policy=self.domain_policy,
            resolution_steps=_resolution_steps(self, surface),
        )

    return system_prompt


def _resolution_steps(agent: Any, surface: Surface) -> str:
    detail = "full" if agent.provide_function_args else "short"
    lines = []
    for number, action in enumerate(agent.task.evaluation_criteria.actions, start=1):
        call = action.get_func_format() if agent.provide_function_args else action.name
        step = surface.render_prompt(f"resolution_step_{action.requestor}_{detail}")
        lines.append(step.replace("{number}", str(number)).replace("{action}", call))
    return "\n".join(lines)


def _solo_prompt(original: Any, module: Any) -> Any:
    def system_prompt(self: Any) -> Any:
        surface = surface_of(self.domain_policy, "agent")
        if surface is None:
            return original(self)
        instruction = surface.render_agent_instruction("agent_instruction_solo")
        return module.SYSTEM_PROMPT_SOLO.format(
            agent_instruction=instruction.replace("{stop_function_name}", self.STOP_FUNCTION_NAME),
            domain_policy=self.domain_policy,
            ticket=self.task.ticket,
        )

    return system_prompt


def _add_stop_tool(original: Any) -> Any:
    def add_stop_tool(self: Any) -> Any:
        result = original(self)
        surface = surface_of(self.domain_policy, "agent")
        if surface is not None:
            tool = self.tools[-1]
            tool.short_desc = tool.__doc__ = surface.render_prompt("solo_stop_tool")
        return result

    return add_stop_tool


def patch_user(module: Any) -> None:
    """Localize ``system_prompt`` of users whose scenario is localized."""
    field = guidelines_field(module.SYSTEM_PROMPT)
    wrapping.replace_property(
        module.UserSimulator, "system_prompt", lambda f: _user_prompt(f, module, field)
    )


def _user_prompt(original: Any, module: Any, field: str) -> Any:
    def system_prompt(self: Any) -> Any:
        # The runner hands over the scenario's text, the gym the scenario itself.
        surface = surface_of(self.instructions) or surface_of(str(self.instructions))
        if surface is None:
            return original(self)
        if not surface.localizes("user"):
            directive = surface.render_directive(str(self.instructions))
            return f"{original(self)}\n\n{directive}" if directive else original(self)
        persona = getattr(self, "persona_config", None)
        if persona is not None and persona.to_guidelines_text():
            raise JtauError(
                f"{surface.domain}: a run-time persona_config is English text and has no "
                "localized form; run without it"
            )
        guidelines = surface.render_guidelines(with_tools=self.tools is not None)
        values = {field: guidelines.replace("<PERSONA_GUIDELINES>", "")}
        return module.SYSTEM_PROMPT.format(**values, instructions=self.instructions)

    return system_prompt
