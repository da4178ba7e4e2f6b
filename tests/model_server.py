"""A local service that speaks OpenAI's protocol and fails in the ways in which real ones do.

It translates with the embedded stand-in, so that what it answers well is known beforehand. Which
request fails how is decided by a function of the request: by its texts, or by a seed. It writes
down every text that it was asked for and every one that it answered, so that a test can count.
"""

from __future__ import annotations

import json
import random
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from jtau_plugin.translation.engine.echo import echo_reply

#: The request is answered as it should be.
WELL = "well"
#: The answer arrives, and some or all of it cannot be used.
BAD_REPLIES = (
    "fences",
    "prose",
    "bare list",
    "mapping",
    "missing id",
    "duplicate id",
    "same id twice",
    "extra id",
    "lost placeholder",
    "changed number",
    "refusal",
    "empty text",
    "null text",
    "null content",
    "no choices",
    "cut answer",
    "no JSON",
    "control characters",
    "half a pair",
    "deep nesting",
    "lost lines",
)
#: No answer arrives.
NO_REPLIES = (
    "429",
    "429 without a word",
    "429 with a date",
    "500",
    "503",
    "HTML page",
    "wrong content type",
    "reset",
    "hang",
    "cut body",
    "cut chunks",
    "empty body",
)
#: The service will not have the request, or nobody's.
REFUSALS = ("400", "401", "404", "413", "quota")
#: These are overlooked: what they hold is an answer all the same.
HARMLESS = frozenset({WELL, "fences", "prose", "bare list", "mapping", "same id twice", "extra id"})


@dataclass(frozen=True)
class Request:
    """What was asked: the texts, and the how many-eth request it is, from 0."""

    number: int
    segments: tuple[dict[str, Any], ...]

    @property
    def texts(self) -> list[str]:
        return [str(segment["text"]) for segment in self.segments]

    @property
    def attempt(self) -> int:
        """The most often that one of the texts has come back with a fault."""
        return max(len(segment.get("mend", ())) for segment in self.segments)


Choose = Callable[[Request], str]


@dataclass
class Log:
    """What a server saw.

    Attributes:
        requests: how each request was served.
        asked: how often each text was asked for.
        answered: how often a good answer for each text was sent whole.
    """

    requests: list[str] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    systems: set[str] = field(default_factory=set)
    most_at_once: int = 0
    batches: list[list[str]] = field(default_factory=list)


class ModelServer(ThreadingHTTPServer):
    """The service; ``choose`` may be exchanged between runs."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, choose: Choose, hang: float = 30.0) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.choose = choose
        self.hang = hang
        self.log = Log()
        self.closing = threading.Event()
        self.lock = threading.Lock()
        self.busy = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed has left its connection."""


def well(request: Request) -> str:
    return WELL


def always(mode: str) -> Choose:
    return lambda request: mode


def first(count: int, mode: str) -> Choose:
    """Serve the first requests in one way and the rest well."""
    return lambda request: mode if request.number < count else WELL


def seeded(seed: int, modes: Sequence[str], share: float = 0.4) -> Choose:
    """Serve a share of the requests badly, chosen by a seed and the number of the request."""

    def choose(request: Request) -> str:
        chance = random.Random(f"{seed} {request.number}")
        return chance.choice(list(modes)) if chance.random() < share else WELL

    return choose


def poisoned(words: Sequence[str], mode: str) -> Choose:
    """Serve every request badly that holds a text with one of some words.

    What spoils a single translation spoils that of this text.
    """

    def choose(request: Request) -> str:
        hit = [i for i, text in enumerate(request.texts) if any(word in text for word in words)]
        return f"{mode}@{hit[0]}" if hit else WELL

    return choose


