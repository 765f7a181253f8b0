"""Provisions that answer together with an article: in the context, and one passage of each quoted."""

import asyncio
from collections.abc import Callable
from datetime import date
from types import SimpleNamespace

import pytest

from core.profile import Profile
from law.chunks import Chunk
from lexicon.companions import companions
from rag.answers.companion_passages import beside, sought
from rag.answers.passage_selection import Passage
from rag.shared.hits import Hit
from rag.shared.state import State
from rag.stages.expand import expand
from tests.factories import make_chunk

OFFENCES, WORKERS = "BOE-A-2000-15060", "BOE-A-2015-11430"
ASKS = "¿Qué sanción tiene no dar los recibos?"
SCALE = (
    "1. Las infracciones inventadas en materia de relaciones laborales y empleo se sancionarán:\n"
    "a) Las leves, con una naranja.\nb) Las graves, con dos naranjas.\nc) Las muy graves, con tres naranjas."
)


def offence(label: str = "7") -> Chunk:
    return make_chunk(OFFENCES, label, f"Artículo {label}. Prueba.\nSon infracciones graves las inventadas.")


def scale() -> Chunk:
    return make_chunk(OFFENCES, "40", f"Artículo 40. Prueba.\n{SCALE}")


def hits(*chunks: Chunk) -> list[Hit]:
    return [Hit(chunk=one, score=1.0) for one in chunks]


def passage(hit: int) -> Passage:
    return Passage(hit, 0, "Son infracciones graves las inventadas.")


@pytest.mark.parametrize(
    ("article", "question", "found"),
    [
        ((OFFENCES, "7"), ASKS, ["40"]),
        ((OFFENCES, "7"), "¿Qué MULTAS hay?", ["40"]),
        ((OFFENCES, "7"), "¿Es una infracción grave?", []),
        ((OFFENCES, "39"), ASKS, []),
        ((WORKERS, "50"), "¿Qué indemnización y qué paro tengo?", ["267", "56"]),
    ],
)
def test_a_question_calls_for_what_its_words_ask_about(
    article: tuple[str, str], question: str, found: list[str]
) -> None:
    assert [one.label for one in companions(*article, question)] == found


def test_only_the_first_articles_call_for_a_companion_and_each_comes_once() -> None:
    others = [make_chunk(WORKERS, label) for label in ("1", "2", "3")]
    assert [one.label for _, one in sought(hits(offence(), offence("22"), *others), ASKS)] == ["40"]
    assert sought(hits(*others, offence()), ASKS) == []


def expanded(find: Callable[..., list[Chunk]], *chunks: Chunk) -> list[tuple[str, str]]:
    state = State(question=ASKS, as_of=date(2026, 6, 1))
    state.hits = hits(*chunks)
    store = SimpleNamespace(find=find, referenced=lambda ids, as_of: {}, chunks=lambda ids: [])
    asyncio.run(expand(state, SimpleNamespace(store=store, profile=Profile())))  # type: ignore[arg-type]
    return [(hit.chunk.label, hit.origin) for hit in state.hits]


def test_a_companion_joins_the_context_once() -> None:
    def find(norm: str, label: str, as_of: date) -> list[Chunk]:
        return [scale()] if (norm, label) == (OFFENCES, "40") else []

    assert expanded(find, offence()) == [("7", "search"), ("40", "reference")]
    assert expanded(find, offence(), scale()) == [("7", "search"), ("40", "search")]


def test_one_that_is_not_loaded_or_not_yet_in_force_is_left_out() -> None:
    assert expanded(lambda *_: [], offence()) == [("7", "search")]
    assert beside([passage(0)], hits(offence()), ASKS) == []


def test_the_passage_that_follows_from_the_article_is_quoted_with_its_announcement() -> None:
    (one,) = beside([passage(0)], hits(offence(), scale()), ASKS)
    assert (one.hit, one.text) == (1, "b) Las graves, con dos naranjas.")
    assert one.lead.startswith("1. Las infracciones inventadas")


def test_a_companion_that_is_quoted_already_is_not_quoted_again() -> None:
    assert beside([passage(0), passage(1)], hits(offence(), scale()), ASKS) == []


def test_a_passage_named_by_its_beginning_joins_others_of_its_own_article() -> None:
    text = (
        "Artículo 46. Prueba.\n2. La excedencia voluntaria inventada dura poco.\n"
        "5. El trabajador en excedencia voluntaria inventada espera una vacante."
    )
    found = hits(make_chunk(WORKERS, "46", text))
    first = Passage(0, text.index("2."), "2. La excedencia voluntaria inventada dura poco.")
    (one,) = beside([first], found, "excedencia voluntaria: ¿me reservan el puesto?")
    assert one.text.startswith("5. El trabajador")
    assert beside([first, one], found, "excedencia voluntaria: ¿me reservan el puesto?") == []


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("excedencia voluntaria: ¿me guardan el puesto?", ["46"]),
        ("¿Cuánto dura la excedencia voluntaria?", []),
        ("excedencia por cuidado de hijos: ¿me guardan el puesto?", []),
    ],
)
def test_a_companion_may_want_a_word_of_each_of_two_lists(question: str, found: list[str]) -> None:
    assert [one.label for one in companions(WORKERS, "46", question)] == found
