"""How long the document tools take over every norm of ../shared/boe, in an embedded home.

The vectors of the chunks are random: an exact search takes the same time over any. That of the query is the
model's own. The very first call of each tool, which reads what later ones find at hand, has a row of its own;
the others are measured once each of them has been made.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import numpy as np

import bootstrap
from benchmarks import BOE, build
from benchmarks.table import Row, show, spread
from rag.chunking.chunk import lexical_text
from rag.index.sparse import lexical_tokens
from rag.index.types import IndexPoint
from rag.tools import Library, Toolbox

TIMES = 40
AS_OF = date(2026, 6, 1)
LGSS = "BOE-A-2015-11724"
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
    body = "".join(f"<{name}><![CDATA[{value}]]></{name}>" for name, value in values.items())
    return f"<{tool}>{body}</{tool}>"


CALLS: dict[str, tuple[list[str], float]] = {
    "lexical_search": ([xml("tool_lexical_search", query=query, top_k=10) for query in QUERIES], 30),
    "semantic_search": ([xml("tool_semantic_search", query=query, top_k=50) for query in QUERIES], 60),
    "structure_search of LGSS": (
        [xml("tool_structure_search", document_name="LGSS", chunk_type="section_header", keywords="pensión")],
        200,
    ),
    "regex_search": ([xml("tool_regex_search", pattern=pattern) for pattern in PATTERNS], 500),
    "file_section of LGSS": (
        [xml("tool_file_section", file_name="LGSS", chunk_start=100, chunk_end=199)],
        200,
    ),
    "file_content of LGSS": ([xml("tool_file_content", file_name="LGSS")], 200),
}


def fill(program: bootstrap.App) -> None:
    """Every norm, lexical, and a random vector for each chunk."""
    program.ingest([BOE], dense=False)
    services, rng = program.services, np.random.default_rng(7)
    norms = {norm.id: norm for norm in program.corpus.norms()}
    for batch in program.corpus.all_chunks():
        size = program.fingerprint.dimensions
        vectors = rng.standard_normal((len(batch), size)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        program.index.upsert(
            [
                IndexPoint(
                    chunk=chunk,
                    sparse=services.encoder.document(
                        lexical_text(chunk, norms[chunk.norm_id]), lexical_tokens(chunk, norms[chunk.norm_id])
                    ),
                    dense=tuple(vector.tolist()),
                )
                for chunk, vector in zip(batch, vectors, strict=True)
            ]
        )


async def measure(toolbox: Toolbox) -> list[Row]:
    rows: list[Row] = []
    for name, (calls, target) in CALLS.items():
        first = await _timed(toolbox, calls[0])
        for call in calls[1:]:
            await _timed(toolbox, call)
        taken = [await _timed(toolbox, calls[number % len(calls)]) for number in range(TIMES)]
        rows += [*spread(name, taken, "ms", target_p95=target), Row(f"  {name}, first call", first, "ms")]
    return rows


async def _timed(toolbox: Toolbox, call: str) -> float:
    """A call that failed would be measured as a success."""
    clock = time.perf_counter()
    (outcome,) = await toolbox.run(call, as_of=AS_OF, question="¿Qué dice la ley?")
    elapsed = (time.perf_counter() - clock) * 1000
    if not outcome.ok:
        raise RuntimeError(outcome.error)
    return elapsed


def main() -> int:
    if not BOE.is_dir():
        print("the real norms (../shared/boe) are not here")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        fill(program)
        toolbox = Toolbox(program.services, Library(program.corpus, program.documents))
        rows = asyncio.run(measure(toolbox))
        counts = program.corpus.counts()
        program.close()
    show(f"Document tools ({counts.norms} norms, {counts.chunks} chunks, {TIMES} calls each)", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
