"""All of the program that the seams of the law call: a redesign adapts this module and `doors.py` alone.

Every function gives JSON in which texts of the law are hashes.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from sqlalchemy import select

from calculations.catalogue import calculate, markdown
from calculations.figure_files import read_facts
from calculations.official_figures import Facts
from casework.briefs.brief_check import check
from casework.briefs.norm_library import Library
from core.errors import ArticuladoError
from lab.make_agreements import agreements, write
from law import references
from law.chunks import Chunk
from law.norm_names import NormCatalogue
from law.norms import Document, Reference
from law.reference_reading import find_mentions
from loading.chunking.chunk import chunk_document
from loading.formats import load
from loading.ingestion.ingest import cross_references
from masking.vault import PLACEHOLDER, Vault
from models.chat import Turn
from rag.evaluation.results import Aids
from rag.run.pipeline import retrieve
from rag.shared.cited_answer import Answer
from rag.shared.state import EVERY_NORM, Services, State
from rag.shared.trace import Trace
from rag.stages.understand import understand
from service.program import assembly
from service.program.assembly import App
from storage.tables.norms import CrossReferenceRow
from tests.brief_cases import briefs
from tests.factories import settings_of
from tests.frozen.kept_vectors import KeptVectors
from tests.frozen.row_files import Row, fingerprint
from tests.frozen.samples import BOE, Asked

TODAY, UNTOLD = date(2026, 11, 22), date(2025, 1, 1)
PATIENT = {
    f"{stage}_seconds": 600.0
    for stage in ("run_budget", "decompose", "search", "rerank", "assess", "answer", "verify", "agent")
}
"""Settings with which a slow machine gives the answers of a fast one."""
SHORT = 60
"""Characters between quotation marks of a sentence of ours that are shown; more of them may be a law's."""
VOLATILE = ("elapsed_ms", "started_ms", "calls")
_QUOTED = re.compile(rf"[«“]([^»”]{{{SHORT},}})[»”]|(?<=no constan así en los textos citados: )(.+)")

# The corpus


def build(home: Path, **settings: Any) -> App:
    """A program without models of an endpoint, whose home may be new."""
    given = {"embeddings_provider": "none", **PATIENT, **settings}
    return assembly.build(settings_of(articulado_home=home, **given))


def fill(home: Path) -> None:
    """Load the law into a home, which may hold the real norms without vectors already.

    The norms, rulings and criteria have their vectors; the invented agreements have none, and are ranked by
    their words.
    """
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    program = open_law(home)
    try:
        demo = assembly.DEMO
        norms = [] if program.database.corpus.counts().norms else [BOE]
        program.loading.ingest([*norms, demo / "sentencias", demo / "criterios_inss"])
        written = home.parent / "agreements"
        written.mkdir(exist_ok=True)
        files = [path for one in agreements() for path in write(one, written)]
        # A workbook says no day, and the law of no day is not loaded.
        program.loading.ingest(files, dense=False, since=UNTOLD)
    finally:
        program.close()


def open_law(home: Path, **settings: Any) -> App:
    """The program over such a home, whose few missing vectors are made in this process."""
    program = build(home, **settings)
    program.models.embedder = KeptVectors()
    return program


def corpus(program: App) -> Iterator[tuple[str, Row]]:
    """Every document of the corpus as it is stored."""
    chunks, found = defaultdict(list), _references(program)
    for chunk in (chunk for batch in program.database.corpus.all_chunks() for chunk in batch):
        chunks[chunk.norm_id].append(chunk)
    for norm in program.database.corpus.norms():
        document = program.database.corpus.document(norm.id)
        assert document is not None
        yield norm.id, stored(document, chunks[norm.id], found)


def _references(program: App) -> Mapping[str, Sequence[Any]]:
    """The targets of the references of each chunk, by its id."""
    row, found = CrossReferenceRow, defaultdict(list)
    query = select(row.chunk_id, row.norm_id, row.label, row.apartado).order_by(row.chunk_id, row.ordinal)
    for chunk_id, *target in program.database.corpus._db.rows(query):
        found[chunk_id].append(target)
    return found


def stored(document: Document, chunks: Sequence[Chunk], found: Mapping[str, Sequence[Any]]) -> Row:
    """A document with its chunks and the targets of their references, as counts and hashes."""
    norm = document.norm.model_dump(mode="json", exclude_defaults=True)
    cut = sorted((_chunk(chunk) for chunk in chunks), key=lambda one: str(one["id"]))
    targets = {chunk.id: found[chunk.id] for chunk in chunks if chunk.id in found}
    return {
        "law": document.norm.law,
        "collection": document.norm.collection,
        "blocks": len(document.blocks),
        "wordings": sum(len(block.versions) for block in document.blocks),
        "chunks": len(chunks),
        "references": sum(map(len, targets.values())),
        "warnings": [told(text) for text in document.warnings],
        "metadata_hash": fingerprint(norm),
        "blocks_hash": fingerprint(
            [b.model_dump(mode="json", exclude_defaults=True) for b in document.blocks]
        ),
        "chunks_hash": fingerprint(cut),
        "references_hash": fingerprint(targets) if targets else "",
    }


