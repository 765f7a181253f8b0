"""The notices of a checked answer, rule by rule, and the confidence that they leave."""

import re
from datetime import date

import pytest

from law.agreement_names import RANK
from law.boe_links import consolidated
from law.chunks import Chunk
from law.holdings import Holdings
from law.norms import BlockKind, Norm
from rag.answers.confidence import LOW, UNSURE
from rag.answers.figure_check import Figures
from rag.question.question_reading import understand
from rag.shared.answer_contract import Draft
from rag.shared.hits import Hit
from rag.shared.notices import SHOWN, Kind, Notice, caps
from rag.shared.state import State
from rag.shared.trace import CitationCheck
from rag.stages.checked_answer import Checked
from rag.stages.notice_rules import IN_DOUBT, notices_of
from rag.stages.sentences import Held
from tests.factories import make_chunk
from text.sums import sums

WORKERS, COURTS, TEMPORARY, SELF_EMPLOYED = (
    "BOE-A-2015-11430", "BOE-A-2011-15936", "BOE-A-1999-346", "BOE-A-2007-13409",
)  # fmt: skip
TODAY = date(2026, 6, 1)
CRITERIA = [
    Norm(id=number, collection="criterios_inss", title="", law="", alias=f"Criterio {number}", extra=extra)
    for number, extra in (
        ("4/2020", {"criterion_number": "4/2020"}),
        ("11/2022", {"criterion_number": "11/2022", "replaces": "4/2020"}),
    )
]


def article(label: str, norm: str = WORKERS, **fields: object) -> Chunk:
    return make_chunk(norm, label, **{"alias": "ET"} | fields)


def summary(label: str, norm: str = WORKERS, **fields: object) -> Chunk:
    """A chunk of another norm that stands for an article."""
    block = str(fields.get("block_id", f"a{label}"))
    return article(label, f"resumen de {norm}", **fields, url=consolidated(norm, block))


def criterion(number: str) -> Chunk:
    return make_chunk(number, collection="criterios_inss")


def notices(*cited: Chunk, question: str = "¿Qué indemnización?", **found: object) -> list[Notice]:
    """The notices of an answer that cites some fragments."""
    state = State(question=question, as_of=found.pop("as_of", TODAY))  # type: ignore[arg-type]
    state.understanding = understand(question, (), TODAY, Holdings())
    state.draft = Draft(answer="Nueve días por año [C1].", confidence=0.8, refusal=False)
    hits = tuple(Hit(chunk=one, score=1.0) for one in cited)
    answer = Checked(state, Holdings(CRITERIA), **{"text": "", "cited": hits} | found)
    return notices_of(answer)


EMPLOYEES, RULE = "rige para quienes trabajan por cuenta ajena", "vea la disposición transitoria undécima"
SCOPE, DISPLACED, OLD = "obliga solo a las empresas", "ya no existe", "lo deja sin efecto un criterio"
AMENDS, NO_TABLE, NONE_ASKED = "modifica otra norma", "anuncia una escala", "ninguna que responda"
SELF, JUDGMENTS = "Soy autónomo, ¿cuántas vacaciones tengo?", "¿tenéis alguna sentencia sobre el plus?"
OWN_RULE = {"block_id": "dtundecima", "kind": BlockKind.TRANSITIONAL}
CHANGES, SCALE = "Modificación de la Ley 36/2011.", "Según la siguiente escala.\n2. (Suprimido)"
LOST = CitationCheck(marker="C2", quote="", reason="no está")
KEPT = CitationCheck(marker="C1", quote="", verified=True)
HIRED = "Me contrataron el 1 de {when}. ¿Qué indemnización?"


