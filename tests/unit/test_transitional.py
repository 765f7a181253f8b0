"""Transitional provisions that govern open cases: tied to articles, read by a model, told in the answer."""

import asyncio
from datetime import date
from types import SimpleNamespace

import pytest

from core.profile import Profile
from law.boe_links import consolidated
from law.chunks import Chunk
from law.norms import BlockKind
from lexicon.data_files import read_toml
from lexicon.transitional import ties
from rag.answers.context_block import build_context, render_context
from rag.ranking.ranking_features import Asked, articles, table
from rag.shared.hits import Hit
from rag.shared.state import State
from rag.stages import governing_law as stage
from rag.stages.expand import expand
from tests.factories import make_chunk

WORKERS, PENSIONS = "BOE-A-2015-11430", "BOE-A-2015-11724"
TODAY = date(2026, 6, 1)
QUOTE = "La indemnización inventada es de nueve días por año."


def chunk(label: str = "56", **fields: object) -> Chunk:
    return make_chunk(WORKERS, label, f"Artículo {label}. Prueba.\n{QUOTE}", alias="ET", **fields)


def rule(apartados: str = "") -> Chunk:
    fields = {"block_id": "dtundecima", "kind": BlockKind.TRANSITIONAL, "apartados": apartados}
    return make_chunk(WORKERS, "dt 11", "Texto transitorio inventado.", **fields)


def names(block: str, day: date, norm: str = PENSIONS) -> list[str]:
    return [tie.label for tie in ties((norm, block), "", day)]


