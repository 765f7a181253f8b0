"""A stand-in for a Qdrant server: its REST calls that the adapter makes, over qdrant-client's memory mode.

It proves the adapter's remote path (HTTP, JSON, status codes); it says nothing about a real server's speed.
"""

import json
import re
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from qdrant_client import QdrantClient, models

_COLLECTION = re.compile(r"^/collections/([^/]+)(/.*)?$")


class Refused(Exception):
    """Raised by `QdrantStub.before` to answer a request itself, with that status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class QdrantStub:
    """Collections and aliases in memory, one request at a time; unknown routes answer 501.

    Attributes:
        api_key: requests without it answer 401.
        before: called with method and path of each request, in its thread; it may wait, or raise `Refused`.
        created: the bodies of the collections made, by name.
        indexed: the payload indexes made, as (collection, field, type).
        client: what it works with, for tests that look behind the server's back.
    """

    def __init__(self, api_key: str | None = None, tls: ssl.SSLContext | None = None) -> None:
        self.api_key = api_key
        self.before: Callable[[str, str], None] = lambda method, path: None
        self.created: dict[str, dict[str, Any]] = {}
        self.indexed: list[tuple[str, str, str]] = []
        self.client = QdrantClient(":memory:")
        self._tls = tls
        self._port = 0
        self._server: ThreadingHTTPServer | None = None
        self._lock = threading.Lock()
        client = self.client
        self._routes: dict[tuple[str, str], Callable[[str, Any], Any]] = {
            ("PUT", ""): self._create,
            ("GET", ""): lambda name, body: client.get_collection(name),
            ("PATCH", ""): lambda name, body: client.update_collection(name, metadata=body["metadata"]),
            ("DELETE", ""): lambda name, body: client.delete_collection(name),
            ("GET", "/exists"): lambda name, body: {"exists": client.collection_exists(name)},
            ("PUT", "/index"): self._index,
            ("PUT", "/points"): self._upsert,
            ("POST", "/points/delete"): lambda name, body: client.delete(
                name, models.PointIdsList.model_validate(body)
            ),
            ("POST", "/points/scroll"): self._scroll,
            ("POST", "/points/count"): lambda name, body: client.count(name),
            ("POST", "/points/query/batch"): self._search,
        }

    @property
    def url(self) -> str:
        """Where it listens once it is started; the port stays the same after `stop` and `start`."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self._port}"

    @property
    def collections(self) -> set[str]:
        """Names of what it holds."""
        return {found.name for found in self.client.get_collections().collections}

    @property
    def aliases(self) -> dict[str, str]:
        """Alias to collection."""
        return {found.alias_name: found.collection_name for found in self.client.get_aliases().aliases}

    def start(self) -> None:
        """Listen, on the loopback."""
        self._server = _Server(("127.0.0.1", self._port), _handler(self))
        self._port = self._server.server_port
        if self._tls:
            self._server.socket = self._tls.wrap_socket(self._server.socket, server_side=True)
        serve = {"poll_interval": 0.02}
        threading.Thread(target=self._server.serve_forever, kwargs=serve, daemon=True).start()

    def stop(self) -> None:
        """Be gone: connections are refused. What it holds stays, as on a server's disk."""
        server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        """Status and JSON body of a request."""
        path = path.partition("?")[0]
        try:
            self.before(method, path)
            with self._lock:
                result = self._result(method, path, body)
        except Refused as error:
            return error.status, {"status": {"error": "refused by the test"}}
        except ValueError as error:
            return 404 if "not found" in str(error) else 400, {"status": {"error": str(error)}}
        return 200, {"result": _json(result), "status": "ok", "time": 0.0}

    def _result(self, method: str, path: str, body: Any) -> Any:
        if (method, path) == ("GET", "/collections"):
            return self.client.get_collections()
        if (method, path) == ("GET", "/aliases"):
            return self.client.get_aliases()
        if (method, path) == ("POST", "/collections/aliases"):
            change = models.ChangeAliasesOperation.model_validate(body)
            return self.client.update_collection_aliases(change.actions)
        match = _COLLECTION.match(path)
        route = self._routes.get((method, match[2] or "")) if match else None
        if match is None or route is None:
            raise Refused(501)
        return _json(route(match[1], body))

    def _create(self, name: str, body: Any) -> bool:
        wanted = models.CreateCollection.model_validate(body)
        self.created[name] = body
        return self.client.create_collection(
            name,
            vectors_config=wanted.vectors,
            sparse_vectors_config=wanted.sparse_vectors,
            metadata=wanted.metadata,
        )

    def _index(self, name: str, body: Any) -> dict[str, Any]:
        """Payload indexes change nothing in the memory mode; their types are checked all the same."""
        kind = models.PayloadSchemaType(body["field_schema"])
        self.indexed.append((name, body["field_name"], kind.value))
        return {"operation_id": 0, "status": "completed"}

    def _upsert(self, name: str, body: Any) -> Any:
        return self.client.upsert(name, [models.PointStruct.model_validate(p) for p in body["points"]])

    def _search(self, name: str, body: Any) -> Any:
        """The memory mode is always exact, so `params` are checked and left out."""
        searches = [models.QueryRequest.model_validate(search) for search in body["searches"]]
        for search in searches:
            search.params = None
        return self.client.query_batch_points(name, searches)

    def _scroll(self, name: str, body: Any) -> Any:
        wanted = models.ScrollRequest.model_validate(body)
        records, offset = self.client.scroll(
            name,
            scroll_filter=wanted.filter,
            limit=wanted.limit or 10,
            offset=wanted.offset,
            with_payload=wanted.with_payload,
        )
        return {"points": records, "next_page_offset": offset}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Quiet: a client that refuses a certificate or hangs up is what some tests are about."""


def _handler(stub: QdrantStub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

        def _serve(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            if stub.api_key and self.headers.get("api-key") != stub.api_key:
                status, answer = 401, {"status": {"error": "Invalid API key"}}
            else:
                status, answer = stub.answer(self.command, self.path, json.loads(raw) if raw else {})
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve

    return Handler


def _json(value: Any) -> Any:
    if isinstance(value, list):
        return [_json(item) for item in value]
    if isinstance(value, dict):
        return {key: _json(item) for key, item in value.items()}
    return json.loads(value.model_dump_json()) if hasattr(value, "model_dump_json") else value


@contextmanager
def running_stub(api_key: str | None = None, tls: ssl.SSLContext | None = None) -> Iterator[QdrantStub]:
    """A stub that listens on an ephemeral port of the loopback."""
    stub = QdrantStub(api_key, tls)
    stub.start()
    try:
        yield stub
    finally:
        stub.stop()


@contextmanager
def qdrant_stub(api_key: str | None = None) -> Iterator[str]:
    """The address of a running stub."""
    with running_stub(api_key) as stub:
        yield stub.url
