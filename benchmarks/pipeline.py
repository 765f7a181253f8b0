"""What the program adds to the time that its models take.

A scripted endpoint, in a process of its own, answers each stage after a set delay. Overhead = wall time of
`rag.pipeline.run` − critical path; the critical path is decompose + embeddings + rerank + assess + answer
(the search on the raw question hides behind decomposition). A bare HTTP client that makes the same requests,
turn about with the pipeline, shows how much of it is the endpoint's own and the network's.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import multiprocessing
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks import DEMO, build
from benchmarks.table import Row, percentile, show, spread
from rag.pipeline import Outcome, run
from rag.state import Services
from rag.trace import ModelCall, Trace
from tests.model_replies import Reply, Request, as_json, says
from tests.model_server import ModelServer

DELAYS = {"decompose": 0.3, "embeddings": 0.05, "rerank": 0.3, "assess": 0.5, "answer": 0.6}
CRITICAL = sum(DELAYS.values())
DRIP = 0.01
OVERHEAD_SHARE, OVERHEAD_MS = 0.05, 60.0
TARGET_MS = max(OVERHEAD_MS, OVERHEAD_SHARE * CRITICAL * 1000)
RUNS = 15
AT_ONCE, ROUNDS = 8, 4
DIMENSIONS = 384
QUESTION = "¿Cuántos días de vacaciones anuales corresponden al trabajador?"
AS_OF = date(2026, 6, 1)
MARKERS = {
    "decompose": "Preparas búsquedas",
    "rerank": "Ordenas fragmentos",
    "assess": "Compruebas si unos fragmentos",
    "answer": "Eres especialista en Derecho",
}
_FIRST_SENTENCE = re.compile(r"\[C1\].*?\nTexto: (?:#.*?\n+)?(.{40,300}?[.;\n])", re.S)


@contextmanager
def scripted_model(delays: Mapping[str, float] = DELAYS) -> Iterator[str]:
    """Base URL of an endpoint with these seconds a stage; in a process of its own, so that its work does not
    count as ours."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, dict(delays)))
    process.start()
    theirs.close()
    try:
        yield ours.recv()
    finally:
        ours.close()
        process.join()


def _serve(parent: Connection, delays: Mapping[str, float]) -> None:
    with ModelServer(dimensions=DIMENSIONS) as server:
        server.markers = dict(MARKERS)
        server.script(
            decompose=[
                _after(delays["decompose"], as_json(["vacaciones anuales retribuidas", "artículo 38 ET"]))
            ],
            embeddings=[_after(delays["embeddings"], Reply())],
            rerank=[_after(delays["rerank"], says("[0, 1, 2, 3, 4, 5]"))],
            assess=[_after(delays["assess"], says("READY"))],
            answer=[partial(_answer, delays["answer"])],
        )
        parent.send(server.url)
        try:
            parent.recv()
        except EOFError:
            return


def _after(seconds: float, reply: Reply) -> Callable[[Request], Reply]:
    def answer(_: Request) -> Reply:
        time.sleep(seconds)
        return reply

    return answer


