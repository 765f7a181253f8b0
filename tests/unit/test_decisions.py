"""Rulings and criteria that a question names, those that are not held, and the parts of them that answer."""

import asyncio
from datetime import date
from types import SimpleNamespace

import pytest

from law.decisions import Decisions, numbers
from law.holdings import Holdings
from law.norms import Norm
from lexicon.synonyms import Synonyms
from rag.answers.passage_selection import stretches
from rag.answers.ruling_parts import asks_all, conclusions, facts_answer, in_their_order, of_their_parts
from rag.question.asked_decisions import decided
from rag.question.understanding import Decided
from rag.shared.hits import Hit
from rag.shared.state import State
from rag.stages.rerank import rerank
from rag.stages.understand import understand
from tests.case_files import pairs
from tests.factories import make_chunk

TODAY = date(2026, 11, 26)


def ruling(norm_id: str, alias: str, day: str = "2021-06-09", **extra: str) -> Norm:
    return Norm(
        id=norm_id, collection="sentencias", title=alias, law=alias, alias=alias, rank="Sentencia",
        number=alias.rpartition(" ")[2], published=date.fromisoformat(day), extra=extra,
    )  # fmt: skip


def criterion(number: str, replaces: str = "") -> Norm:
    name = f"Criterio {number}"
    extra = {"criterion_number": number, "replaces": replaces}
    return Norm(id=number, collection="criterios_inss", title=name, law=name, alias=name, extra=extra)


HELD = Decisions(
    [
        ruling(
            "ts",
            "STS 612/2021",
            recurso="2187/2019",
            roj="STS 2418/2021",
            ecli="ECLI:ES:TS:2021:2418",
            cendoj="28079140012021100048",
        ),
        ruling("pleno", "STS 287/2025", "2025-04-02"),
        ruling(
            "galicia", "STSJ Galicia 1044/2021", "2021-10-14", roj="STSJ GAL 4127/2021", comunidad="Galicia"
        ),
        ruling(
            "badajoz", "SJS Badajoz 118/2023", "2023-05-02", court="Juzgado de lo Social n.º 2 de Badajoz"
        ),
        ruling("europa", "STJUE C-519/22", "2023-10-19", court="Tribunal de Justicia de la Unión Europea"),
        criterion("4/2020"),
        criterion("11/2022", replaces="4/2020"),
    ]
)


def pointed(question: str) -> tuple[str, ...]:
    found = decided(question, HELD, TODAY).points
    return tuple(i for ids in found.where.values() for i in ids) if found.sure else ()


@pytest.mark.parametrize(("question", "held"), pairs("asked_decisions", "Las que están"))
def test_a_ruling_or_criterion_is_known_by_whatever_names_it(question, held):
    assert pointed(question) == (held,)
    assert not decided(question, HELD, TODAY).missing


@pytest.mark.parametrize(
    "name", ["ECLI:ES:TS:2021:2418", "la STS 612/2021", "sentencia 612/2021", "SJS Badajoz 118/2023"]
)
def test_a_name_alone_asks_what_the_ruling_decides(name):
    assert decided(name, HELD, TODAY).rest == "qué resuelve"


@pytest.mark.parametrize("asks", ["¿Qué acuerda", "qué acordó", "¿Qué ha acordado", "¿qué falla"])
def test_what_a_ruling_agrees_on_is_its_operative_part(asks):
    assert decided(f"{asks} la STS 612/2021?", HELD, TODAY).parts == ("fallo",)


@pytest.mark.parametrize(("question", "said"), pairs("asked_decisions", "Las que no están"))
def test_a_named_ruling_that_is_not_held_is_told_with_those_of_its_number(question, said):
    (missing,) = decided(question, HELD, TODAY).missing
    assert said in missing.said
    assert not pointed(question)


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué dice el artículo 5 de la Ley 612/2021?",
        "plazo de recurso del RD 287/2025",
        "¿Cuánto se tarda en dictar una sentencia de despido?",
        "me dieron la baja el 9 de junio de 2021",
    ],
)
def test_a_law_or_a_date_of_the_case_names_no_ruling(question):
    found = decided(question, HELD, TODAY)
    assert (found.points.where, found.missing, found.rest) == ({}, (), "")


