"""Milliseconds of the document tools over every norm of ../shared/boe, in an embedded home.

The vectors of the chunks are random, since an exact search takes the same time over any; the query's vector
is the model's. The first call of each tool fills caches and has its own row. The other rows are measured
after each call has been made once.
"""

import asyncio
from datetime import date
from pathlib import Path

import numpy as np

from benchmarks.harness import BOE, has_norms, program
from benchmarks.search import unit_rows
from benchmarks.table import Row, Tables, Watch, spread
from index.points import IndexPoint
from index.sparse import document_vector, lexical_tokens
from loading.chunking.chunk import lexical_text
from rag.tools.tool_contract import Toolbox
from rag.tools.tool_documents import Library
from service.program import assembly

TIMES = 40
AS_OF = date(2026, 6, 1)
QUERIES = (
    "vacaciones anuales retribuidas",
    "base reguladora de la pensión de jubilación",
    "plazo para impugnar un despido",
    "art. 48 ET suspensión por nacimiento",
    "paro agrario eventual",
    "cotización de las horas extraordinarias",
    "1995",
    "delegado de prevención crédito horario",
)
PATTERNS = (
    r"\b\d+ días (?:naturales|hábiles)\b",
    r"(?i)artículo \d+\.\d+",
    r"\bAPI[-_]?KEY\b",
    r"(a+)+$",
    r"\d{1,3}(?:\.\d{3})*,\d{2} euros",
)


def xml(tool: str, **values: object) -> str:
    """A call as a model writes it."""
    body = "".join(f"<{name}><![CDATA[{value}]]></{name}>" for name, value in values.items())
    return f"<tool_{tool}>{body}</tool_{tool}>"


CALLS: dict[str, tuple[list[str], float]] = {
    "lexical_search": ([xml("lexical_search", query=query, top_k=10) for query in QUERIES], 30),
    "semantic_search": ([xml("semantic_search", query=query, top_k=50) for query in QUERIES], 60),
    "structure_search of LGSS": (
        [xml("structure_search", document_name="LGSS", chunk_type="section_header", keywords="pensión")],
        200,
    ),
    "regex_search": ([xml("regex_search", pattern=pattern) for pattern in PATTERNS], 500),
    "file_section of LGSS": ([xml("file_section", file_name="LGSS", chunk_start=100, chunk_end=199)], 200),
    "file_content of LGSS": ([xml("file_content", file_name="LGSS")], 200),
}
"""A row's name to its calls and the target in milliseconds (p95)."""


def fill(app: assembly.App) -> None:
    """Every norm, lexical, and a random vector for each chunk."""
    app.loading.ingest([BOE], dense=False)
    rng = np.random.default_rng(7)
    norms = {norm.id: norm for norm in app.database.corpus.norms()}
    for batch in app.database.corpus.all_chunks():
        vectors = unit_rows(rng, len(batch), app.models.fingerprint.dimensions).tolist()
        points = []
        for chunk, vector in zip(batch, vectors, strict=True):
            norm = norms[chunk.norm_id]
            sparse = document_vector(lexical_text(chunk, norm), lexical_tokens(chunk, norm))
            points.append(IndexPoint(chunk=chunk, sparse=sparse, dense=tuple(vector)))
        app.index.upsert(points)


async def measure(toolbox: Toolbox) -> list[Row]:
    rows: list[Row] = []
    for name, (calls, target) in CALLS.items():
        first, *_ = [await _timed(toolbox, call) for call in calls]
        taken = [await _timed(toolbox, calls[number % len(calls)]) for number in range(TIMES)]
        rows += [*spread(name, taken, "ms", target_p95=target), Row(f"  {name}, first call", first, "ms")]
    return rows


async def _timed(toolbox: Toolbox, call: str) -> float:
    """Milliseconds; a call that failed raises, or it would be measured as a success."""
    watch = Watch()
    (outcome,) = await toolbox.run(call, as_of=AS_OF, question="¿Qué dice la ley?")
    elapsed = watch.ms
    if not outcome.ok:
        raise RuntimeError(outcome.error)
    return elapsed


def tables(folder: Path) -> Tables:
    if not has_norms():
        return
    with program(folder) as app:
        fill(app)
        rows = asyncio.run(
            measure(Toolbox(app.services, Library(app.database.corpus, app.database.documents)))
        )
        counts = app.database.corpus.counts()
    yield f"Document tools ({counts.norms} norms, {counts.chunks} chunks, {TIMES} calls each)", rows
