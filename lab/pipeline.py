"""Time that the program adds to the time of its models.

A scripted endpoint, in a process of its own, answers each stage after a set delay. Overhead = wall time of
`pipeline.run` − critical path; the critical path is decompose + embeddings + rerank + assess + answer +
claims (the search on the raw question hides behind decomposition). The endpoint's own lateness is part of it.
"""

import asyncio
import gc
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from lab.harness import DIMENSIONS, scene
from lab.table import Row, Tables, Watch, percentile, spread
from rag.run.pipeline import run_stages
from rag.shared.state import Services
from service.program import assembly

DELAYS = {"decompose": 0.3, "embeddings": 0.05, "rerank": 0.3, "assess": 0.5, "answer": 0.6, "claims": 0.4}
CRITICAL = sum(DELAYS.values())
OVERHEAD_SHARE, OVERHEAD_MS = 0.05, 60.0
TARGET_MS = max(OVERHEAD_MS, OVERHEAD_SHARE * CRITICAL * 1000)
RUNS = 15
AT_ONCE, ROUNDS = 8, 4
QUESTION = "¿Cuántos días de vacaciones anuales corresponden al trabajador?"
AS_OF = date(2026, 6, 1)


async def _over(services: Services) -> float:
    """Milliseconds of a run beyond the critical path; it raises for one that degraded, which is quicker."""
    watch = Watch()
    outcome = await run_stages(QUESTION, services, as_of=AS_OF, today=AS_OF)
    seconds = watch.wall
    notes = [record.fallback for record in outcome.trace.stages if record.fallback]
    if notes or outcome.answer.refusal:
        raise RuntimeError(f"the scripted run degraded: {notes or outcome.answer.answer}")
    return (seconds - CRITICAL) * 1000


async def _many(services: Services) -> list[float]:
    return await asyncio.gather(*(_over(services) for _ in range(AT_ONCE)))


async def measure(services: Services) -> list[Row]:
    """All rows, in one event loop as in the application."""
    first = await _over(services)
    # As the server does once it has started.
    gc.collect()
    gc.freeze()
    await _many(services)
    watch = Watch()
    one = [await _over(services) for _ in range(RUNS)]
    cpu = watch.cpu
    many = [over for _ in range(ROUNDS) for over in await _many(services)]
    return [
        Row("critical path of the scripted delays", CRITICAL * 1000, "ms"),
        *_overhead("one at a time", one),
        Row("  processor time a question, both cores", cpu / RUNS * 1000, "ms"),
        *_overhead(f"{AT_ONCE} at once", many),
        Row("first question of the process: overhead", first, "ms"),
    ]


def _overhead(name: str, over: Sequence[float]) -> list[Row]:
    share = percentile(over, 50) / CRITICAL / 10
    return [
        *spread(f"{name}: overhead", over, "ms", TARGET_MS, TARGET_MS),
        Row(f"{name}: overhead ÷ critical path, p50", share, "%", TARGET_MS / CRITICAL / 10),
    ]


def tables(folder: Path) -> Tables:
    vectors = {"embeddings_provider": "openai", "embeddings_dimensions": DIMENSIONS}
    with scene(folder, DELAYS, **vectors) as place, place.program() as program:
        program.loading.ingest([assembly.DEMO])
        rows = asyncio.run(measure(program.services))
    yield f"Pipeline ({RUNS} questions; {ROUNDS} × {AT_ONCE} at once)", rows
