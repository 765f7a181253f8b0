"""The day of the law in an answer: one click to ask with that of another, and links to what it cites."""

from datetime import date, timedelta

from law.norms import Block, BlockVersion, Norm
from pages.parts.common.words import today
from tests.pages.driver import asked, html, labels, last_id, opened, press, set_open
from tests.pages.fakes import FakeApp
from tests.pages.samples import ARTICLE, BLOCK, NORM, OLD_ARTICLE, QUOTE, answer, citation

QUESTION = "¿Cuánto duraba el descanso el 3 de mayo de 2019?"
THEN, HIRED = date(2019, 5, 3), date(2005, 3, 1)
WORKERS = "BOE-A-2015-11430"


def test_an_answer_of_a_past_day_is_asked_again_with_the_law_of_today(app: FakeApp) -> None:
    app.runs.outcome = lambda _: answer(as_of=THEN)
    page = opened(asked(app, QUESTION))
    assert "Se aplica la normativa vigente a 03/05/2019" in html(page)
    press(page, "Preguntar con la normativa de hoy")
    assert app.runs.asked[-1] == (QUESTION, today())


def test_an_answer_of_today_is_asked_again_at_a_date_that_the_question_names(app: FakeApp) -> None:
    app.runs.outcome = lambda _: answer(as_of=today(), other_days=(HIRED, today()))
    page = opened(asked(app, QUESTION))
    assert [label for label in labels(page) if label.startswith("Preguntar")] == [
        "Preguntar a fecha de 01/03/2005"
    ]
    press(page, "Preguntar a fecha de")
    assert app.runs.asked[-1] == (QUESTION, HIRED)


def test_an_answer_without_another_day_offers_none_and_many_are_cut(app: FakeApp) -> None:
    app.runs.outcome = lambda _: answer(as_of=today())
    assert not any(label.startswith("Preguntar") for label in labels(opened(asked(app, QUESTION))))
    days = tuple(THEN + timedelta(days=number) for number in range(9))
    app.runs.outcome = lambda _: answer(as_of=today(), other_days=days)
    assert sum(label.startswith("Preguntar") for label in labels(opened(asked(app, QUESTION)))) == 4


def test_a_past_wording_is_opened_in_the_corpus_and_at_the_boe_as_it_was(app: FakeApp) -> None:
    old = BlockVersion(
        valid_from=date(2001, 2, 1), valid_to=date(2019, 12, 31), published=date(2001, 1, 3), text=OLD_ARTICLE
    )
    versions = (old, BlockVersion(valid_from=date(2020, 1, 1), published=date(2019, 12, 30), text=ARTICLE))
    app.database.corpus.stored[NORM.id, BLOCK.id] = BLOCK.model_copy(update={"versions": versions})
    quoted = {"quote": "El descanso estival dura quince días", "valid_from": old.valid_from}
    url = f"{NORM.url}#a7"
    app.runs.outcome = lambda _: answer(
        as_of=THEN, citations=(citation(url=url, **quoted), citation(marker="C2", chunk_id="now", url=url))
    )
    conversation = asked(app, QUESTION)
    page = set_open(opened(conversation), f"source-{last_id(app, conversation)}-0")
    page = set_open(page, f"source-{last_id(app, conversation)}-1")
    assert [button.proto.url for button in page.get("link_button")] == [f"{NORM.url}&tn=1&p=20010103#a7", url]
    links = [link.proto.query_string for link in page.get("page_link")]
    assert "doc=BOE-A-2001-1&block=a7&on=2001-02-01" in links
    assert "doc=BOE-A-2001-1&block=a7" in links


def test_the_panel_of_a_source_names_the_transitional_provision_with_its_links(app: FakeApp) -> None:
    norm = Norm(id=WORKERS, title="Ley inventada", law="Ley inventada", alias="ET")
    rule = Block(id="dtundecima", kind=BLOCK.kind, label="dt 11", title="Disposición transitoria undécima.")
    app.database.corpus.listed = (*app.database.corpus.listed, norm)
    app.database.corpus.stored |= {(WORKERS, "a56"): BLOCK, (WORKERS, rule.id): rule}
    cited = citation(norm_id=WORKERS, block_id="a56", quote=QUOTE)
    app.runs.outcome = lambda _: answer(as_of=today(), citations=(cited,))
    conversation = asked(app, QUESTION)
    page = set_open(opened(conversation), f"source-{last_id(app, conversation)}-0")
    assert "Régimen transitorio." in html(page)
    assert f"https://www.boe.es/buscar/act.php?id={WORKERS}#dtundecima" in html(page)
    links = [link.proto.query_string for link in page.get("page_link")]
    assert f"doc={WORKERS}&block=dtundecima" in links
