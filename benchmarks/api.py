"""Cost of the API beside the engine: a search, the stages of an answer, and fifty clients for a while.

A real server on the demo corpus. What the engine takes is in the documents themselves (`elapsed_ms`), so both
are of the same request. The clients ask once in two seconds each, as people and programs do; server and
clients share this one machine.
"""

import asyncio
import json
import time
from pathlib import Path

import httpx

from benchmarks.harness import Server, program
from benchmarks.table import Row, Tables, Watch, percentile

QUERIES = ("vacaciones anuales", "despido improcedente indemnización", "artículo 48 ET", "jornada máxima")
QUESTION = "¿Cuántos días de vacaciones me corresponden al año?"
SAMPLES, ASKED = 200, 20
CLIENTS, SECONDS, EVERY = 50, 30.0, 2.0
ADDED_MS, STAGE_MS, CROWD = 3.0, 5.0, 3.0


def searches(client: httpx.Client) -> tuple[list[float], list[float]]:
    """Milliseconds of each search as the client sees it, and what the API adds to the engine's own."""
    whole, added = [], []
    for number in range(SAMPLES):
        watch = Watch()
        found = client.get("/search", params={"query": QUERIES[number % len(QUERIES)]}).json()
        whole.append(watch.ms)
        added.append(watch.ms - found["elapsed_ms"])
    return whole, added


def stages(client: httpx.Client) -> list[float]:
    """Milliseconds that a stream adds to an answer, for each of its stages."""
    added = []
    for _ in range(ASKED):
        watch, ended, engine = Watch(), 0, 0.0
        asked = {"json": {"question": QUESTION}, "headers": {"accept": "text/event-stream"}}
        with client.stream("POST", "/ask", **asked) as reply:  # type: ignore[arg-type]
            for line in reply.iter_lines():
                ended += '"finished"' in line
                if line.startswith('data: {"answer"'):
                    engine = json.loads(line.removeprefix("data: "))["trace"]["elapsed_ms"]
        added.append((watch.ms - engine) / ended)
    return added


async def crowd(address: str) -> tuple[list[float], int]:
    """Milliseconds of the searches of many clients, and how many failed."""
    times: list[float] = []
    failed = 0

    async def one(number: int, client: httpx.AsyncClient) -> None:
        nonlocal failed
        await asyncio.sleep(number * EVERY / CLIENTS)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            watch = Watch()
            reply = await client.get("/search", params={"query": QUERIES[number % len(QUERIES)]})
            times.append(watch.ms)
            failed += reply.status_code != httpx.codes.OK
            await asyncio.sleep(max(0.0, EVERY - watch.wall))

    limits = httpx.Limits(max_connections=CLIENTS)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=30) as client:
        await asyncio.gather(*(one(number, client) for number in range(CLIENTS)))
    return times, failed


def tables(folder: Path) -> Tables:
    with program(folder / "home", embeddings_provider="none") as app:
        app.load_demo()
    with Server(folder, {"embeddings_provider": "none"}) as server:
        address = f"{server.address}/api/v1"
        with httpx.Client(base_url=address, timeout=30) as client:
            searches(client)
            alone, added = searches(client)
            streamed = stages(client)
        times, failed = asyncio.run(crowd(address))
    yield (
        "API",
        [
            Row("search over HTTP, median", percentile(alone, 50), "ms"),
            Row("  added to the engine's own, median", percentile(added, 50), "ms", ADDED_MS),
            Row("answer streamed: added for each stage, median", percentile(streamed, 50), "ms", STAGE_MS),
            Row(f"{CLIENTS} clients, {len(times)} searches: failed", failed, "", 0),
            Row("  p95 ÷ one client's", percentile(times, 95) / percentile(alone, 95), "×", CROWD),
            Row("  median", percentile(times, 50), "ms"),
        ],
    )