def _chunk(chunk: Chunk) -> dict[str, Any]:
    return chunk.model_dump(mode="json", exclude_defaults=True, exclude={"content_hash"})


def read_file(path: Path, collection: str = "normativa") -> Iterator[Row]:
    """The documents of a file with the chunks that they are cut into, or the sentence that refuses it."""
    try:
        documents = load(path, collection)
    except ArticuladoError as error:
        yield {"refused": str(error)}
        return
    for document in documents:
        chunks = chunk_document(document)
        found = cross_references(document, chunks, NormCatalogue([document.norm]))
        targets = {key: [(r.norm_id, r.label, r.apartado) for r in value] for key, value in found.items()}
        yield {"norm": document.norm.id, **stored(document, chunks, targets)}


# Questions


async def understood(asked: Asked, services: Services) -> Row:
    """All that is read off a question before any search."""
    state = State(
        question=asked.question,
        as_of=_day(asked) or TODAY,
        as_of_given=asked.as_of is not None,
        today=TODAY,
        history=_history(asked),
    )
    record = await understand(state, services)
    read = record.understanding
    told = read.model_dump(exclude_defaults=True, exclude={"question", "references", "parts"}, mode="json")
    found = {**told, "parts": [f"{one.label}: {'.'.join(one.path)}" for one in read.parts if one.path]}
    cleaned, whole = found.pop("cleaned"), found.pop("whole")
    queries = found.pop("queries", [])
    return {
        **found,
        "cleaned": cleaned if cleaned != asked.question else "",
        "whole": whole if whole != cleaned else "",
        "queries": queries if queries != [whole] else [],
        "as_of": _other_than_today(record.as_of),
        "as_of_from": record.as_of_from if record.as_of_from != "today" else "",
        "other_days": [f"{day}" for day in state.other_days],
        "remarks": [str(one) for one in state.notices],
        "references": _named(asked.question, services.catalogue()),
    }


def _other_than_today(day: date | None) -> str:
    return "" if day == TODAY else f"{day}"


def _named(text: str, catalogue: NormCatalogue) -> list[str]:
    """The references of a text: their offsets, norm, label and apartado."""
    return [_place(one) for one in references.resolve(find_mentions(text), catalogue)]


def _place(one: Reference) -> str:
    target = " ".join(part or "?" for part in (one.norm_id, one.label))
    return f"{one.start}-{one.end} {target}{f'.{one.apartado}' if one.apartado else ''}"


def _history(asked: Asked) -> tuple[Turn, ...]:
    return tuple(Turn(role=turn["role"], text=turn["text"]) for turn in asked.history)


def _day(asked: Asked) -> date | None:
    return date.fromisoformat(asked.as_of) if asked.as_of else None


# Search and answer


def offline(services: Services, *, meaning: bool, aids: Aids) -> Services:
    """The services without models, with or without vectors and search aids."""
    services = replace(services, reader=None, principal=None)
    if not meaning:
        services = replace(services, embedder=None, passages=None, known=None)
    return replace(services, without_aids=EVERY_NORM) if aids is Aids.NONE else services


async def ranked(asked: Asked, services: Services) -> list[str]:
    """The ids of the ten best chunks for a question."""
    state, _ = await _walked(asked, services, answered=False)
    return _best(state)


async def answered(asked: Asked, services: Services) -> tuple[Row, Trace]:
    """The verified answer to a question with the ten best chunks, and the trace of its walk."""
    state, trace = await _walked(asked, services, answered=True)
    assert state.answer is not None
    return {"ranked": _best(state), "verdict": state.verdict.value, **shown(state.answer)}, trace


def _best(state: State) -> list[str]:
    return [hit.chunk.id for hit in state.ranked[:10]]


async def _walked(asked: Asked, services: Services, *, answered: bool) -> tuple[State, Trace]:
    day, history = _day(asked), _history(asked)
    return await retrieve(
        asked.question, services, as_of=day, today=TODAY, history=history, answered=answered
    )