def _answer(seconds: float, request: Request) -> Reply:
    """A long answer that quotes the first source; half of the time is waiting, half is streaming."""
    found = _FIRST_SENTENCE.search(request.prompt)
    quote = found[1].strip() if found else ""
    value = {
        "answer": "Las vacaciones son retribuidas y no se cambian por dinero [C1]. " * 12,
        "citations": [{"quote": quote, "source": "ET", "page": None, "marker": "C1"}],
        "confidence": 0.9,
        "refusal": False,
        "notes": None,
    }
    text = json.dumps(value, ensure_ascii=False)
    steps = round(seconds / 2 / DRIP) - 1
    size = -(-len(text) // steps)
    pieces = tuple(text[i : i + size] for i in range(0, len(text), size))
    time.sleep(seconds - len(pieces) * DRIP)
    return Reply(text=text, pieces=pieces, drip=DRIP)


class BareClient:
    """The requests of a run that are on the critical path, over one kept-alive connection."""

    def __init__(self, base: str, trace: Trace) -> None:
        address = urlsplit(base)
        self._connection = http.client.HTTPConnection(address.hostname or "", address.port)
        self._path = address.path
        calls = {record.name: record.calls[-1] for record in trace.stages if record.calls}
        self._requests = [_request(stage, call) for stage, call in calls.items()]

    def run(self) -> float:
        """Seconds from the first request to the last byte."""
        started = time.perf_counter()
        for path, body in self._requests:
            headers = {"Content-Type": "application/json"}
            self._connection.request("POST", self._path + path, json.dumps(body), headers)
            self._connection.getresponse().read()
        return time.perf_counter() - started

    def close(self) -> None:
        self._connection.close()


def _request(stage: str, call: ModelCall) -> tuple[str, dict[str, Any]]:
    if stage == "search":
        return "/embeddings", {"model": call.model, "input": [text for _, text in call.messages]}
    messages = [{"role": role, "content": text} for role, text in call.messages]
    return "/chat/completions", {"model": call.model, "messages": messages, "stream": stage == "answer"}


async def _timed(services: Services) -> tuple[float, Outcome]:
    started = time.perf_counter()
    outcome = await run(QUESTION, services, as_of=AS_OF)
    return time.perf_counter() - started, outcome


def _check(outcome: Outcome) -> None:
    """A run that degraded is quicker than the critical path and would be measured as a success."""
    notes = [record.fallback for record in outcome.trace.stages if record.fallback]
    if notes or outcome.answer.refusal:
        raise RuntimeError(f"the scripted run degraded: {notes or outcome.answer.answer}")


def _at_once(clients: list[BareClient]) -> list[float]:
    walls: list[float] = []
    threads = [threading.Thread(target=lambda c=client: walls.append(c.run())) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return walls


async def measure(services: Services, base: str) -> list[Row]:
    """All rows, in one event loop as in the application."""
    first, outcome = await _timed(services)
    _check(outcome)
    clients = [BareClient(base, outcome.trace) for _ in range(AT_ONCE)]
    await asyncio.to_thread(_at_once, clients)
    await asyncio.gather(*(_timed(services) for _ in range(AT_ONCE)))

    one: list[float] = []
    bare: list[float] = []
    cpu = 0.0
    for _ in range(RUNS):
        bare.append(await asyncio.to_thread(clients[0].run))
        before = time.process_time()
        wall, outcome = await _timed(services)
        cpu += time.process_time() - before
        _check(outcome)
        one.append(wall)
    many: list[float] = []
    bare_many: list[float] = []
    for _ in range(ROUNDS):
        bare_many += await asyncio.to_thread(_at_once, clients)
        many += [wall for wall, _ in await asyncio.gather(*(_timed(services) for _ in range(AT_ONCE)))]
    for client in clients:
        client.close()
    return [
        Row("critical path of the scripted delays", CRITICAL * 1000, "ms"),
        *_overhead("one at a time", one, bare),
        Row("  processor time a question, both cores", cpu / RUNS * 1000, "ms"),
        *_overhead(f"{AT_ONCE} at once", many, bare_many),
        Row("first question of the process: overhead", _excess(first), "ms"),
    ]


def _excess(wall: float) -> float:
    return (wall - CRITICAL) * 1000


def _overhead(name: str, walls: list[float], bare: list[float]) -> list[Row]:
    over = [_excess(wall) for wall in walls]
    share = [value / CRITICAL / 10 for value in over]
    return [
        *spread(f"{name}: overhead", over, "ms", TARGET_MS, TARGET_MS),
        Row(f"{name}: overhead ÷ critical path, p50", percentile(share, 50), "%", TARGET_MS / CRITICAL / 10),
        *spread(f"  of it a bare client's, {name}", [_excess(wall) for wall in bare], "ms"),
    ]


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, scripted_model() as base:
        program = build(
            Path(folder),
            openai_base_url=base,
            openai_api_key="sk-benchmark",
            embeddings_provider="openai",
            embeddings_dimensions=DIMENSIONS,
        )
        program.ingest([DEMO])
        rows = asyncio.run(measure(program.services, base))
        program.close()
    show(f"Pipeline ({RUNS} questions; {ROUNDS} × {AT_ONCE} at once)", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