@contextmanager
def serving(choose: Choose = well, **settings: Any) -> Iterator[ModelServer]:
    """Yield a server that runs in a thread."""
    server = ModelServer(choose, **settings)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def spoil(mode: str, reply: list[dict[str, Any]], at: int = 0) -> tuple[str, set[int]]:
    """Return the content of an answer and which of its translations can be used.

    Args:
        mode: how it is spoilt.
        reply: the translations as they should be.
        at: which of them is spoilt, where it is a single one.
    """
    everything = set(range(len(reply)))
    plain = json.dumps({"translations": reply}, ensure_ascii=False)
    first_text, rest = reply[at], everything - {at}
    changed = {
        "empty text": lambda t: "",
        "null text": lambda t: None,
        "refusal": lambda t: "I'm sorry, but I can't help with that.",
        "lost placeholder": lambda t: t.replace("⟪1⟫", "").strip() or "x",
        "changed number": lambda t: f"{t} 98765",
        "control characters": lambda t: f"{t}\u2028\x07",
        "half a pair": lambda t: f"{t}\ud83d",
        "lost lines": lambda t: " ".join(t.split("\n")) if "\n" in t else f"{t}\n\n{t}",
    }
    if mode in changed:
        spoilt = [*reply]
        spoilt[at] = {**first_text, "text": changed[mode](first_text["text"])}
        good = everything if spoilt == reply else rest
        return json.dumps({"translations": spoilt}, ensure_ascii=True), good
    contents: dict[str, tuple[str, set[int]]] = {
        "fences": (f"```json\n{plain}\n```", everything),
        "prose": (
            f"Sure! Here are [all] of them {{as asked}}:\n\n{plain}\n\nAnything else?",
            everything,
        ),
        "bare list": (json.dumps(reply), everything),
        "mapping": (json.dumps({r["id"]: r["text"] for r in reply}), everything),
        "missing id": (json.dumps({"translations": reply[:at] + reply[at + 1 :]}), rest),
        "duplicate id": (
            json.dumps({"translations": [*reply, {**first_text, "text": "other"}]}),
            rest,
        ),
        "same id twice": (json.dumps({"translations": [*reply, first_text]}), everything),
        "extra id": (json.dumps({"translations": [*reply, {"id": "u0", "text": "x"}]}), everything),
        "no JSON": ("Here you are: everything is translated.", set()),
        "deep nesting": ("[" * 5000 + plain, set()),
        "null content": ("", set()),
        "no choices": ("", set()),
    }
    if mode == "cut answer":
        cut = plain[: len(plain) - len(json.dumps(reply[-1])) // 2]
        return cut, everything - {len(reply) - 1}
    return contents.get(mode, (plain, everything))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelServer

    def log_message(self, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = json.loads(body["messages"][-1]["content"])
        server, log = self.server, self.server.log
        with server.lock:
            request = Request(len(log.requests), tuple(asked["segments"]))
            mode, _, at = server.choose(request).partition("@")
            log.requests.append(mode)
            log.asked.update(s["id"] for s in request.segments)
            log.batches.append([s["id"] for s in request.segments])
            log.systems.add(body["messages"][0]["content"])
            server.busy += 1
            log.most_at_once = max(log.most_at_once, server.busy)
        try:
            self._serve(mode, body["messages"][-1]["content"], int(at or 0))
        finally:
            with server.lock:
                server.busy -= 1

    def _serve(self, mode: str, content: str, at: int) -> None:
        if mode in NO_REPLIES + REFUSALS:
            return self._fail(mode, content)
        reply = json.loads(echo_reply(content))["translations"]
        text, good = spoil(mode, reply, at)
        self._send(200, _completion(text, mode))
        with self.server.lock:
            self.server.log.answered.update(reply[index]["id"] for index in good)
        return None

    def _fail(self, mode: str, content: str) -> None:
        error = json.dumps({"error": {"message": mode, "type": "x", "code": None}}).encode()
        whole = _completion(echo_reply(content), WELL)
        own = {
            "hang": self._hang,
            "reset": self._reset,
            "cut body": lambda: self._cut(whole),
            "cut chunks": lambda: self._cut_chunks(whole),
        }
        page = b"<html><body><h1>Please sign in</h1></body></html>"
        date = self.date_time_string(time.time())
        answers: dict[str, tuple[int, bytes, dict[str, str]]] = {
            "429": (429, error, {"Retry-After": "0.02"}),
            "429 with a date": (429, error, {"Retry-After": date}),
            "quota": (429, error.replace(b"quota", b"You exceeded your current quota"), {}),
            "HTML page": (502, page, {"Content-Type": "text/html"}),
            "wrong content type": (200, page, {"Content-Type": "text/html"}),
            "empty body": (200, b"", {}),
        }
        if mode in own:
            own[mode]()
        elif mode in answers:
            status, body, headers = answers[mode]
            self._send(status, body, **headers)
        else:
            self._send(int(mode[:3]), error)

    def _hang(self) -> None:
        self.server.closing.wait(self.server.hang)
        self.close_connection = True

    def _reset(self) -> None:
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.close_connection = True

    def _cut(self, whole: bytes) -> None:
        self._send(200, whole[: len(whole) // 2], **{"Content-Length": str(len(whole))})
        self.close_connection = True

    def _cut_chunks(self, whole: bytes) -> None:
        half = whole[: len(whole) // 2]
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(f"{len(half):x}\r\n".encode() + half + b"\r\n")
        self.close_connection = True

    def _send(self, status: int, body: bytes, **headers: str) -> None:
        given = {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}
        self.send_response(status)
        for name, value in given.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


def _completion(content: str, mode: str) -> bytes:
    message = {"role": "assistant", "content": None if mode == "null content" else content}
    reason = "length" if mode == "cut answer" else "stop"
    choice = {"index": 0, "message": message, "finish_reason": reason}
    data = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "x",
        "choices": [] if mode == "no choices" else [choice],
        "usage": {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150},
    }
    return json.dumps(data).encode("utf-8")
