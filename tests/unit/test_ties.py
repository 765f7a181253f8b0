"""Ties of provisions: found by place and day, in the order of search, before a model, and in the answer."""

import asyncio
from collections.abc import Callable
from datetime import date
from types import SimpleNamespace

import pytest

from core.profile import Profile
from law.boe_links import consolidated
from law.chunks import Chunk
from law.holdings import Holdings
from law.norms import BlockKind
from lexicon import ties as lexicon
from lexicon.ties import Kind, Tie, companions, effect, overtaken, transitional
from rag.answers.companion_passages import companion_passages, sought
from rag.answers.context_block import build_context, render_context
from rag.answers.passage_selection import Passage
from rag.ranking.ranking_features import Asked, articles, table
from rag.shared.hits import Hit
from rag.shared.state import State
from rag.shared.trace import RerankRecord
from rag.stages import governing_law
from rag.stages.expand import expand
from rag.stages.rerank import rerank
from tests.factories import make_chunk

ET, LGSS, LRJS, LISOS = "BOE-A-2015-11430", "BOE-A-2015-11724", "BOE-A-2011-15936", "BOE-A-2000-15060"
TEMPORARY, STRIKE, BIRTH = "BOE-A-1999-346", "BOE-A-1977-6061", "BOE-A-2009-4724"
HOUSEHOLDS = "BOE-A-2011-17975"
TODAY, BEFORE = date(2026, 6, 1), date(2021, 6, 1)
QUOTE = "La indemnización inventada es de nueve días por año."
RULE = "Texto transitorio inventado."
SANCTION = "¿Qué sanción tiene no dar los recibos?"
LEAVE = "excedencia voluntaria: ¿me guardan el puesto?"
SCALE = (
    "1. Las infracciones inventadas en materia de relaciones laborales y empleo se sancionarán:\n"
    "a) Las leves, con una naranja.\nb) Las graves, con dos naranjas.\nc) Las muy graves, con tres naranjas."
)


def chunk(label: str = "56", norm: str = ET, text: str = "", **fields: object) -> Chunk:
    return make_chunk(norm, label, text or f"Artículo {label}. Prueba.\n{QUOTE}", alias="ET", **fields)


def rule(apartados: str = "", norm: str = ET, **fields: object) -> Chunk:
    own = {"block_id": "dtundecima", "kind": BlockKind.TRANSITIONAL, "apartados": apartados}
    return make_chunk(norm, "dt 11", RULE, **own, **fields)


def summary(label: str, norm: str, **fields: object) -> Chunk:
    """The summary of an article of the BOE's text."""
    return chunk(label, "resumen", url=consolidated(norm, f"a{label}"), **fields)


def hits(*chunks: Chunk, origin: str = "search") -> list[Hit]:
    return [Hit(chunk=one, score=1.0, origin=origin) for one in chunks]


# The rows and how they are found


@pytest.mark.parametrize(
    ("norm", "block", "day", "whole"),
    [
        (TEMPORARY, "a2", date(2022, 3, 29), None),
        (TEMPORARY, "a2", date(2022, 3, 30), True),
        (ET, "a15", TODAY, None),
        (BIRTH, "a7", date(2022, 12, 31), None),
        (BIRTH, "a7", date(2023, 1, 1), False),
        (BIRTH, "a15", date(2025, 7, 30), None),
        (BIRTH, "a17", date(2025, 7, 31), False),
        (BIRTH, "a5", TODAY, None),
    ],
)
def test_a_provision_is_overtaken_from_its_day_on(
    norm: str, block: str, day: date, whole: bool | None
) -> None:
    found = overtaken(norm, block, day)
    assert (found.whole if found else None) is whole


