"""How much loading documents in the background slows what people notice: an answer, a page of the catalogue.

The same questions over the demo corpus, first with nothing else going on, then while a worker process loads
the norms of ../shared/boe and this process puts them into its index. The corpus grows meanwhile, which costs
something by itself: the third row asks again when all is loaded.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path

import bootstrap
from benchmarks import BOE, build
from benchmarks.table import Row, percentile, show
from rag.pipeline import run

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


def measured(home: Path) -> list[Row]:
    """Rows for one home, or none when the norms are not here."""
    if not BOE.is_dir():
        print("latency: the real norms (../shared/boe) are not here; skipped")
        return []
    program = build(home, embeddings_provider="none")
    # The worker process reads its own settings.
    os.environ |= {"ARTICULADO_HOME": str(home), "EMBEDDINGS_PROVIDER": "none"}
    program.load_demo()
    program.start_background()
    questions = cycle(QUESTIONS)
    for _ in QUESTIONS:
        _asked(program, next(questions))
    idle = [_asked(program, next(questions)) for _ in range(SAMPLES)]
    files = [(f"boe/{path.relative_to(BOE)}", path) for path in sorted(BOE.rglob("*.xml"))]
    started = time.perf_counter()
    job = program.upload(files)
    busy: list[float] = []
    while len(busy) < MOST and not program.jobs.job(job.id).state.ended:
        busy.append(_asked(program, next(questions)))
    while not program.jobs.job(job.id).state.ended or program.corpus.index_work("").sparse:
        if time.perf_counter() - started > GIVE_UP_SECONDS:
            raise RuntimeError("the documents are not in after five minutes")
        time.sleep(PAUSE_SECONDS)
    elapsed = time.perf_counter() - started
    after = [_asked(program, next(questions)) for _ in range(SAMPLES)]
    program.close()
    base, loading, larger = (percentile(times, 95) for times in (idle, busy, after))
    return [
        Row("answer and catalogue, idle, p95", base, "ms"),
        Row(f"  while loading ({len(busy)} samples), p95", loading, "ms"),
        Row("  idle again, with all of it loaded, p95", larger, "ms"),
        Row("while loading ÷ the slower of the two idle ones", loading / max(base, larger), "×", RATIO),
        Row("loading, from upload to searchable", elapsed, "s", 45.0),
    ]


def _asked(program: bootstrap.App, question: str) -> float:
    """Milliseconds of an answer and a page of the catalogue; then a pause, as people make."""
    started = time.perf_counter()
    asyncio.run(run(question, program.services))
    program.documents.page()
    elapsed = (time.perf_counter() - started) * 1000
    time.sleep(PAUSE_SECONDS)
    return elapsed


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(Path(folder) / "home")
    if rows:
        show("Latency while loading", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
