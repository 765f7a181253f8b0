"""Output of the command line: JSON documents, which are a contract, and their readable forms."""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from core.progress import Pace
from text.textnorm import visible

if TYPE_CHECKING:
    from loading.indexing.index_sync import IndexReport
    from loading.ingestion.ingest import IngestReport
    from rag.shared.cited_answer import Answer, Part

Json = dict[str, Any]
WORDS = {
    "norms": "normas",
    "chunks": "fragmentos",
    "pending_dense": "sin vector",
    "deleted": "retirados",
    "sparse": "palabras",
    "dense": "vectores",
    "from_cache": "de la caché",
    "notice": "aviso",
    "file": "archivo",
    "entries": "entradas",
    "user": "usuario",
    "conversations": "conversaciones",
    "cases_left": "casos que se conservan",
    "delete": "retirar",
    "verify": "comprobar",
    "record": "anotar",
}
"""Names of JSON documents and phases of progress, as the readable output writes them."""

COVERAGES = (0.1, 0.25, 0.5, 0.75, 1.0)
"""Shares of the questions at which the risk of answering is printed."""

ANSWER = {"answer", "citations", "sources", "confidence", "refusal", "notes", "mode", "as_of", "parts"}


def emit(as_json: bool, document: Json, readable: Callable[[Json], str]) -> None:
    """Print one JSON document, or its readable form."""
    print(json.dumps(document, ensure_ascii=False, default=str) if as_json else readable(document))


def one_line(text: str) -> str:
    """A text of somebody else on one line: what it says may not look like a result of a check."""
    return " ".join(visible(text).split())