def shown(answer: Answer) -> Row:
    """An answer: its quotations by their places and hashes, and its notes."""
    return {
        "refusal": answer.refusal,
        "mode": answer.mode,
        "as_of": _other_than_today(answer.as_of),
        "other_days": [f"{day}" for day in answer.other_days],
        "confidence": round(answer.confidence, 3),
        "text": told(answer.answer) if answer.refusal else f"#{fingerprint(answer.answer)}",
        "citations": [
            f"{one.marker} {one.chunk_id} {_span(one.start, one.quote)} {fingerprint(one.quote)}"
            f"{'' if one.verified else ' unverified'}{' …<' * one.cut_before}{' >…' * one.cut_after}"
            for one in answer.citations
        ],
        "sources": [f"{one.marker} {one.chunk_id}" for one in answer.sources],
        "notes": [told(line) for line in (answer.notes or "").splitlines()],
    }


def _span(start: int | None, text: str) -> str:
    return f"?+{len(text)}" if start is None else f"{start}-{start + len(text)}"


def told(text: str) -> str:
    """A sentence of the program, in which a hash stands for each long quotation."""
    return _QUOTED.sub(lambda match: f"«#{fingerprint(match[1] or match[2])}»", text)


def walk(trace: Trace) -> Row:
    """The stages of a walk with models: what each asked and what came of it."""
    found: dict[str, Any] = {}
    for record in trace.stages:
        prompts = [fingerprint(call.messages) for call in record.calls if call.role != "embeddings"]
        found[f"{record.name}_asked"] = prompts
        found[f"{record.name}_fallback"] = told(record.fallback)
        found |= {f"{record.name}_{name}": value for name, value in _told(record)}
    return found


def _told(record: Any) -> Iterator[tuple[str, Any]]:
    match record.name:
        case "decompose":
            yield "queries", record.queries
        case "rerank":
            yield "kept", [one.chunk_id for one in record.kept]
        case "expand":
            yield "added", [one.chunk_id for one in record.added]
        case "assess":
            yield "verdict", record.verdict.value
            yield "context", [one.chunk_id for one in record.context]
            yield "rounds", [_round(one) for one in record.rounds]
        case "answer":
            yield "draft_hash", fingerprint(record.draft)
            yield "repaired", record.repaired
            yield "trimmed", record.trimmed
        case "verify":
            checks = record.checks
            yield "checks", [f"{c.marker} {c.chunk_id} {c.verified} {told(c.reason)}" for c in checks]
            yield "doubts", [f"{fingerprint(said)} {told(why)}" for said, why in record.doubts]
            yield "confidence", [f"{name} {value:.3f}" for name, value in record.confidence]


def _round(one: Any) -> str:
    fetched = ", ".join(hit.chunk_id for hit in one.fetched)
    return f"{one.verdict.value} needed {one.needed} fetched {fetched} missing {one.missing}"


# Products


def findings(program: App) -> Iterator[tuple[str, Row]]:
    """The findings of the labelled briefs, with the words of the law filled in."""
    library, catalogue = Library(program.database.corpus), program.holdings.catalogue()
    for brief in briefs(library):
        for one in check(brief.text, library, catalogue, brief.day, TODAY).findings:
            yield (
                f"{brief.name} {one.start:05}-{one.end:05} {one.kind.value}",
                {
                    "state": one.state.value,
                    "since": f"{one.since or ''}",
                    "target": f"{one.norm_id} {one.block_id}".strip(),
                    "wording": f"{one.valid_from or ''}",
                    "said": told(one.said),
                    "warning": told(one.warning),
                    "differs": fingerprint([run.model_dump(mode="json") for run in one.runs])
                    if one.runs
                    else "",
                },
            )


def masked(text: str) -> Row:
    """The placeholders of a text and the hash of all of it as it leaves."""
    made = Vault().mask([text]).texts[0]
    return {"placeholders": PLACEHOLDER.findall(made), "text_hash": fingerprint(made)}


def facts() -> Facts:
    """Holidays and figures that ship."""
    return read_facts((assembly.DEMO.parent,))


def calculated(name: str, given: Mapping[str, Any], known: Facts) -> Row:
    """The result of a calculator, or the sentence that refuses the data."""
    try:
        outcome = calculate(name, given, known)
    except ArticuladoError as error:
        return {"refused": str(error)}
    steps = [step.model_dump(mode="json") for step in outcome.steps]
    return {
        "headline": [f"{label}: {value}" for label, value in outcome.headline],
        "given_hash": fingerprint(outcome.given),
        "steps": len(steps),
        "steps_hash": fingerprint(steps),
        "assumptions_hash": fingerprint(outcome.assumptions),
        "warnings": outcome.warnings,
        "text_hash": fingerprint(markdown(outcome)),
    }
