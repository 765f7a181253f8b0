"""A question that names the wrong article of a norm is told so, and answered from the right one."""

import pytest

from rag.answers.misnamed_article import meant, misnaming_told
from rag.answers.passage_selection import Passage
from rag.shared.hits import Hit
from tests.factories import make_chunk

ET, OTHER = "BOE-A-2015-11430", "BOE-A-2015-11724"


def hit(norm: str, label: str, origin: str = "search") -> Hit:
    chunk = make_chunk(norm, label, f"Artículo {label}. Prueba.\nTexto inventado.")
    return Hit(chunk=chunk, score=1.0, origin=origin)


def pool(*odds: float) -> list[Passage]:
    """A passage of each hit, with these odds."""
    return [Passage(number, 0, "Texto inventado.", score) for number, score in enumerate(odds)]


HITS = [hit(ET, "73", "exact"), hit(ET, "37"), hit(ET, "48"), hit(OTHER, "1")]


@pytest.mark.parametrize(
    ("odds", "found"),
    [
        ((0.1, 0.5, 0.2, 0.1), "37"),
        ((0.1, 0.5, 0.2, 0.9), "37"),
        ((0.4, 0.5, 0.2, 0.1), None),
        ((0.1, 0.5, 0.6, 0.1), None),
        ((0.0, 0.0, 0.0, 0.0), None),
    ],
    ids=[
        "much likelier",
        "beside another norm",
        "hardly likelier",
        "not the likeliest",
        "no odds",
    ],
)
def test_the_first_article_found_is_meant_if_it_answers_much_better(
    odds: tuple[float, ...], found: str | None
) -> None:
    chunk = meant(pool(*odds), HITS)
    assert (chunk.label if chunk else None) == found


def test_an_article_of_another_norm_is_not_meant() -> None:
    assert meant(pool(0.1, 0.9, 0.5), [hit(ET, "73", "exact"), hit(OTHER, "1"), hit(ET, "37")]) is None


def test_a_further_part_of_the_article_named_is_its_own() -> None:
    named = hit(ET, "73", "exact")
    assert meant(pool(0.1, 0.9), [named, named.model_copy(update={"origin": "part"})]) is None


def test_the_note_names_both_articles_without_quotation_marks() -> None:
    note = misnaming_told(HITS[1].chunk, HITS).says
    assert ("Artículo 73. Prueba" in note, "Artículo 37. Prueba" in note, "«" in note) == (True, True, False)