def test_a_court_and_its_place_point_to_its_rulings_and_hide_no_law():
    for question, held in (
        ("la sentencia de Galicia de las conserveras, qué resolvió", "galicia"),
        ("la del juzgado de lo social 2 de badajoz del camarero", "badajoz"),
    ):
        points = decided(question, HELD, TODAY).points
        assert points.where == {"sentencias": (held,)}
        assert not points.sure


@pytest.mark.parametrize(
    "question",
    ["plazo de recurso ante el tribunal en Galicia", "demandar en el juzgado de lo social de Badajoz"],
)
def test_a_court_where_one_sues_points_to_no_ruling(question):
    assert decided(question, HELD, TODAY).points.where == {}


def test_a_named_ruling_that_is_not_held_is_told_also_beside_one_that_is():
    found = decided("compare la STS 612/2021 con la STS 715/2019", HELD, TODAY)
    assert found.points.where == {"sentencias": ("ts",)}
    services = SimpleNamespace(holdings=lambda: Holdings([*HELD.norms.values()]), synonyms=Synonyms())
    state = State(question="compare la STS 612/2021 con la STS 715/2019", as_of=TODAY, today=TODAY)
    asyncio.run(understand(state, services))  # type: ignore[arg-type]
    assert [one for one in state.notices if "STS 715/2019" in one.says]


def test_the_words_that_only_name_a_ruling_are_left_out_of_what_is_asked():
    found = decided("¿Cuál es el fallo de la STS 612/2021, de 9 de junio?", HELD, TODAY)
    assert found.rest == "¿Cuál es el fallo de la ?"
    assert found.parts == ("fallo",)
    assert asks_all(found.rest)
    assert not asks_all("¿qué indemnización fija?")


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué dijo la sentencia 118/2023 del Juzgado de lo Social de Badajoz?",
        "¿Qué dijo la sentencia 118/2023 del Juzgado de lo Social n.º 2 de Badajoz?",
        "¿Qué dijo el Juzgado de lo Social de Badajoz en la sentencia 118/2023?",
    ],
)
def test_the_court_of_a_named_ruling_asks_for_nothing_of_it(question):
    found = decided(question, HELD, TODAY)
    assert found.points.where == {"sentencias": ("badajoz",)}
    assert asks_all(found.rest), found.rest


def test_what_is_asked_beside_the_court_of_a_named_ruling_stays():
    question = "¿Qué dijo la sentencia 118/2023 del Juzgado de lo Social de Badajoz sobre el móvil?"
    assert decided(question, HELD, TODAY).rest.endswith("sobre el móvil?")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("¿Qué dijo la STS 612/2021 sobre el móvil?", False),
        ("¿Qué ha resuelto la STS 612/2021 sobre el móvil?", False),
        ("¿Cuándo pidió el actor el permiso en la STS 612/2021?", True),
        ("¿Qué plazo da la ley?", False),
    ],
)
def test_the_facts_of_a_named_ruling_answer_unless_what_it_decided_is_asked(question, answer):
    assert facts_answer(decided(question, HELD, TODAY)) is answer


def test_the_few_reasons_of_a_short_ruling_are_told_in_their_order_with_its_operative_part():
    reasons = [
        make_chunk(
            "S",
            f"r{n}",
            f"Razón inventada {n} del caso.",
            section_type="fundamentos",
            collection="sentencias",
        )
        for n in (1, 2)
    ]
    ends = make_chunk("S", "f", TEXTS["fallo"], section_type="fallo", collection="sentencias")
    found = stretches([*enumerate(Hit(chunk=one, score=1.0) for one in (*reasons, ends))])
    assert [one.text for one in conclusions(found, (), 5)] == [
        TEXTS["fallo"],
        "Razón inventada 1 del caso.",
        "Razón inventada 2 del caso.",
    ]


def test_a_criterion_that_a_later_one_leaves_without_effect_is_known_by_either_order_of_loading():
    assert HELD.replaced == {"4/2020": "11/2022"}
    assert Decisions([criterion("11/2022", "4/2020"), criterion("4/2020")]).replaced == {"4/2020": "11/2022"}


def test_numbers_are_written_in_one_way():
    assert numbers("00498/18, C‑519/22 y T-12/20") == ["c-519/22", "t-12/20", "498/2018"]


TEXTS = {
    "antecedentes": "El recurso alega que el permiso comienza el día del hecho causante del permiso.",
    "hechos": "El actor pidió el permiso el sábado y la empresa se lo negó por escrito.",
    "fundamentos": "En consecuencia, el permiso ha de comenzar el primer día laborable.",
    "fallo": "Estimamos el recurso y casamos la sentencia sobre el permiso.",
    "voto": "Discrepo de la mayoría: el permiso ha de comenzar el mismo día del hecho.",
}


