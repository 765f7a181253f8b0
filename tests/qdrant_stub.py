"""A stand-in for a Qdrant server: its REST calls that the adapter makes, over qdrant-client's memory mode.

It proves the adapter's remote path (HTTP, JSON, status codes); it says nothing about a real server's speed.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from qdrant_client import QdrantClient, models

_COLLECTION = re.compile(r"^/collections/([^/]+)(/.*)?$")


class QdrantStub:
    """Collections in memory, one request at a time; unknown routes answer 501.

    With an `api_key`, requests without it answer 401.
    """

    def __init__(self, api_key: str | None = None) -> None:
        self.api_key = api_key
        self._client = QdrantClient(":memory:")
        self._lock = threading.Lock()
        self._routes: dict[tuple[str, str], Callable[[str, Any], Any]] = {
            ("PUT", ""): self._create,
            ("GET", ""): lambda name, body: self._client.get_collection(name),
            ("DELETE", ""): lambda name, body: self._client.delete_collection(name),
            ("GET", "/exists"): lambda name, body: {"exists": self._client.collection_exists(name)},
            ("PUT", "/index"): self._index,
            ("PUT", "/points"): self._upsert,
            ("POST", "/points/delete"): lambda name, body: self._client.delete(
                name, models.PointIdsList.model_validate(body)
            ),
            ("POST", "/points/scroll"): self._scroll,
            ("POST", "/points/count"): lambda name, body: self._client.count(name),
            ("POST", "/points/query/batch"): lambda name, body: self._client.query_batch_points(
                name, [models.QueryRequest.model_validate(search) for search in body["searches"]]
            ),
        }

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        """Status and JSON body of a request."""
        match = _COLLECTION.match(path.partition("?")[0])
        route = self._routes.get((method, match[2] or "")) if match else None
        if match is None or route is None:
            return 501, {"status": {"error": f"not in the stub: {method} {path}"}}
        try:
            with self._lock:
                result = _json(route(match[1], body))
        except ValueError as error:
            return 404 if "not found" in str(error) else 400, {"status": {"error": str(error)}}
        return 200, {"result": result, "status": "ok", "time": 0.0}

    def _create(self, name: str, body: Any) -> bool:
        wanted = models.CreateCollection.model_validate(body)
        return self._client.create_collection(
            name,
            vectors_config=wanted.vectors,
            sparse_vectors_config=wanted.sparse_vectors,
            metadata=wanted.metadata,
        )

    def _index(self, name: str, body: Any) -> dict[str, Any]:
        """Payload indexes change nothing in the memory mode; their types are checked all the same."""
        models.PayloadSchemaType(body["field_schema"])
        return {"operation_id": 0, "status": "completed"}

    def _upsert(self, name: str, body: Any) -> Any:
        return self._client.upsert(name, [models.PointStruct.model_validate(p) for p in body["points"]])

    def _scroll(self, name: str, body: Any) -> Any:
        wanted = models.ScrollRequest.model_validate(body)
        records, offset = self._client.scroll(
            name,
            scroll_filter=wanted.filter,
            limit=wanted.limit or 10,
            offset=wanted.offset,
            with_payload=wanted.with_payload,
        )
        return {"points": records, "next_page_offset": offset}


def _json(value: Any) -> Any:
    if isinstance(value, list):
        return [_json(item) for item in value]
    if isinstance(value, dict):
        return {key: _json(item) for key, item in value.items()}
    return json.loads(value.model_dump_json()) if hasattr(value, "model_dump_json") else value


@contextmanager
def qdrant_stub(api_key: str | None = None) -> Iterator[str]:
    """A running stub; yields its URL on an ephemeral port of the loopback."""
    stub = QdrantStub(api_key)

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

        do_GET = do_POST = do_PUT = do_DELETE = _serve

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
