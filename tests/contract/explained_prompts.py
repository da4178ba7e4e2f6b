"""Explains the system prompts, the tools' schemas and the histories that models are sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jtau_plugin.localization.tasks import task_texts
from jtau_plugin.overlays.fingerprint import fingerprint_text

from .explained import TAGS, Account, Book, cover
from .explained_results import played_data
from .shown import AGENT, Played, split_prompt, tasks_of

_PERSONA = "<PERSONA_GUIDELINES>"
_SIDES = {AGENT: "agent", "user": "user"}
#: Words of a schema whose values are names and types.
_KEYWORDS = ("type", "$ref", "format", "required", "discriminator")
#: Where a model reads a part of a schema: keys of ``tools.yaml``.
Keys = tuple[tuple[Any, ...], ...]


class PromptReader:
    """Explains the system prompts of one simulation.

    Args:
        book: the segments.
        played: the simulation.
        account: takes down what is explained and what is left.
    """

    def __init__(self, book: Book, played: Played, account: Account) -> None:
        self._book, self._played, self._account = book, played, account

    def read(self) -> None:
        for side, prompt in self._played.prompts():
            frame, fields = split_prompt(side, prompt)
            self._account.count("frame", prompt[: len(prompt) - sum(map(len, fields.values()))])
            for name, text in fields.items():
                where = f"{side} {frame} {name}"
                read = {
                    "domain_policy": self._policy,
                    "instructions": self._scenario,
                    "resolution_steps": self._steps,
                    "ticket": self._ticket,
                }.get(name, self._prompt)
                read(where, text)

    def _cover(self, where: str, text: str, blocks: Mapping[str, str]) -> None:
        used, alternatives, left = cover(text, blocks)
        for address, block in used.items():
            self._account.explain(where, block, alternatives[address])
        for gap in left:
            self._account.leave(where, gap)

    def _prompt(self, where: str, text: str) -> None:
        blocks = {
            t.address: t.shown.replace(_PERSONA, "").replace("{stop_function_name}", "done").strip()
            for t in self._book.component("prompts")
            if t.segment.key[0] == "prompts"
        }
        self._cover(where, text.strip(), blocks)

    def _policy(self, where: str, text: str) -> None:
        self._account.count("frame", "".join(TAGS.findall(text)))
        blocks = {}
        for section, repairs in self._book.sections():
            blocks[section.address] = section.shown
            for _ in repairs:
                original = self._book.texts[section.address].shown
                self._account.count("repair", section.shown[len(original) :])
        # Each document stands in tags of its own, or alone.
        self._cover(where, TAGS.sub("", text), blocks)

    def _task_blocks(self, wanted: str) -> dict[str, str]:
        """Return the texts of the task, by the addresses of every wording that it may have."""
        own = ("tasks", self._played.task.id)
        shared = {
            fingerprint_text(text): p
            for p, text in task_texts(tasks_of(f"en_{self._book.domain}")[self._played.task.id])
        }
        blocks = {}
        for text in self._book.component("tasks"):
            key = text.segment.key
            is_own = key[:2] == own and str(key[2]).startswith(wanted)
            is_shared = (
                key[0] == "shared"
                and str(key[1]).startswith(wanted)
                and shared.get(text.segment.sources[0]) == key[1]
            )
            if is_own or is_shared:
                blocks[text.address] = text.shown
        return blocks

    def _ticket(self, where: str, text: str) -> None:
        self._cover(where, text, self._task_blocks("/ticket"))

    def _scenario(self, where: str, text: str) -> None:
        lines = [line.lstrip("\t") for line in text.split("\n")]
        blocks = {
            address: "\n".join(line.lstrip("\t") for line in shown.split("\n")).strip("\n")
            for address, shown in self._task_blocks("/user_scenario").items()
        }
        domain = ""
        for label in self._book.component("prompts"):
            if label.segment.key[0] == "scenario_labels":
                if label.segment.key[1] == "domain":
                    domain = label.shown
                else:
                    blocks[label.address] = label.shown
        own = f"{self._book.domain}/tasks.yaml#domain_label"
        for index, line in enumerate(lines):
            if domain and line.startswith(domain):
                self._account.explain(where, domain, ["prompts.yaml#scenario_labels.domain"])
                rest = line.removeprefix(domain)
                if rest == self._book.at(own):
                    self._account.explain(where, rest, [own])
                else:
                    self._account.leave(where, rest)
                lines[index] = ""
        self._cover(where, "\n".join(lines), blocks)

    def _steps(self, where: str, text: str) -> None:
        """Explain the steps of an agent that knows gold; a call is code and stays as it is."""
        actions = self._played.task.evaluation_criteria.actions
        templates = {
            t.address: t.shown
            for t in self._book.component("prompts")
            if str(t.segment.key[1]).startswith("resolution_step_")
        }
        rest = text
        for number, action in enumerate(actions, start=1):
            for call in (action.get_func_format(), action.name):
                for address, template in templates.items():
                    step = template.replace("{number}", str(number)).replace("{action}", call)
                    if f"_{action.requestor}_" in address and step in rest:
                        rest = rest.replace(step, "", 1)
                        self._account.explain(where, template, [address])
                        self._account.count("name", call)
        if rest.strip():
            self._account.leave(where, rest)


class ToolReader:
    """Explains the schemas of the tools that the models of one simulation are sent."""

    def __init__(self, book: Book, played: Played, account: Account) -> None:
        self._book, self._played, self._account = book, played, account
        self._repaired = book.repaired_tools()
        self._places: dict[int, list[tuple[Any, ...]]] = {}
        self._data = played_data(played, book)

    def read(self) -> None:
        for side, tool in self._played.tools():
            function = tool["function"]
            assert set(tool) == {"type", "function"}, tool.keys()
            assert set(function) <= {"name", "description", "parameters"}, function.keys()
            name = function["name"]
            for key in self._keys(side, name):
                if self._describes(function["description"], key):
                    break
            else:
                self._account.leave(f"tool {name}", function["description"])
            self._account.count("name", name)
            schema = function["parameters"]
            self._places = {}
            for key in self._keys(side, name):
                self._place(schema, schema, (*key, "parameters"), is_top=True)
            self._walk(schema, f"tool {name}", "", ())

    def _keys(self, side: str, name: str) -> list[tuple[str, str]]:
        # An agent without a caller has the caller's tools as well.
        sides = ["agent", "user"] if self._played.is_solo else [_SIDES[side]]
        return [(own, name) for own in sides]

    def _describes(self, text: str, key: tuple[Any, ...]) -> bool:
        """Return whether what is extracted at a key of ``tools.yaml``, or a repair, says this."""
        file = f"{self._book.domain}/tools.yaml"
        address = f"{file}#{'.'.join(map(str, (*key, 'description')))}"
        side = AGENT if key[0] == "agent" else "user"
        path = ".".join(str(step) for step in key[2:] if step != "parameters")
        repaired = self._repaired.get((side, str(key[1]), path))
        if repaired is not None:
            return repaired == text and self._account.count("repair", text)
        if self._is_stop_tool(key, text):
            return True
        shown = self._book.at(address)
        is_same = shown is not None and shown.strip() == text.strip()
        return is_same and self._account.explain(address, text, [address])

    def _is_stop_tool(self, key: tuple[Any, ...], text: str) -> bool:
        address = "prompts.yaml#prompts.solo_stop_tool.text"
        if not self._played.is_solo or key[1:] != ("done",) or self._book.at(address) is None:
            return False
        is_same = str(self._book.at(address)).strip() == text.strip()
        return is_same and self._account.explain(address, text, [address])

    def _place(self, schema: Any, root: Any, key: tuple[Any, ...], *, is_top: bool = False) -> None:
        """Take down, for each part of a schema, for which parameters a model reads it."""
        if not isinstance(schema, dict):
            return
        places = self._places.setdefault(id(schema), [])
        if key in places:
            return
        if not is_top:
            places.append(key)
        reference = schema.get("$ref")
        if reference is not None:
            self._place(root["$defs"][reference.rpartition("/")[2]], root, key)
        for word in ("anyOf", "oneOf", "allOf"):
            for branch in schema.get(word, ()):
                self._place(branch, root, key)
        inner = key if is_top else (*key, "parameters")
        for name, child in schema.get("properties", {}).items():
            self._place(child, root, (*inner, name))
        if isinstance(schema.get("items"), dict):
            # The entry of a list without an entry of its own is the parameter itself.
            self._place(schema["items"], root, (*key, "items"))

    def _walk(self, schema: Any, where: str, name: str, keys: Keys) -> None:
        keys = tuple(self._places.get(id(schema), ())) or keys
        for word, value in schema.items():
            if word in ("properties", "$defs"):
                for child_name, child in value.items():
                    self._account.count("schema", child_name)
                    self._walk(child, f"{where}.{child_name}", child_name, ())
            elif word in ("anyOf", "oneOf", "allOf"):
                for child in value:
                    self._walk(child, where, name, keys)
            elif word in ("items", "additionalProperties") and isinstance(value, dict):
                self._walk(value, where, name, keys)
            else:
                self._word(word, value, where, name, keys)

    def _word(self, word: str, value: Any, where: str, name: str, keys: Keys) -> None:
        if word == "description":
            if not any(self._describes(value, key) for key in keys):
                self._account.leave(where, value)
        elif word == "title":
            self._title(value, name, where)
        elif word in ("enum", "const", "default"):
            for choice in value if isinstance(value, list) else [value]:
                self._choice(choice, keys, where, is_default=word == "default")
        elif word in _KEYWORDS:
            self._account.count("schema", str(value))
        elif not isinstance(value, (int, float, bool, type(None))):
            self._account.leave(where, f"{word}: {value}")

    def _title(self, title: str, name: str, where: str) -> None:
        """A title that pydantic makes of a name is not prose; any other would be."""
        made = name.replace("_", " ").title()
        if title in (made, name, "parameters") or title in self._book.names:
            self._account.count("schema", title)
        else:
            self._account.leave(where, title)

    def _choice(self, choice: Any, keys: Keys, where: str, *, is_default: bool) -> None:
        if not isinstance(choice, str):
            self._account.count("schema", str(choice))
            return
        wanted = {".".join(str(s) for s in k[1:] if s not in ("parameters", "items")) for k in keys}
        found = [
            value.address
            for value in self._book.values.get(choice, ())
            if wanted & set(value.segment.context.get("argument of", ()))  # type: ignore[call-overload]
        ]
        if self._account.explain(where, choice, found):
            return
        if is_default and choice in self._data:
            self._account.count("data", choice)
        else:
            self._account.leave(where, choice)
