"""A scripted OpenAI-compatible endpoint over real HTTP on 127.0.0.1, for tests.

It speaks Chat Completions and Responses (model_responses.py), and makes vectors.

    with ModelServer() as server:
        server.markers = {"answer": "Responda sólo con el contexto"}   # stage -> part of its system prompt
        server.script(answer=[fails(500), as_json({"answer": "…"})])   # in order; the last one repeats
        ...                                                            # base_url=server.url
        assert server.count("answer") == 2

A request belongs to the stage whose marker its system prompt contains; without one, to the stage
named like its model; every request for vectors belongs to the stage `embeddings`.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol, Self
from urllib.parse import parse_qs, urlsplit

from tests import model_responses
from tests.model_replies import (
    Reply,
    Request,
    Scripted,
    as_json,
    bag_of_words,
    completion,
    fails,
    says,
    usage_body,
)

KEY_HEADERS = ("authorization", "api-key")
TICK = 0.01


class ModelServer:
    """The endpoint: start it with `with`; every attribute may be changed while it runs.

    Attributes:
        markers: stage -> part of its system prompt, tried in order.
        classify: request -> stage, to replace that rule altogether.
        default: the reply for a stage without a script.
        rejects: body keys refused with 400, as endpoints without them do.
        dimensions: size of the vectors when the request asks for none.
        wrong_size: a size that ignores what the request asks for, or None.
        shuffled: vectors come in reverse order (their `index` is right).
        requests: every request, oldest first.
        peak: most requests in progress at once.
    """

    def __init__(self, dimensions: int = 16) -> None:
        self.markers: dict[str, str] = {}
        self.classify: Callable[[Request], str] = self._by_marker
        self.default: Scripted = says("De acuerdo.")
        self.rejects: set[str] = set()
        self.dimensions = dimensions
        self.wrong_size: int | None = None
        self.shuffled = False
        self.requests: list[Request] = []
        self.peak = 0
        self._active = 0
        self._brain: Callable[[Request], Any] | None = None
        self._scripts: dict[str, deque[Scripted]] = {}
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._open: set[socket.socket] = set()
        self._connections = itertools.count(1)
        self._http = _Http(("127.0.0.1", 0), _handler_for(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(TICK,), daemon=True)

    @property
    def root(self) -> str:
        """The address without a path: Azure's endpoint."""
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def url(self) -> str:
        """The base URL of OpenAI-compatible clients."""
        return self.root + "/v1"

    def on_chat(self, brain: Callable[[Request], Any]) -> None:
        """Answer stages without a script by calling `brain(request)` (a Reply, text, or JSON value)."""
        self._brain = brain

    def script(self, **stages: Iterable[Scripted]) -> None:
        """Set the replies of some stages, in order; the last one repeats."""
        with self._changed:
            for stage, replies in stages.items():
                self._scripts[stage] = deque(replies)

    def count(self, stage: str | None = None) -> int:
        with self._changed:
            return sum(stage in (None, request.stage) for request in self.requests)

    def last(self, stage: str | None = None) -> Request:
        with self._changed:
            return [request for request in self.requests if stage in (None, request.stage)][-1]

    def wait_for(self, number: int, timeout: float = 10.0) -> bool:
        """Wait until `number` requests have arrived."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self.requests) >= number, timeout)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        with self._changed:
            sockets = list(self._open)
        for connection in sockets:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._thread.join(timeout=5)

    def _by_marker(self, request: Request) -> str:
        return next((stage for stage, text in self.markers.items() if text in request.system), request.model)

    def _reply_to(self, request: Request) -> Reply:
        refused = next((key for key in sorted(self.rejects) if key in request.body), None)
        if refused:
            return fails(400, f"Unsupported parameter: '{refused}'", param=refused)
        with self._changed:
            script = self._scripts.get(request.stage)
            scripted = (script.popleft() if len(script) > 1 else script[0]) if script else None
        if scripted is None:
            if request.stage == "embeddings":
                return Reply()
            scripted = self._brain or self.default
        made = scripted(request) if callable(scripted) else scripted
        if isinstance(made, Reply):
            return made
        return says(made) if isinstance(made, str) else as_json(made)

    def _vectors(self, body: Mapping[str, Any]) -> dict[str, Any]:
        size = self.wrong_size or body.get("dimensions") or self.dimensions
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        vectors = [[3.0 * value for value in bag_of_words(text, size)] for text in texts]
        data = [{"object": "embedding", "index": i, "embedding": v} for i, v in enumerate(vectors)]
        words = sum(len(text.split()) for text in texts)
        usage = {"prompt_tokens": words, "total_tokens": words}
        return {
            "object": "list",
            "model": body["model"],
            "data": data[::-1] if self.shuffled else data,
            "usage": usage,
        }

    @contextlib.contextmanager
    def _recorded(self, request: Request) -> Any:
        with self._changed:
            self._active += 1
            self.peak = max(self.peak, self._active)
            self.requests.append(request)
            self._changed.notify_all()
        try:
            yield
        except ConnectionError:
            request.disconnected.set()
        finally:
            with self._changed:
                self._active -= 1
            request.done.set()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is what some tests ask for: no traceback."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    owner: ModelServer

    def setup(self) -> None:
        super().setup()
        self.number = next(self.owner._connections)
        with self.owner._changed:
            self.owner._open.add(self.connection)

    def finish(self) -> None:
        with self.owner._changed:
            self.owner._open.discard(self.connection)
        super().finish()

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the test output clean."""

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        address = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.key = headers.get("api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        headers.update({name: "***" for name in KEY_HEADERS if name in headers})
        request = Request(
            path=address.path,
            query=parse_qs(address.query),
            body=json.loads(raw),
            headers=headers,
            at=time.monotonic(),
            connection=self.number,
        )
        vectors = address.path.endswith("/embeddings")
        request.stage = "embeddings" if vectors else self.owner.classify(request)
        with self.owner._recorded(request):
            responses = address.path.endswith("/responses")
            if not vectors and not responses and not address.path.endswith("/chat/completions"):
                return self._whole(404, {"error": {"message": f"no route {address.path}"}})
            reply = self.owner._reply_to(request)
            self._pause(reply.wait)
            if reply.echo_key:
                echoed = f"Incorrect API key provided: {self.key}. Prompt: {request.prompt}"
                self._whole(reply.status, {"error": {"message": echoed, "code": self.key}}, reply.headers)
            elif reply.body is not None or reply.status != 200:
                self._whole(reply.status, reply.body, reply.headers)
            elif vectors:
                self._whole(200, self.owner._vectors(request.body), reply.headers)
            elif request.body.get("stream"):
                self._stream(request, reply, _Responses() if responses else _Completions())
            elif reply.cut_after is not None:
                self._drop()
            else:
                whole = model_responses.response if responses else completion
                self._whole(200, whole(request, reply), reply.headers)

    def _pause(self, wait: threading.Event | float | None) -> None:
        """Wait, and notice at once that the client has gone or the server closes."""
        if not wait:
            return
        event = wait if isinstance(wait, threading.Event) else threading.Event()
        until = time.monotonic() + wait if isinstance(wait, float | int) else math.inf
        while not event.wait(TICK) and time.monotonic() < until:
            gone = select.select([self.connection], [], [], 0)[0] and not self.connection.recv(
                1, socket.MSG_PEEK
            )
            if gone or self.owner._closing.is_set():
                raise ConnectionResetError("the client has gone")

    def _whole(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        is_text = isinstance(body, str)
        data = (body if is_text else json.dumps(body)).encode()
        kind = "text/html" if is_text and body.startswith("<") else "application/json"
        self._head(status, {"Content-Type": kind, "Content-Length": str(len(data)), **(headers or {})})
        self.wfile.write(data)

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _drop(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def _event(self, data: str) -> None:
        self._line(f"data: {data}")

    def _line(self, line: str) -> None:
        payload = f"{line}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(payload), payload))

    def _stream(self, request: Request, reply: Reply, spoken: _Spoken) -> None:
        self._head(
            200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked", **reply.headers}
        )
        if reply.events:
            return self._as_they_are(reply.events)
        for event in spoken.opening(request, reply):
            self._event(json.dumps(event))
        for sent, piece in enumerate([*reply.deltas, None]):
            if sent == reply.cut_after:
                return self._drop()
            if sent == reply.malformed_after:
                self._event("{not json")
            if sent == reply.stream_error_after:
                broken = {"message": f"broken; key {self.key}", "code": "server_error"}
                self._event(json.dumps(spoken.error(broken)))
            if sent == reply.hold_after:
                self._pause(reply.hold)
            if piece is not None:
                self._pause(reply.drip)
                self._event(json.dumps(spoken.piece(request, piece)))
        for event in spoken.closing(request, reply):
            self._event(json.dumps(event))
        self._event("[DONE]")
        self._ended()

    def _as_they_are(self, events: Iterable[Any]) -> None:
        for event in events:
            self._line(event if isinstance(event, str) else f"data: {json.dumps(event)}")
        self._ended()

    def _ended(self) -> None:
        self.wfile.write(b"0\r\n\r\n")


class _Spoken(Protocol):
    """The events of a stream in one API."""

    def opening(self, request: Request, reply: Reply) -> Iterable[Any]: ...
    def piece(self, request: Request, text: str) -> Any: ...
    def error(self, broken: Mapping[str, str]) -> Any: ...
    def closing(self, request: Request, reply: Reply) -> Iterable[Any]: ...


class _Completions:
    def _chunk(self, request: Request, delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 0, "model": request.model}
        return {**chunk, "choices": [choice]}

    def opening(self, request: Request, _: Reply) -> Iterable[Any]:
        return [self._chunk(request, {"role": "assistant", "content": ""})]

    def piece(self, request: Request, text: str) -> Any:
        return self._chunk(request, {"content": text})

    def error(self, broken: Mapping[str, str]) -> Any:
        return {"error": broken}

    def closing(self, request: Request, reply: Reply) -> Iterable[Any]:
        if reply.refusal:
            yield self._chunk(request, {"refusal": reply.refusal})
        yield self._chunk(request, {}, reply.finish)
        if reply.usage and request.body.get("stream_options", {}).get("include_usage"):
            yield {**self._chunk(request, {}), "choices": [], "usage": usage_body(reply)}


class _Responses:
    def opening(self, request: Request, reply: Reply) -> Iterable[Any]:
        return model_responses.opening(request, reply)

    def piece(self, _: Request, text: str) -> Any:
        return model_responses.piece(text)

    def error(self, broken: Mapping[str, str]) -> Any:
        return {"type": "error", **broken}

    def closing(self, request: Request, reply: Reply) -> Iterable[Any]:
        return model_responses.closing(request, reply)


def _handler_for(server: ModelServer) -> type[_Handler]:
    return type("Handler", (_Handler,), {"owner": server})