@pytest.mark.parametrize(
    ("cited", "told", "found"),
    [
        ([criterion("4/2020")], rf"Criterio 4/2020: {OLD} posterior \(Criterio 11/2022\).", {}),
        ([criterion("11/2022")], "", {}),
        ([article("38")], f"ET · Artículo 38: {EMPLOYEES}", {"question": SELF}),
        ([summary("38")], f"ET · Artículo 38: {EMPLOYEES}", {"question": SELF}),
        ([article("38")], "", {"question": "¿Cuántas vacaciones tengo?"}),
        ([article("14", SELF_EMPLOYED)], "", {"question": SELF}),
        ([article("2", "heladerías", rank=RANK)], f"Ley heladerías: {SCOPE}", {}),
        ([article("2", TEMPORARY)], f"ET · Artículo 2: .*{DISPLACED}", {}),
        ([article("2", TEMPORARY)], "", {"as_of": date(2021, 6, 1)}),
        ([article("7", TEMPORARY)], "", {}),
        ([criterion("11/2022")], NONE_ASKED, {"question": JUDGMENTS}),
        ([criterion("11/2022")], "", {"question": "¿Qué criterio tiene el INSS sobre el plus?"}),
        ([article("9", section=CHANGES)], f"ET · Artículo 9: .*{AMENDS}", {}),
        ([article("9", text=SCALE)], f"ET · Artículo 9: {NO_TABLE}", {}),
        ([article("56")], f"ET · Artículo 56: {RULE}", {}),
        ([summary("56")], f"ET · Artículo 56: {RULE}", {}),
        ([article("56")], RULE, {"question": HIRED.format(when="marzo de 2008")}),
        ([article("56")], "", {"question": HIRED.format(when="junio de 2016")}),
        ([article("56")], "", {"question": "Tengo cuatro años de antigüedad. ¿Qué indemnización?"}),
        ([article("56")], "", {"question": "¿Con qué preaviso se notifica el despido disciplinario?"}),
        ([article("56"), article("dt 11", **OWN_RULE)], "", {}),
        ([summary("56"), summary("dt 11", **OWN_RULE)], "", {}),
        ([summary("110", COURTS), summary("56")], f"Artículo 110: {RULE}", {}),
        ([summary("110", COURTS), summary("dt 11", **OWN_RULE)], "", {}),
        ([], "superaba los 500 caracteres y se ha recortado", {"cut": 500}),
        ([], "no son de ningún texto leído: C8, C9", {"unknown": ["C8", "C9"]}),
        ([], r"Se ha descartado una cita \(C2\): no está.", {"checks": [LOST]}),
        ([], r"Se han descartado 2 citas \(C2\): no está.", {"checks": [LOST, LOST]}),
        ([], f"no constan así en los textos citados: {'a' * 120}…; b.", {"unquoted": ["a" * 130, "b"]}),
        ([], "no lleva ninguna fuente: «Se pide por escrito.…».", {"text": "Se pide por escrito."}),
        ([], "2 párrafos no llevan ninguna fuente", {"text": "Se pide por escrito.\n\nY antes del lunes."}),
        ([], "", {"text": "Dura doce días [C1]."}),
        ([], "", {"text": "¿Desde cuándo trabaja allí?"}),
        ([], "", {"text": "Para la cifra final falta la fecha de antigüedad."}),
        ([], "", {"text": "Con su salario: 50 € × 12 días = 600 €."}),
        ([], "", {"text": "Los pasos:"}),
        ([], "«2 × 3 = 7»; el resultado es 6", {"figures": Figures(sums("2 × 3 = 7."))}),
        ([], "rehechos y correctos.*: 2 × 3 = 6", {"figures": Figures(sums("2 × 3 = 6."))}),
        ([], "estas cifras.*: 14, 15", {"figures": Figures(unshown=("14", "15")), "by_model": True}),
        ([], "", {"figures": Figures(unshown=("14", "15"))}),
        ([], "frases señaladas con ⚠", {"held": Held("", [("Dura.", "no")])}),
        ([], "Nadie la leyó.", {"held": Held("", unread="Nadie la leyó.")}),
    ],
)  # fmt: skip
def test_an_answer_has_the_notice_of_its_case_and_no_other(
    cited: list[Chunk], told: str, found: dict[str, object]
) -> None:
    lines = [str(one) for one in notices(*cited, **found) if one.says]
    assert len(lines) == bool(told) and all(re.search(told, one) for one in lines), lines


BINDING, OTHER = article("2", "heladerías", rank=RANK), article("2", "N-1")


@pytest.mark.parametrize(
    ("cited", "found", "least"),
    [
        ([criterion("4/2020")], {}, {Kind.REPLACED: UNSURE}),
        ([article("38")], {"question": SELF}, {Kind.PEOPLE: UNSURE}),
        ([BINDING, OTHER], {}, {Kind.SCOPE: UNSURE}),
        ([OTHER, BINDING], {}, {}),
        ([article("2", TEMPORARY)], {}, {}),
        ([], {"unquoted": ["palabras"]}, {Kind.MARKS: IN_DOUBT}),
        ([], {"checks": [LOST, KEPT, KEPT, KEPT]}, {Kind.CITATIONS: UNSURE}),
        ([], {"checks": [LOST, KEPT]}, {Kind.CITATIONS: 0.5}),
        ([], {"figures": Figures(sums("2 × 3 = 7."))}, {Kind.CALCULATIONS: LOW}),
        ([], {"figures": Figures(nowhere=("9",))}, {Kind.FIGURES: UNSURE}),
        ([], {"figures": Figures(sums("2 × 3 = 6."), unshown=("9",)), "by_model": True}, {}),
        ([], {"held": Held("", [("Dura.", "no")], share=0.1)}, {Kind.SENTENCES: UNSURE}),
        ([], {"held": Held("", [("Dura.", "no")], share=0.5)}, {Kind.SENTENCES: 0.4}),
    ],
)  # fmt: skip
def test_the_notices_leave_a_confidence(
    cited: list[Chunk], found: dict[str, object], least: dict[Kind, float]
) -> None:
    assert caps(notices(*cited, **found)) == dict.fromkeys(SHOWN, 1.0) | least


def test_the_least_cap_of_each_kind_counts_in_the_order_of_the_trace() -> None:
    found = [Notice(Kind.DATE, "a", cap=0.6), Notice(Kind.FIGURES, "b", cap=0.7), Notice(Kind.LAW, "c")]
    least = caps([*found, Notice(Kind.FIGURES, "d", cap=0.5)])
    assert [*least] == [Kind.CITATIONS, Kind.VERDICT, Kind.FIGURES, Kind.DATE]
    assert [*least.values()] == [1.0, 1.0, 0.5, 0.6]
