"""Events of the law: which article changed how, told once, of the wording that it takes the place of."""

from datetime import date

import pytest

from law.changes import Fate
from law.events import LawEvent, coming_events, event_told, found_events
from tests.factories import make_block, make_norm, make_version

TODAY = date(2026, 3, 10)
OLD = "Artículo 1. Plazos.\nEl plazo es de diez días."
NEW = "Artículo 1. Plazos.\nEl plazo es de veinte días."
NEWER = "Artículo 1. Plazos.\nEl plazo es de treinta días."
GONE = "Artículo 1. Plazos.\n(Derogado)"


def norm(*versions, **fields):
    return make_norm("N-1", make_block("1", *versions), **fields)


def version(text, since, until=None):
    return make_version(text, since=since, until=until)


def facts(events):
    return [(one.fate, one.day, one.on, one.before, one.after) for one in events]


FIRST = version(OLD, "2000-01-01")
ENDED = version(OLD, "2000-01-01", "2026-03-01")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param((FIRST,), (FIRST,), [], id="nothing"),
        pytest.param(
            (FIRST,),
            (ENDED, version(NEW, "2026-03-02")),
            [(Fate.AMENDED, TODAY, date(2026, 3, 2), date(2000, 1, 1), date(2026, 3, 2))],
            id="a new wording",
        ),
        pytest.param(
            (FIRST,),
            (version(OLD, "2000-01-01", "2019-12-31"), version(NEW, "2020-01-01", "2026-03-01"),
             version(NEWER, "2026-03-02")),
            [(Fate.AMENDED, TODAY, date(2026, 3, 2), date(2000, 1, 1), date(2026, 3, 2))],
            id="two of a store that was behind: the one in force, in the place of the cited one",
        ),
        pytest.param(
            (FIRST,),
            (version(OLD, "2000-01-01", "2026-12-31"), version(NEW, "2027-01-01")),
            [(Fate.AMENDED, TODAY, date(2027, 1, 1), date(2000, 1, 1), date(2027, 1, 1))],
            id="one that is not in force yet",
        ),
        pytest.param(
            (FIRST,),
            (ENDED, version(GONE, "2026-03-02")),
            [(Fate.REPEALED, TODAY, date(2026, 3, 2), date(2000, 1, 1), date(2026, 3, 2))],
            id="«(Derogado)» in its place",
        ),
        pytest.param(
            (FIRST,),
            (ENDED,),
            [(Fate.REPEALED, TODAY, date(2026, 3, 2), date(2000, 1, 1), None)],
            id="an end without another wording",
        ),
        pytest.param(
            (FIRST,),
            (version(OLD.replace("diez", "once"), "2000-01-01"),),
            [(Fate.CORRECTED, TODAY, None, date(2000, 1, 1), date(2000, 1, 1))],
            id="another text from the same day",
        ),
        pytest.param(
            (FIRST,), (version(OLD.replace("\n", "\n\n"), "2000-01-01"),), [], id="other line breaks"
        ),
        pytest.param(
            (FIRST,),
            (version(OLD, "2000-01-05"),),
            [(Fate.CORRECTED, TODAY, None, date(2000, 1, 1), date(2000, 1, 5))],
            id="another first day",
        ),
        pytest.param(
            (ENDED, version(NEW, "2026-03-02")),
            (FIRST,),
            [
                (Fate.REMOVED, TODAY, None, date(2026, 3, 2), None),
            ],
            id="a load undone",
        ),
        pytest.param(
            (version(OLD, "2000-01-01", "2019-12-31"), version(NEWER, "2020-01-01")),
            (version(OLD, "2000-01-01", "2009-12-31"), version(NEW, "2010-01-01", "2019-12-31"),
             version(NEWER, "2020-01-01")),
            [(Fate.CORRECTED, TODAY, None, date(2000, 1, 1), date(2010, 1, 1))],
            id="a wording between two that were there",
        ),
    ],
)  # fmt: skip
def test_the_event_of_an_article_names_the_wording_whose_place_it_takes(before, after, expected):
    assert facts(found_events(norm(*before), norm(*after), TODAY)) == expected


