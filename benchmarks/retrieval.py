"""How long a question without a model takes up to the verdict, stage by stage, over a corpus of one's own.

    ARTICULADO_HOME=… python -m benchmarks retrieval

The questions of data/evaluation, each asked once: none finds its vector kept. The first pass reads the corpus
as it goes; the second, which the targets are for, finds chunks and their words kept, as a service does. Only
one process may have the embedded index of that home open.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path

from benchmarks import ROOT, build
from benchmarks.table import Row, show, spread
from rag.evaluation.cases import Case, read_dataset
from rag.pipeline import retrieve_traced
from rag.providers.local import LocalEmbedder
from rag.state import Services
from rag.trace import Trace

P50_MS, P95_MS = 30.0, 80.0
TODAY = date(2026, 6, 1)
SETS = ("core", "law")
STAGES = ("understand", "search", "rerank", "assess")


def measured(services: Services, cases: Iterable[Case]) -> list[Row]:
    """The stages up to the verdict, of which the expansion of the context is not part."""
    times: dict[str, list[float]] = defaultdict(list)

    async def ask_all() -> None:
        for case in cases:
            cpu = time.process_time()
            _, trace = await retrieve_traced(
                case.question, services, as_of=case.as_of, today=TODAY, history=case.history
            )
            times["cpu"].append((time.process_time() - cpu) * 1000)
            _count(trace, times)

    asyncio.run(ask_all())
    rows = spread("question", times["question"], "ms", P50_MS, P95_MS)
    for name in (*STAGES, "embeddings"):
        rows += spread(f"  {name}", times[name], "ms")
    return [*rows, *spread("processor time, context included", times["cpu"], "ms")]


def _count(trace: Trace, times: dict[str, list[float]]) -> None:
    spent = {record.name: record.elapsed_ms for record in trace.stages}
    for name in STAGES:
        times[name].append(spent[name])
    times["embeddings"].append(sum(call.elapsed_ms for record in trace.stages for call in record.calls))
    times["question"].append(sum(spent[name] for name in (*STAGES, "decompose")))


def main() -> int:
    home = os.environ.get("ARTICULADO_HOME")
    if not home:
        print("retrieval: ARTICULADO_HOME names no corpus; skipped")
        return 0
    cases = [
        case for name in SETS for case in read_dataset(ROOT / "data" / "evaluation" / f"{name}.jsonl").cases
    ]
    program = build(Path(home))
    for title in ("first pass", "chunks and words kept"):
        services = program.services
        if program.embedder is not None:
            # Each pass its own: it keeps the vectors of the questions.
            embedder = LocalEmbedder()
            embedder.load()
            services = replace(services, embedder=embedder)
        show(f"Questions without a model, {title} ({len(cases)} questions)", measured(services, cases))
    program.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