@pytest.mark.parametrize(
    ("norm", "block", "day", "hired", "label", "found"),
    [
        (ET, "a56", TODAY, None, "dt 11", True),
        (ET, "a50", TODAY, None, "dt 11", True),
        (LRJS, "a110", TODAY, None, "dt 11", True),
        (ET, "a1", TODAY, None, "", False),
        (ET, "a56", TODAY, date(2012, 2, 11), "dt 11", True),
        (ET, "a56", TODAY, date(2012, 2, 12), "dt 11", False),
        (ET, "a53", TODAY, date(2016, 6, 1), "dt 11", False),
        (ET, "a50", TODAY, date(2016, 6, 1), "dt 11", False),
        (ET, "a12", TODAY, date(2014, 1, 1), "dt 6", False),
        (ET, "a12", TODAY, date(2013, 12, 21), "dt 6", True),
        (ET, "a15", TODAY, date(2021, 12, 30), "dt 3", True),
        (ET, "a15", TODAY, date(2022, 1, 10), "dt 3", False),
        (ET, "a11", TODAY, date(2022, 3, 29), "dt 1", True),
        (ET, "a11", TODAY, date(2022, 3, 30), "dt 1", False),
        (ET, "a86", TODAY, date(2024, 1, 1), "dt 7", True),
        (LGSS, "a207", TODAY, date(2019, 1, 1), "dt 4", False),
        (LGSS, "a207", TODAY, date(1999, 1, 1), "dt 4", True),
        (LGSS, "a209", TODAY, None, "dt 40", True),
        (LGSS, "a209", date(2025, 12, 31), None, "dt 40", False),
        (LGSS, "a209", date(2021, 12, 31), None, "dt 8", True),
        (HOUSEHOLDS, "a11", date(2022, 9, 8), None, "dt 1", True),
        (HOUSEHOLDS, "a11", date(2022, 9, 9), None, "dt 1", False),
    ],
)
def test_a_transitional_provision_governs_on_its_days_and_work_of_its_days(
    norm: str, block: str, day: date, hired: date | None, label: str, *, found: bool
) -> None:
    labels = [tie.label for tie in transitional((norm, block), "", day, hired)]
    assert (label in labels) is found
    assert found or norm == LGSS or not labels


def test_a_summary_has_the_ties_of_its_article_with_provisions_of_its_own_norm() -> None:
    (tie,) = transitional(("resumen", "a56"), consolidated(ET, "a56"), TODAY)
    assert (tie.norm, tie.block, tie.url) == ("resumen", "dtundecima", consolidated(ET, "dtundecima"))
    (of_another,) = transitional(("otro", "a110"), consolidated(LRJS, "a110"), TODAY)
    assert of_another.norm == ET
    assert transitional(("resumen", "a56"), "https://example.org/a56", TODAY) == ()


@pytest.mark.parametrize(
    ("article", "question", "found"),
    [
        ((LISOS, "7"), SANCTION, ["40"]),
        ((LISOS, "7"), "¿Qué MULTAS hay?", ["40"]),
        ((LISOS, "7"), "¿Es una infracción grave?", []),
        ((LISOS, "39"), SANCTION, []),
        ((ET, "50"), "¿Qué indemnización y qué paro tengo?", ["267", "56"]),
        ((ET, "37"), "¿Qué indemnización?", ["da 19"]),
        ((ET, "46"), LEAVE, ["46"]),
        ((ET, "46"), "¿Cuánto dura la excedencia voluntaria?", []),
        ((ET, "46"), "excedencia por cuidado de hijos: ¿me guardan el puesto?", []),
    ],
)
def test_a_question_calls_for_companions_by_its_words(
    article: tuple[str, str], question: str, found: list[str]
) -> None:
    assert [one.label for one in companions(*article, question)] == found


def test_the_effect_of_a_block_counts_before_that_of_its_norm() -> None:
    found = [effect(LGSS, block, date(2015, 10, 31)) for block in ("dacuadragesimatercera", "a1", "")]
    assert [one and f"{one.since}" for one in found] == ["2022-03-30", "2016-01-02", "2016-01-02"]
    assert effect(LGSS, "a1", TODAY) is effect(ET, "a48", date(2021, 12, 30)) is None