def test_a_change_of_a_later_day_is_told_again_on_that_day_and_only_then():
    future = norm(version(OLD, "2000-01-01", "2026-12-31"), version(NEW, "2027-01-01"))
    assert [one.ahead for one in found_events(norm(FIRST), future, TODAY)] == [True]
    [event] = coming_events(future, TODAY)
    assert (event.day, event.ahead, event.before) == (date(2027, 1, 1), False, date(2000, 1, 1))
    assert coming_events(future, date(2027, 1, 1)) == []


def test_a_norm_that_comes_or_goes_as_a_whole_is_one_event():
    many = make_norm("N-1", *(make_block(str(n)) for n in range(1, 40)))
    assert facts(found_events(None, many, TODAY)) == [(Fate.NEW, TODAY, None, None, None)]
    assert facts(found_events(many, None, TODAY)) == [(Fate.REMOVED, TODAY, None, None, None)]
    assert found_events(None, None, TODAY) == []


def test_the_end_of_a_norm_is_one_event_and_not_one_of_each_article():
    blocks = [make_block(str(n), since="2000-01-01") for n in (1, 2)]
    ended = [make_block(str(n), since="2000-01-01", until="2026-12-31") for n in (1, 2)]
    before = make_norm("N-1", *blocks)
    after = make_norm("N-1", *ended, repealed_on=date(2026, 12, 31))
    [event] = found_events(before, after, TODAY)
    assert (event.fate, event.block_id, event.on, event.ahead) == (
        Fate.REPEALED,
        "",
        date(2027, 1, 1),
        True,
    )
    [later] = coming_events(after, TODAY)
    assert (later.fate, later.block_id, later.day) == (Fate.REPEALED, "", date(2027, 1, 1))


def test_articles_added_and_taken_out_are_told_and_those_that_only_moved_are_not():
    first, second = make_block("1"), make_block("2")
    moved = second.model_copy(update={"id": "a7", "position": 7})
    assert found_events(make_norm("N-1", first, second), make_norm("N-1", first, moved), TODAY) == []
    events = found_events(make_norm("N-1", first, second), make_norm("N-1", first, make_block("3")), TODAY)
    assert [(one.fate, one.cited) for one in events] == [(Fate.NEW, "a3"), (Fate.REMOVED, "a2")]


def test_a_changed_article_with_another_id_names_the_one_that_answers_cite():
    old = make_block("1", FIRST)
    new = make_block("1", ENDED, version(NEW, "2026-03-02"), id="b9")
    [event] = found_events(make_norm("N-1", old), make_norm("N-1", new), TODAY)
    assert (event.block_id, event.cited) == ("b9", "a1")


def event(fate, **fields):
    values = {"block_id": "a1", "title": "Artículo 1", "label": "1"} | fields
    return LawEvent(norm_id="N", law="N", fate=fate, day=TODAY, **values)


LATER = date(2026, 3, 19)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(
            event(Fate.AMENDED, on=LATER), "Tendrá nueva redacción desde el 19 de marzo de 2026", id="later"
        ),
        pytest.param(
            event(Fate.REPEALED, on=TODAY),
            "Ya no está en vigor desde el 10 de marzo de 2026",
            id="repealed",
        ),
        pytest.param(
            event(Fate.REPEALED, on=LATER, block_id=""),
            "Dejará de estar en vigor desde el 19 de marzo de 2026",
            id="norm to end",
        ),
        pytest.param(
            event(Fate.CORRECTED, before=date(2020, 5, 1)),
            "Se ha corregido el texto o las fechas de la redacción vigente desde el 1 de mayo de 2020",
            id="corrected",
        ),
        pytest.param(
            event(Fate.REMOVED, before=date(1900, 1, 1)),
            "Se ha retirado la redacción guardada",
            id="undated wording",
        ),
        pytest.param(event(Fate.REMOVED), "Ya no figura en la norma", id="taken out"),
        pytest.param(event(Fate.NEW, block_id=""), "Se ha cargado la norma", id="loaded"),
    ],
)
def test_each_event_is_told_in_plain_words(change, expected):
    assert event_told(change) == expected