def hits() -> list[Hit]:
    return [
        Hit(
            chunk=make_chunk(
                "STS-1",
                part,
                text,
                section=part,
                section_type=part,
                collection="sentencias",
                law="STS 1/2020",
            ),
            score=1.0,
        )
        for part, text in TEXTS.items()
    ]


def kept(asked: tuple[str, ...] = (), *, named: bool = False) -> list[str]:
    found = of_their_parts(stretches([*enumerate(hits())]), asked, named)
    return [one.hit.chunk.section_type for one in found]


@pytest.mark.parametrize(
    ("asked", "named", "parts"),
    [
        ((), False, ["fundamentos", "fallo"]),
        ((), True, ["antecedentes", "hechos", "fundamentos", "fallo"]),
        (("voto",), True, ["voto"]),
        (("hechos",), False, ["antecedentes", "hechos"]),
    ],
)
def test_pleadings_and_dissents_answer_only_what_asks_for_them(asked, named, parts):
    assert kept(asked, named=named) == parts


def test_a_ruling_of_which_only_the_facts_were_found_is_quoted_by_them():
    found = of_their_parts(stretches([(0, hits()[1])]), (), False)
    assert [one.hit.chunk.section_type for one in found] == ["hechos"]


def test_the_parts_of_a_ruling_change_places_with_each_other_and_with_no_law():
    law = Hit(chunk=make_chunk("N-1"), score=1.0)
    before, _, reasons, _, dissent = hits()
    ordered = in_their_order([dissent, law, before, reasons], Decided())
    assert [hit.chunk for hit in ordered] == [hit.chunk for hit in (reasons, law, before, dissent)]


def test_of_a_named_ruling_only_the_parts_asked_for_come_first():
    before, facts, reasons, operative, _ = hits()
    named = Decided(rest="¿cuál es el fallo?", parts=("fallo",))
    assert in_their_order([before, facts, operative, reasons], named) == [operative, before, facts, reasons]


def test_a_part_of_a_ruling_takes_the_scores_of_its_place():
    before, _, reasons, *_ = hits()
    first, last = in_their_order([before, reasons.model_copy(update={"score": 0.2})], Decided())
    assert (first.chunk, first.score, last.score) == (reasons.chunk, 1.0, 0.2)


def test_what_a_ruling_says_in_short_is_its_operative_part_and_its_conclusions():
    found = stretches([*enumerate(hits())])
    told = conclusions(found, (), 4)
    assert [passage.text for passage in told] == [TEXTS["fallo"], TEXTS["fundamentos"]]
    assert [passage.text for passage in conclusions(found, ("voto",), 4)] == [TEXTS["voto"]]


def of_criterion(*parts: str) -> list[str]:
    chunks = [
        make_chunk(
            "C-1",
            part,
            f"Texto inventado de la parte {part}.",
            section_type=part,
            collection="criterios_inss",
        )
        for part in parts
    ]
    found = of_their_parts(
        stretches([*enumerate(Hit(chunk=chunk, score=1.0) for chunk in chunks)]), (), False
    )
    return [one.hit.chunk.section_type for one in found]


def test_the_head_of_a_criterion_answers_only_if_it_has_no_headings():
    assert of_criterion("cabecera", "criterio", "fundamento") == ["criterio", "fundamento"]
    assert of_criterion("cabecera", "fundamento") == ["cabecera", "fundamento"]


QUOTE = "El complemento inventado se paga desde el primer día."


def test_a_criterion_without_effect_comes_last():
    state = State(question="¿Desde cuándo se paga?", as_of=TODAY)
    state.candidates = [
        Hit(chunk=make_chunk(norm_id, "1", QUOTE, collection="criterios_inss"), score=1.0)
        for norm_id in ("4/2020", "11/2022")
    ]
    services = SimpleNamespace(
        rerank_strategy="none",
        profile=SimpleNamespace(rag_max_chunks_in_prompt=8),
        holdings=lambda: Holdings([*HELD.norms.values()]),
    )
    asyncio.run(rerank(state, services))  # type: ignore[arg-type]
    assert [hit.chunk.norm_id for hit in state.hits] == ["11/2022", "4/2020"]