class Progress:
    """A progress line on stderr with the time left, ended with `with`; silent unless stderr is a terminal."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._width = 0
        self._paces: defaultdict[str, Pace] = defaultdict(Pace)

    def __call__(self, phase: str, done: int, total: int) -> None:
        if self._shown:
            left = self._paces[phase].left(time.monotonic(), done, total)
            line = f"{WORDS.get(phase, phase)} {done}/{total}" + (f" · {left}" if left else "")
            print(f"\r{line:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = max(self._width, len(line))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown and self._width:
            print(file=sys.stderr)


def print_search(document: Json) -> str:
    """One line a hit, and the start of its text."""
    if not document["hits"]:
        return "Sin resultados."
    lines = []
    for hit in document["hits"]:
        lines.append(f"{hit['rank']:>2}. {hit['score']:.3f}  {hit['law']} · {hit['section']}")
        lines.append(f"      {' '.join(hit['text'].split())[:160]}…")
    return "\n".join(lines)


def print_answer(document: Json) -> str:
    """The answer, the articles that it cites and its notes, by the numbers that readers see.

    Of several questions, each has its notes and the day of its law.
    """
    from rag.answers.article_numbers import articles_of, numbered, with_numbers
    from rag.answers.provenance import provenance_told
    from rag.shared.cited_answer import Answer

    answer = Answer.model_validate({field: document[field] for field in ANSWER})
    numbers = numbered(answer)
    lines = [with_numbers(answer.answer, numbers), ""]
    for number, source, quotes in articles_of(answer, numbers):
        kind = "" if source.official else " (resumen no oficial)"
        kind += "" if quotes else " (fuente nombrada, sin cita comprobada)"
        lines.append(f"[{number}] {source.source}{kind}")
        lines.append(f"     {source.url}")
    if answer.notes:
        lines += ["", answer.notes]
    for number, part in enumerate(answer.parts, start=1):
        if told_of_part := [*_day(part), *filter(None, [part.notes])]:
            lines += ["", f"Pregunta {number}. {part.question}", *told_of_part]
    why = f" ({answer.because})" if answer.because else ""
    lines += [
        "",
        *([] if answer.parts else _day(answer)),
        f"Confianza: {answer.confidence:.2f}{why} · modo: {answer.mode}",
        provenance_told(answer),
    ]
    return "\n".join(lines)


def _day(answer: Answer | Part) -> list[str]:
    """A line with the day whose law was applied, if it is known."""
    return [f"Se aplica la normativa vigente a {answer.as_of:%d/%m/%Y}"] if answer.as_of else []


def ingestion_document(report: IngestReport, index: IndexReport, seconds: float) -> Json:
    """`ingest --json`."""
    return {
        "documents": [
            {
                "path": str(done.path),
                "norm_id": done.norm.id,
                "law": done.norm.law,
                "added": len(done.change.added),
                "changed": len(done.change.changed),
                "removed": len(done.change.removed),
                "unchanged": done.change.unchanged,
                "warnings": list(done.warnings),
                "skipped": done.skipped,
            }
            for done in report.documents
        ],
        "failures": [{"path": str(f.path), "reason": f.reason} for f in report.failures],
        "index": index.model_dump(),
        "elapsed_s": round(seconds, 2),
    }


def print_ingestion(document: Json) -> str:
    """A line a document, then the counts of the index if it changed."""
    lines = []
    for done in document["documents"]:
        counts = (
            f"+{done['added']} ~{done['changed']} -{done['removed']} ={done['unchanged']}"
            if not done["skipped"]
            else f"omitido: {done['skipped']}"
        )
        lines.append(f"{done['norm_id']}  {done['law']}  {counts}")
        lines += [f"   aviso: {warning}" for warning in done["warnings"]]
    lines += [f"ERROR {failure['path']}: {failure['reason']}" for failure in document["failures"]]
    if any(document["index"].values()):
        lines.append(f"Índice: {print_pairs(document['index'])} · {document['elapsed_s']} s")
    return "\n".join(lines)


def print_pairs(document: Json) -> str:
    """The names, in Spanish, and values of a flat document, without empty texts."""
    return ", ".join(f"{WORDS.get(name, name)}: {value}" for name, value in document.items() if value != "")


def print_evaluation(document: Json) -> str:
    """Metrics with their 95 % intervals and numbers of questions, facts lost, curves, then per category."""
    lines = _measured(document["metrics"], document["intervals"], document["counts"])
    lines += _lost(document["misses"]) + _curves(document)
    for category, metrics in document["by_category"].items():
        lines.append(f"\n[{category}]")
        spread, counts = (document[f"category_{name}"][category] for name in ("intervals", "counts"))
        lines += [f"  {line}" for line in _measured(metrics, spread, counts)]
    if apart := document["metrics"].get("not_loaded"):
        lines.append(f"\n{apart} preguntas aparte: el corpus no tiene los artículos que las responden")
    lines.append(f"\np50 {document['elapsed_ms']['p50']} ms · p95 {document['elapsed_ms']['p95']} ms")
    if saved := document.get("saved"):
        lines.append(f"Guardada como {saved}: véala en la página «Evaluación».")
    return "\n".join(lines)


def _measured(metrics: Json, intervals: Json, counts: Json) -> list[str]:
    lines = []
    for name, value in metrics.items():
        low, high = intervals.get(name, (None, None))
        shown = str(value) if low is None else f"{value:.4f}  [{low:.3f}, {high:.3f}]  de {counts[name]}"
        lines.append(f"{name:<22} {shown}")
    return lines


def _lost(misses: Json) -> list[str]:
    if not misses:
        return []
    return ["\nHechos que faltan, por la etapa que los perdió", *(f"{n:<22} {v}" for n, v in misses.items())]


def _curves(document: Json) -> list[str]:
    """The confidence of the answers beside how right they are, and what answering fewer would spare."""
    lines = []
    if bins := document["reliability"]:
        lines.append("\nConfianza y acierto")
        lines += [f"{b['confidence']:<22.2f} {b['right']:.2f}  de {b['answers']}" for b in bins]
        lines.append("\nRespuestas con fallos, si solo se responde a esa parte de las preguntas")
    points = document["risk_coverage"]
    reached = (next((p for p in points if p["coverage"] >= share - 1e-9), points[-1]) for share in COVERAGES)
    # Many answers may have one confidence: two shares are then reached at the same point.
    for point in {p["coverage"]: p for p in reached}.values() if points else ():
        lines.append(f"{point['coverage']:<22.0%} {point['risk']:.2f}  desde {point['confidence']:.2f}")
    return lines


def print_doctor(document: Json) -> str:
    """A line for each thing mended, then a line a check with its outcome."""
    lines = [f"🔧 {what}" for what in document["mended"]]
    lines += [f"{'✔' if c['ok'] else '✘'} {c['name']}: {c['detail']}" for c in document["checks"]]
    return "\n".join(lines)
