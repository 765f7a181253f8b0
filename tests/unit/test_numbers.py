"""Numbers of cited articles: one an article, without gaps, as they first appear in the text."""

from datetime import date

import pytest

from rag.answers.article_numbers import articles_of, numbered, with_numbers
from rag.answers.joined_answers import answers_of, joined
from rag.shared.cited_answer import Answer, Citation, Source


def cited(marker: str, block: str, quote: str = "x", **changes: object) -> Citation:
    found = {
        "norm_id": "N",
        "block_id": block,
        "chunk_id": f"N/{block}#{marker}",
        "source": "N",
        "quote": quote,
    }
    return Citation.model_validate({"marker": marker, **found, **changes})


def named(marker: str, block: str) -> Source:
    return Source(marker=marker, source="N", norm_id="N", block_id=block, chunk_id=f"N/{block}#{marker}")


ANSWER = Answer(
    answer="Uno [C7]. Dos [C2] [C5]. Tres [C9][C7]. [C4] [C44]",
    citations=(
        cited("C2", "a1", "primera"),
        cited("C5", "a1", "segunda"),
        cited("C7", "a3"),
        cited("C8", "a6"),
    ),
    sources=(named("C9", "a2"), named("C4", "a1")),
)


def test_articles_are_numbered_without_gaps_as_they_first_appear() -> None:
    assert numbered(ANSWER) == {"C7": 1, "C2": 2, "C5": 2, "C4": 2, "C9": 3, "C8": 4}


def test_an_article_is_one_row_with_all_its_quotations() -> None:
    rows = articles_of(ANSWER, numbered(ANSWER))
    assert [(row.number, [one.quote for one in row.quotes]) for row in rows] == [
        (1, ["x"]),
        (2, ["primera", "segunda"]),
        (3, []),
        (4, ["x"]),
    ]
    assert rows[2].first.marker == "C9"


def test_the_text_has_the_numbers_once_where_they_stand_side_by_side() -> None:
    assert with_numbers(ANSWER.answer, numbered(ANSWER)) == "Uno [1]. Dos [2]. Tres [3][1]. [2] [C44]"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("[C1][C1]", "[1]"),
        ("[C1] y [C1]", "[1] y [1]"),
        ("[C1]\n[C1]", "[1]"),
        ("[C1][C2][C1]", "[1][2][1]"),
        ("[C3] [C3]", "[C3] [C3]"),
        ("[1] [1] del texto de la ley", "[1] [1] del texto de la ley"),
        ("[C10][c1][C01][C 1]", "[C10][c1][C01][C 1]"),
    ],
)
def test_only_known_markers_become_numbers(text: str, shown: str) -> None:
    assert with_numbers(text, {"C1": 1, "C2": 2}) == shown


def test_another_wording_of_an_article_is_another_one() -> None:
    then = cited("C2", "a1", valid_from=date(2001, 1, 1))
    answer = Answer(answer="[C2] [C1]", citations=(cited("C1", "a1", valid_from=date(2020, 1, 1)), then))
    assert numbered(answer) == {"C2": 1, "C1": 2}


def test_sources_without_an_article_are_told_apart_by_their_fragments() -> None:
    loose = [Citation(marker=f"C{n}", source="S", quote="x", chunk_id=f"s#{n}") for n in (1, 2)]
    assert numbered(Answer(answer="", citations=tuple(loose))) == {"C1": 1, "C2": 2}


def test_parts_share_the_numbers_of_the_whole() -> None:
    first = Answer(answer="Uno [C4].", citations=(cited("C4", "a9"),))
    second = Answer(answer="Dos [C1]. Tres [C2].", citations=(cited("C1", "a5"), cited("C2", "a9")))
    whole = joined(["¿Uno?", "¿Dos?"], [first, second])
    numbers = numbered(whole)
    rows = [[row.number for row in articles_of(part, numbers)] for part in answers_of(whole)]
    assert rows == [[1], [1, 2]]
    assert [with_numbers(part.answer, numbers) for part in answers_of(whole)] == [
        "Uno [1].",
        "Dos [2]. Tres [1].",
    ]
