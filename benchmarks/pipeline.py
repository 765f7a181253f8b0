"""Time that the program adds to the time of its models.

A scripted endpoint, in a process of its own, answers each stage after a set delay. Overhead = wall time of
`pipeline.run` − critical path; the critical path is decompose + embeddings + rerank + assess + answer +
claims (the search on the raw question hides behind decomposition). A bare HTTP client that takes turns with
the pipeline over the same requests shows the share of the endpoint and the network.
"""

import asyncio
import gc
import http.client
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.harness import DIMENSIONS, scene
from benchmarks.table import Row, Tables, Watch, percentile, spread
from models.chat import ModelCall
from rag.run.pipeline import Outcome, run
from rag.shared.state import Services
from rag.shared.trace import Trace
from service.program import assembly

DELAYS = {"decompose": 0.3, "embeddings": 0.05, "rerank": 0.3, "assess": 0.5, "answer": 0.6, "claims": 0.4}
CRITICAL = sum(DELAYS.values())
OVERHEAD_SHARE, OVERHEAD_MS = 0.05, 60.0
TARGET_MS = max(OVERHEAD_MS, OVERHEAD_SHARE * CRITICAL * 1000)
RUNS = 15
AT_ONCE, ROUNDS = 8, 4
QUESTION = "¿Cuántos días de vacaciones anuales corresponden al trabajador?"
AS_OF = date(2026, 6, 1)


class BareClient:
    """The requests of a run that are on the critical path, over one kept-alive connection."""

    def __init__(self, base: str, trace: Trace) -> None:
        address = urlsplit(base)
        self.connection = http.client.HTTPConnection(address.hostname or "", address.port)
        self._path = address.path
        self._requests = [_request(record.name, record.calls[-1]) for record in trace.stages if record.calls]

    def run(self) -> float:
        """Seconds from the first request to the last byte."""
        watch = Watch()
        for path, body in self._requests:
            headers = {"Content-Type": "application/json"}
            self.connection.request("POST", self._path + path, json.dumps(body), headers)
            self.connection.getresponse().read()
        return watch.wall


def _request(stage: str, call: ModelCall) -> tuple[str, dict[str, Any]]:
    if stage == "search":
        return "/embeddings", {"model": call.model, "input": [text for _, text in call.messages]}
    messages = [{"role": role, "content": text} for role, text in call.messages]
    return "/chat/completions", {"model": call.model, "messages": messages, "stream": stage == "answer"}


async def _timed(services: Services) -> tuple[float, Outcome]:
    """Seconds of a run. One that degraded is quicker, and would be measured as a success: it raises."""
    watch = Watch()
    outcome = await run(QUESTION, services, as_of=AS_OF, today=AS_OF)
    seconds = watch.wall
    notes = [record.fallback for record in outcome.trace.stages if record.fallback]
    if notes or outcome.answer.refusal:
        raise RuntimeError(f"the scripted run degraded: {notes or outcome.answer.answer}")
    return seconds, outcome


async def _many(services: Services) -> list[float]:
    return [wall for wall, _ in await asyncio.gather(*(_timed(services) for _ in range(AT_ONCE)))]


def _many_bare(clients: Sequence[BareClient]) -> list[float]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(BareClient.run, clients))


async def measure(services: Services, base: str) -> list[Row]:
    """All rows, in one event loop as in the application."""
    first, outcome = await _timed(services)
    # As the server does once it has started.
    gc.collect()
    gc.freeze()
    clients = [BareClient(base, outcome.trace) for _ in range(AT_ONCE)]
    await asyncio.to_thread(_many_bare, clients)
    await _many(services)
    one: list[float] = []
    bare: list[float] = []
    cpu = 0.0
    for _ in range(RUNS):
        bare.append(await asyncio.to_thread(clients[0].run))
        watch = Watch()
        one.append((await _timed(services))[0])
        cpu += watch.cpu
    many: list[float] = []
    bare_many: list[float] = []
    for _ in range(ROUNDS):
        bare_many += await asyncio.to_thread(_many_bare, clients)
        many += await _many(services)
    for client in clients:
        client.connection.close()
    return [
        Row("critical path of the scripted delays", CRITICAL * 1000, "ms"),
        *_overhead("one at a time", one, bare),
        Row("  processor time a question, both cores", cpu / RUNS * 1000, "ms"),
        *_overhead(f"{AT_ONCE} at once", many, bare_many),
        Row("first question of the process: overhead", _excess([first])[0], "ms"),
    ]


def _excess(walls: Sequence[float]) -> list[float]:
    """Milliseconds beyond the critical path."""
    return [(wall - CRITICAL) * 1000 for wall in walls]


def _overhead(name: str, walls: Sequence[float], bare: Sequence[float]) -> list[Row]:
    over = _excess(walls)
    share = percentile(over, 50) / CRITICAL / 10
    return [
        *spread(f"{name}: overhead", over, "ms", TARGET_MS, TARGET_MS),
        Row(f"{name}: overhead ÷ critical path, p50", share, "%", TARGET_MS / CRITICAL / 10),
        *spread(f"  of it a bare client's, {name}", _excess(bare), "ms"),
    ]


def tables(folder: Path) -> Tables:
    vectors = {"embeddings_provider": "openai", "embeddings_dimensions": DIMENSIONS}
    with scene(folder, DELAYS, **vectors) as place, place.program() as program:
        program.loading.ingest([assembly.DEMO])
        rows = asyncio.run(measure(program.services, place.settings["openai_base_url"]))
    yield f"Pipeline ({RUNS} questions; {ROUNDS} × {AT_ONCE} at once)", rows
