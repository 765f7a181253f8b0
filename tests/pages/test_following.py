"""Suggestions under the last answer, asked with a click, and related articles."""

from datetime import date

from law.chunks import Chunk
from tests.factories import make_chunk
from tests.hostile import live_html
from tests.pages.driver import HOSTILE, asked, html, labels, opened, press
from tests.pages.fakes import FakeApp
from tests.pages.samples import answer, refusal

CITED = "BOE-A-2001-1/a7@2020-01-01#1"
QUESTION = "¿Cuánto dura el descanso?"
NOTICE, PAY = "¿Con qué antelación conozco las fechas?", "¿Se puede cobrar en lugar de disfrutar?"


def tie(app: FakeApp, *questions: str, related: Chunk | None = None) -> None:
    """Give the cited article these questions, and a reference to another."""
    app.database.corpus.aided[CITED] = make_chunk(questions=questions, id=CITED)
    if related is not None:
        app.database.corpus.aided[related.id] = related
        app.database.corpus.refers[CITED] = (related.id,)


def test_a_click_asks_a_suggestion_which_is_not_suggested_again(app: FakeApp) -> None:
    tie(app, NOTICE, PAY)
    page = opened(asked(app, QUESTION))
    assert {NOTICE, PAY} <= set(labels(page))
    press(page, NOTICE)
    assert [question for question, _ in app.runs.asked] == [QUESTION, NOTICE]
    assert NOTICE not in labels(page) and PAY in labels(page)


def test_the_suggestions_of_the_next_answer_are_buttons_of_their_own(app: FakeApp) -> None:
    """The browser takes one with the key of another for the same, which then keeps the focus."""
    tie(app, NOTICE, PAY)
    page = opened(asked(app, QUESTION))
    before = {one.key for one in page.button if one.label in (NOTICE, PAY)}
    press(page, NOTICE)
    after = {one.key for one in page.button if one.label in (NOTICE, PAY)}
    assert len(before) == 2 and len(after) == 1 and not before & after


def test_a_suggestion_is_asked_about_the_day_of_the_answer_that_it_follows(app: FakeApp) -> None:
    tie(app, NOTICE, PAY)
    page = press(opened(asked(app, QUESTION)), NOTICE)
    assert app.runs.asked[-1] == (NOTICE, None)
    app.runs.outcome = lambda _: answer(as_of=date(2012, 5, 3))
    press(opened(asked(app, "¿Cuánto duraba en 2012?")), NOTICE)
    assert app.runs.asked[-1] == (NOTICE, date(2012, 5, 3))
    page.date_input[0].set_value(date(2019, 3, 14)).run()
    press(page, PAY)
    assert app.runs.asked[-1] == (PAY, date(2019, 3, 14))


def test_a_day_chosen_just_before_counts_for_a_suggestion(app: FakeApp) -> None:
    tie(app, NOTICE, PAY)
    page = opened(asked(app, QUESTION))
    page.date_input[0].set_value(date(2018, 3, 14))
    press(page, NOTICE)
    assert app.runs.asked[-1] == (NOTICE, date(2018, 3, 14))


def test_only_the_last_answer_leads_on(app: FakeApp) -> None:
    tie(app, PAY, related=make_chunk("N", "9"))
    page = opened(asked(app, QUESTION, "¿Y después?"))
    assert labels(page).count(PAY) == 1
    assert html(page).count("Artículos relacionados") == 1


def test_a_related_article_opens_in_the_reading_pane(app: FakeApp) -> None:
    tie(app, related=make_chunk("N", "9"))
    shown = html(opened(asked(app, QUESTION)))
    assert '<a class="art-related" href="/normativa?doc=N&amp;block=a9&amp;on=2000-01-01" ' in shown
    assert 'data-text="/fuente?doc=N&amp;block=a9&amp;on=2000-01-01"' in shown
    assert ">Ley N · Artículo 9</a>" in shown


def test_without_ties_or_an_answer_there_is_nothing(app: FakeApp) -> None:
    shown = html(opened(asked(app, QUESTION)))
    assert "También puede preguntar" not in shown and "relacionados" not in shown
    tie(app, PAY, related=make_chunk("N", "9"))
    app.runs.outcome = lambda _: refusal()
    shown = html(opened(asked(app, QUESTION)))
    assert "También puede preguntar" not in shown and "relacionados" not in shown


def test_nothing_is_suggested_while_an_answer_is_under_way(app: FakeApp) -> None:
    tie(app, NOTICE, PAY)
    page = opened(asked(app, QUESTION))
    app.runs.waits = True
    press(page, NOTICE)
    assert PAY not in labels(page)


def test_hostile_aids_are_text(app: FakeApp) -> None:
    tie(app, "¿![x](https://evil.example/x.png) **uno**?", related=make_chunk("N", "9", law=HOSTILE))
    page = opened(asked(app, QUESTION))
    assert r"¿\!\[x\]\(https\:" in next(label for label in labels(page) if "evil" in label)
    assert live_html(html(page)) == []