NEEDED: dict[Kind, Callable[[Tie], bool]] = {
    Kind.OVERTAKEN: lambda tie: bool(tie.says.endswith(".") and tie.source and tie.since > date.min),
    Kind.TRANSITIONAL: lambda tie: (
        tie.says.endswith(".") and tie.source.startswith("disposición trans") and tie.label.startswith("dt ")
    ),
    Kind.COMPANION: lambda tie: bool(tie.asked and tie.seeks and tie.label),
    Kind.EFFECT: lambda tie: "disposici" in tie.says and tie.published not in {None, tie.since},
}


def test_every_row_has_what_its_kind_needs() -> None:
    assert [tie for tie in lexicon.ties() if not NEEDED[tie.kind](tie)] == []
    assert [tie for tie in lexicon.ties() if bool(tie.checked) is not bool(tie.sha256)] == []
    once = [place for tie in lexicon.ties() if tie.kind is Kind.OVERTAKEN for place in tie.of]
    assert len(once) == len(set(once))


# Search and the context


def ranked(as_of: date, *found: Hit, strategy: str = "none") -> RerankRecord:
    state = State(question="contrato de obra", as_of=as_of, candidates=list(found))
    profile = SimpleNamespace(rag_max_chunks_in_prompt=8)
    services = SimpleNamespace(rerank_strategy=strategy, profile=profile, holdings=Holdings)
    return asyncio.run(rerank(state, services))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("as_of", "norm", "block", "origin", "last"),
    [
        (TODAY, TEMPORARY, "a2", "search", True),
        (TODAY, TEMPORARY, "a2", "exact", False),
        (BEFORE, TEMPORARY, "a2", "search", False),
        (TODAY, STRIKE, "atres", "search", False),
    ],
    ids=["displaced", "named by the question", "on a day before", "displaced in part"],
)
def test_what_no_longer_applies_comes_last_unless_it_may_be_what_is_asked_for(
    as_of: date, norm: str, block: str, origin: str, *, last: bool
) -> None:
    found = hits(chunk("2", norm, block_id=block), origin=origin)
    kept = ranked(as_of, *found, *hits(chunk("2", "N-1"))).kept
    assert kept[-1].chunk_id.startswith(norm if last else "N-1")


def test_too_few_candidates_to_order_are_told_as_found() -> None:
    record = ranked(TODAY, *hits(chunk(norm="N-1"), chunk(norm="N-2")), strategy="listwise")
    assert (record.strategy, record.fallback, len(record.kept)) == ("none", "", 2)


def past(*chunks: Chunk) -> list[float]:
    return [row["transitional"] for row in table(Asked.of("despido"), articles(hits(*chunks)))]


def test_a_transitional_provision_is_one_of_the_past_unless_its_article_is_beside_it() -> None:
    old = make_chunk(ET, "dt 10", block_id="dtdecima", kind=BlockKind.TRANSITIONAL)
    assert past(old, rule(), chunk()) == [1.0, 0.0, 0.0]
    assert past(rule(), chunk("49")) == [1.0, 0.0]
    own = rule(norm="resumen", url=consolidated(ET, "dtundecima"))
    assert past(own, summary("56", ET)) == [0.0, 0.0]


def expanded(question: str, *chunks: Chunk, loaded: bool = True) -> dict[str, str]:
    """Label and origin of what a model reads of a corpus with article 40 of the LISOS and dt 11 of the ET."""
    corpus = {(LISOS, "40"): [chunk("40", LISOS, SCALE)], (ET, "dt 11"): [rule()]} if loaded else {}
    state = State(question=question, as_of=TODAY, hits=hits(*chunks))
    store = SimpleNamespace(
        find=lambda norm, label, as_of: corpus.get((norm, label), []),
        referenced=lambda ids, as_of: {},
        chunks=lambda ids: [],
    )
    asyncio.run(expand(state, SimpleNamespace(store=store, profile=Profile())))  # type: ignore[arg-type]
    return {hit.chunk.label: hit.origin for hit in state.hits}


