"""Milliseconds of a question without a model, by stage, over an existing corpus.

    ARTICULADO_HOME=… python -m lab retrieval

Each pass asks the questions of data/evaluation once, so no vector of a question is cached. The first pass
reads the corpus from the database. The second, to which the targets apply, has chunks and words in memory,
as a service does. The answer, which selects its sentences, is a figure of its own. Only one process may have
the embedded index of that home open.
"""

import asyncio
import gc
import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from lab.harness import program
from lab.table import Row, Tables, Watch, spread
from models.local_embedder import LocalEmbedder
from rag.evaluation.cases import Case, read_dataset
from rag.run.pipeline import retrieve
from rag.shared.state import Services
from service.config import ROOT
from web.server import COLLECT_AFTER

P50_MS, P95_MS = 45.0, 90.0
ANSWER_P50_MS = 60.0
TODAY = date(2026, 6, 1)
SETS = ("core", "law")
STAGES = ("understand", "search", "rerank", "assess")
SEARCHING = (*STAGES, "decompose")


async def measured(services: Services, cases: Sequence[Case]) -> list[Row]:
    """The stages up to the verdict, of which the expansion of the context is not part, and the answer."""
    times: dict[str, list[float]] = defaultdict(list)
    for case in cases:
        watch = Watch()
        state, trace = await retrieve(
            case.question, services, as_of=case.as_of, today=TODAY, history=case.history, answered=True
        )
        times["cpu"].append(watch.cpu * 1000)
        spent: dict[str, float] = {record.name: record.elapsed_ms for record in trace.stages}
        for name in STAGES:
            times[name].append(spent[name])
        searched = (one for one in trace.stages if one.name in SEARCHING)
        times["embeddings"].append(sum(call.elapsed_ms for one in searched for call in one.calls))
        times["question"].append(sum(spent[name] for name in SEARCHING))
        if state.answer and not state.answer.refusal:
            times["answer"].append(spent["answer"])
    rows = spread("question", times["question"], "ms", P50_MS, P95_MS)
    for name in (*STAGES, "embeddings"):
        rows += spread(f"  {name}", times[name], "ms")
    rows += spread("answer: the sentences that it quotes", times["answer"], "ms", ANSWER_P50_MS)
    return [*rows, *spread("processor time, context and answer included", times["cpu"], "ms")]


def tables(_: Path) -> Tables:
    home = os.environ.get("ARTICULADO_HOME")
    if not home:
        print("retrieval: ARTICULADO_HOME names no corpus; skipped")
        return
    files = [ROOT / "data" / "evaluation" / f"{name}.jsonl" for name in SETS]
    cases = [case for file in files for case in read_dataset(file).cases]
    with program(Path(home)) as app:
        # As the server does once it is ready.
        gc.freeze()
        gc.set_threshold(*COLLECT_AFTER)
        for title in ("first pass", "chunks and words kept"):
            services = app.services
            if app.models.embedder is not None:
                # A new one for each pass: it caches the vectors of questions.
                embedder = LocalEmbedder()
                embedder.load()
                services = replace(services, embedder=embedder)
            rows = asyncio.run(measured(services, cases))
            yield f"Questions without a model, {title} ({len(cases)} questions)", rows