def told_of(part: str, apartado: str) -> bool:
    """True if a part of a provision joins an article that is tied to that apartado of it."""
    tie = SimpleNamespace(norm=WORKERS, block="dtundecima", label="dt 11", apartado=apartado)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stage, "ties", lambda article, url, as_of, hired: [tie])
        state = State(question="¿Qué indemnización?", as_of=TODAY, hits=[Hit(chunk=chunk(), score=1.0)])
        store = SimpleNamespace(find=lambda norm, label, as_of: [rule(part)])
        return bool(stage.governing(state, SimpleNamespace(store=store)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("block", "hired", "told"),
    [
        ("a56", None, True),
        ("a56", date(2012, 2, 11), True),
        ("a56", date(2012, 2, 12), False),
        ("a53", date(2016, 6, 1), False),
        ("a50", date(2016, 6, 1), False),
        ("a12", date(2014, 1, 1), False),
        ("a12", date(2013, 12, 21), True),
        ("a15", date(2021, 12, 30), True),
        ("a15", date(2022, 1, 10), False),
        ("a11", date(2022, 3, 29), True),
        ("a11", date(2022, 3, 30), False),
        # Not about the day of the contract.
        ("a86", date(2024, 1, 1), True),
    ],
)
def test_a_tie_to_older_contracts_is_not_told_of_a_later_one(
    block: str, hired: date | None, *, told: bool
) -> None:
    assert bool(ties((WORKERS, block), "", TODAY, hired)) is told


def test_who_began_to_work_after_the_reform_of_retirement_was_in_it() -> None:
    told = {tie.apartado: tie for tie in ties((PENSIONS, "a207"), "", TODAY, date(2019, 1, 1))}
    assert "5" not in told
    assert "5" in {tie.apartado for tie in ties((PENSIONS, "a207"), "", TODAY, date(1999, 1, 1))}


def test_what_article_11_3_of_the_decree_on_households_no_longer_says_is_not_told() -> None:
    households = "BOE-A-2011-17975"
    assert names("a11", date(2022, 9, 8), households) == ["dt 1"]
    assert names("a11", date(2022, 9, 9), households) == []


def test_a_tie_concerns_what_its_provision_changes() -> None:
    (tie,) = ties((WORKERS, "a56"), "", TODAY)
    assert tie.concerns("¿Qué INDEMNIZACIÓN me corresponde?")
    assert not tie.concerns("¿Con cuántos días de preaviso se notifica un despido disciplinario?")


def test_a_tie_is_told_on_the_days_on_which_its_provision_says_something() -> None:
    assert names("a56", TODAY, WORKERS) == ["dt 11"]
    assert "dt 40" in names("a209", TODAY)
    assert "dt 40" not in names("a209", date(2025, 12, 31))
    assert "dt 8" in names("a209", date(2021, 12, 31))
    assert names("a1", TODAY) == []


def test_every_article_that_takes_the_indemnity_of_an_unfair_dismissal_has_its_tie() -> None:
    assert names("a50", TODAY, WORKERS) == names("a110", TODAY, "BOE-A-2011-15936") == ["dt 11"]


def test_every_tie_says_in_one_sentence_when_it_governs_and_names_the_provision() -> None:
    for entry in read_toml("transitional.toml")["tie"]:
        assert entry["when"].endswith(".")
        assert entry["name"].startswith("disposición transitoria ")
        assert entry["rule_block"].startswith("dt") and entry["label"].startswith("dt ")


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
def test_a_part_of_a_provision_is_brought_if_it_may_hold_the_apartado(
    apartados: str, apartado: str, held: bool
) -> None:
    assert told_of(apartados, apartado) is held


def past(*chunks: Chunk) -> list[float]:
    found = articles([Hit(chunk=one, score=1.0) for one in chunks])
    return [row["transitional"] for row in table(Asked.of("despido"), found)]


def test_a_transitional_provision_is_one_of_the_past_unless_its_article_is_beside_it() -> None:
    old = make_chunk(WORKERS, "dt 10", block_id="dtdecima", kind=BlockKind.TRANSITIONAL)
    assert past(old, rule(), chunk()) == [1.0, 0.0, 0.0]
    assert past(rule(), chunk("49")) == [1.0, 0.0]
    of_summary = {"url": consolidated(WORKERS, "dtundecima"), "kind": BlockKind.TRANSITIONAL}
    article = make_chunk("resumen", "56", url=consolidated(WORKERS, "a56"))
    assert past(make_chunk("resumen", "dt 11", block_id="dtundecima", **of_summary), article) == [0.0, 0.0]


def expanded(*hits: Chunk) -> list[str]:
    state = State(question="¿Qué indemnización?", as_of=TODAY)
    state.hits = [Hit(chunk=one, score=1.0) for one in hits]
    store = SimpleNamespace(
        find=lambda norm, label, as_of: [rule()] if (norm, label) == (WORKERS, "dt 11") else [],
        referenced=lambda ids, as_of: {},
        chunks=lambda ids: [],
    )
    services = SimpleNamespace(store=store, profile=Profile())
    asyncio.run(expand(state, services))  # type: ignore[arg-type]
    return [hit.chunk.block_id for hit in state.hits]


def test_the_provision_joins_what_a_model_reads_once() -> None:
    assert expanded(chunk()) == ["a56", "dtundecima"]
    assert expanded(chunk(), rule()) == ["a56", "dtundecima"]
    assert expanded(chunk("49")) == ["a49"]


def test_a_model_reads_that_an_article_has_a_transitional_provision() -> None:
    context, _, _ = build_context([Hit(chunk=chunk(), score=1.0)], 2000, TODAY)
    assert "Régimen transitorio: disposición transitoria undécima" in render_context(context)


def test_a_summary_has_the_ties_of_the_article_that_it_stands_for_with_provisions_of_its_own_norm() -> None:
    (tie,) = ties(("resumen", "a56"), consolidated(WORKERS, "a56"), TODAY)
    assert (tie.norm, tie.block, tie.url) == ("resumen", "dtundecima", consolidated(WORKERS, "dtundecima"))
    (of_another,) = ties(("otro", "a110"), consolidated("BOE-A-2011-15936", "a110"), TODAY)
    assert of_another.norm == WORKERS
    assert ties(("resumen", "a56"), "https://example.org/a56", TODAY) == ()