def test_what_is_tied_joins_what_a_model_reads_once() -> None:
    offence, severance, asks = chunk("7", LISOS), chunk(), "¿Qué indemnización?"
    assert expanded(SANCTION, offence) == {"7": "search", "40": "reference"}
    assert expanded(SANCTION, offence, chunk("40", LISOS, SCALE)) == {"7": "search", "40": "search"}
    assert expanded(SANCTION, offence, loaded=False) == {"7": "search"}
    assert expanded(asks, severance) == {"56": "search", "dt 11": "reference"}
    assert expanded(asks, severance, rule()) == {"56": "search", "dt 11": "search"}
    assert expanded(asks, chunk("49")) == {"49": "search"}


@pytest.mark.parametrize(
    ("apartados", "apartado", "held"),
    [
        ("5-6", "6", True),
        ("5-6", "7", False),
        ("7", "7", True),
        ("", "7", True),
        ("1-3", "", True),
        ("3-4 bis", "3", True),
        ("3-4 bis", "5", False),
        ("a-c", "b", False),
    ],
)
def test_a_part_of_a_provision_joins_if_it_may_hold_the_apartado(
    monkeypatch: pytest.MonkeyPatch, apartados: str, apartado: str, *, held: bool
) -> None:
    (tie,) = transitional((ET, "a56"), "", TODAY)
    tied = tie.model_copy(update={"apartado": apartado})
    monkeypatch.setattr(governing_law, "transitional", lambda *_: [tied])
    state = State(question="¿Qué indemnización?", as_of=TODAY, hits=hits(chunk()))
    store = SimpleNamespace(find=lambda norm, label, as_of: [rule(apartados)])
    assert bool(governing_law.governing(state, SimpleNamespace(store=store))) is held  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cited", "day", "told"),
    [
        (chunk(), TODAY, "Régimen transitorio: disposición transitoria undécima"),
        (chunk("3", STRIKE, block_id="atres"), TODAY, "Sentencia del Tribunal Constitucional 11/1981"),
        (chunk("3", STRIKE, block_id="atres"), date(1980, 1, 1), ""),
    ],
)
def test_a_model_reads_what_a_provision_is_tied_to(cited: Chunk, day: date, told: str) -> None:
    text = render_context(build_context(hits(cited, chunk("2", "N-1")), 5_000, day)[0])
    assert told in text
    assert text.count("Superado: ") + text.count("Régimen transitorio: ") == bool(told)


# The answer


def test_only_the_first_articles_call_for_a_companion_and_each_comes_once() -> None:
    others = [chunk(label) for label in ("1", "2", "3")]
    offences = [chunk(label, LISOS) for label in ("7", "22")]
    assert [one.label for _, one in sought(hits(*offences, *others), SANCTION)] == ["40"]
    assert sought(hits(*others, *offences), SANCTION) == []


def test_the_passage_that_follows_from_an_article_is_quoted_once_with_its_announcement() -> None:
    found, quoted = hits(chunk("7", LISOS), chunk("40", LISOS, f"Artículo 40. Prueba.\n{SCALE}")), QUOTE
    (one,) = companion_passages([Passage(0, 0, quoted)], found, SANCTION)
    assert (one.hit, one.text) == (1, "b) Las graves, con dos naranjas.")
    assert one.lead.startswith("1. Las infracciones inventadas")
    assert companion_passages([Passage(0, 0, quoted), Passage(1, 0, quoted)], found, SANCTION) == []
    assert companion_passages([Passage(0, 0, quoted)], found[:1], SANCTION) == []


def test_a_passage_named_by_its_beginning_joins_others_of_its_own_article() -> None:
    first = "2. La excedencia voluntaria inventada dura poco."
    last = "5. El trabajador en excedencia voluntaria inventada espera una vacante."
    text = f"Artículo 46. Prueba.\n{first}\n{last}"
    found = hits(chunk("46", text=text))
    quoted = Passage(0, text.index("2."), first)
    (one,) = companion_passages([quoted], found, LEAVE)
    assert one.text == last
    assert companion_passages([quoted, one], found, LEAVE) == []
