"""Accounts for one simulation: system prompts, tools, and every message of the histories."""

from __future__ import annotations

import json

from .explained import Account, Book
from .explained_prompts import PromptReader, ToolReader
from .explained_results import ResultReader
from .shown import Played

_GREETING = "prompts.yaml#prompts.greeting.text"


def account_for(played: Played, book: Book, account: Account | None = None) -> Account:
    """Explain everything that the models of a simulation were sent."""
    account = Account() if account is None else account
    PromptReader(book, played, account).read()
    ToolReader(book, played, account).read()
    results = ResultReader(book, played, account)
    said = set(played.said())
    calls = {(tool, json.dumps(arguments, sort_keys=True)) for _, tool, arguments in played.calls()}
    for side, message, tool in played.messages():
        where = f"{message['role']} in the history of the {side}"
        text = message.get("content") or ""
        assert set(message) <= {"role", "content", "tool_calls", "tool_call_id", "name"}, message
        if message["role"] == "tool":
            results.read(tool, text)
        elif text and text not in said:
            is_greeting = text == book.at(_GREETING)
            if not (is_greeting and account.explain(where, text, [_GREETING])):
                account.leave(where, text)
        else:
            account.count("written", text)
        for call in message.get("tool_calls") or ():
            name, arguments = call["function"]["name"], call["function"]["arguments"]
            if (name, json.dumps(json.loads(arguments), sort_keys=True)) in calls:
                account.count("written", arguments)
            else:
                account.leave(where, f"{name}({arguments})")
    return account
