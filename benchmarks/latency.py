"""Slowdown of an answer and a page of the catalogue while documents load in the background.

The same questions over the demo corpus, first with nothing else going on, then while a worker process loads
the norms of ../shared/boe and this process puts them into its index. The corpus grows meanwhile, which costs
something by itself: the third row asks again when all is loaded.
"""

import asyncio
import os
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

from benchmarks.harness import BOE, has_norms, program
from benchmarks.table import Row, Tables, Watch, percentile
from loading.ingestion.load_request import UploadRequest
from rag.run.pipeline import run
from service.program import assembly

RATIO = 1.3
SAMPLES, MOST = 60, 600
PAUSE_SECONDS = 0.05
GIVE_UP_SECONDS = 300.0
QUESTIONS = (
    "¿Cuántos días de vacaciones me corresponden al año?",
    "¿Qué indemnización corresponde por un despido improcedente?",
    "¿Qué dice el artículo 48 del Estatuto de los Trabajadores?",
    "¿Cuál es la jornada máxima ordinaria?",
)


def measured(app: assembly.App) -> list[Row]:
    """Rows for a program on an empty home."""
    app.load_demo()
    app.background.start()
    times = answers(app)
    for _ in QUESTIONS:
        next(times)
    idle = [next(times) for _ in range(SAMPLES)]
    files = [(f"boe/{path.relative_to(BOE)}", path.read_bytes()) for path in sorted(BOE.rglob("*.xml"))]
    watch = Watch()
    job = app.loading.upload(UploadRequest(files))
    busy: list[float] = []
    while len(busy) < MOST and not app.database.jobs.job(job.id).state.ended:
        busy.append(next(times))
    while not app.database.jobs.job(job.id).state.ended or app.database.ledger.index_work("").sparse:
        if watch.wall > GIVE_UP_SECONDS:
            raise RuntimeError("the documents are not in after five minutes")
        time.sleep(PAUSE_SECONDS)
    elapsed = watch.wall
    after = [next(times) for _ in range(SAMPLES)]
    base, loading, larger = (percentile(times, 95) for times in (idle, busy, after))
    return [
        Row("answer and catalogue, idle, p95", base, "ms"),
        Row(f"  while loading ({len(busy)} samples), p95", loading, "ms"),
        Row("  idle again, with all of it loaded, p95", larger, "ms"),
        Row("while loading ÷ the slower of the two idle ones", loading / max(base, larger), "×", RATIO),
        Row("loading, from upload to searchable", elapsed, "s", 45.0),
    ]


def answers(app: assembly.App) -> Iterator[float]:
    """Milliseconds of an answer and a page of the catalogue, again and again; with pauses, as people make."""
    for question in cycle(QUESTIONS):
        watch = Watch()
        asyncio.run(run(question, app.services))
        app.database.documents.page()
        elapsed = watch.ms
        time.sleep(PAUSE_SECONDS)
        yield elapsed


def tables(folder: Path) -> Tables:
    if not has_norms():
        return
    with program(folder, embeddings_provider="none") as app:
        # The worker process reads its own settings.
        os.environ |= {"ARTICULADO_HOME": str(folder), "EMBEDDINGS_PROVIDER": "none"}
        yield "Latency while loading", measured(app)
