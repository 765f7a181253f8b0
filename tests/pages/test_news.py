"""«Novedades»: the list of changes, what they touch, and watches set where one reads."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from streamlit.testing.v1 import AppTest

from core.clock import today_in_spain
from domain.accounts import LOCAL
from domain.alerts import NewsItem
from law.changes import Fate
from law.dates import spelled
from law.events import LawEvent
from pages.parts.common.render import label_text
from pages.parts.common.words import day
from pages.parts.news.words import summary
from service.members.member import Member
from service.program import assembly
from service.program.assembly import App
from tests.alert_servers import PASSWORD, Mailbox, mail_server
from tests.alerts import answered, change, cites, law
from tests.homes import new_program, overriding
from tests.pages.driver import html, labels, page_at, press

TODAY = today_in_spain()
HOSTILE = "<b>¿Qué</b> plazo :material/home: [x](https://evil.example)?"


@pytest.fixture
def program(tmp_path) -> Iterator[App]:
    made = new_program(tmp_path / "home")
    change(made.database, law(alias="LEY<b>"))
    made.alerts.work()
    with overriding(made):
        yield made
    made.close()


def amend(program: App, only: str = "1", since: date = TODAY) -> None:
    change(program.database, law(since=since, only=only, alias="LEY<b>"))
    program.alerts.work()


def linked(page: AppTest) -> list[str]:
    return [one.proto.label for one in page.get("page_link")]


def test_without_news_the_page_says_what_it_is_for(program):
    page = page_at("news")
    assert "No hay cambios que le afecten" in html(page) and "botón «Vigilar»" in html(page)
    assert "Marcar todas como leídas" not in labels(page)


def test_a_change_is_listed_with_the_answers_that_cite_it_and_the_way_to_both_wordings(program):
    answered(program.database, "local", cites("1"), question=HOSTILE)
    amend(program)
    page = page_at("news")
    text = html(page)
    assert "1 respuesta suya cita un artículo que ha cambiado." in text
    assert "Hoy" in text and "LEY&lt;b&gt;" in text and "Artículo 1. Prueba." in text
    assert f"Nueva redacción desde el {spelled(TODAY)}" in text and "Lo cita 1 respuesta suya" in text
    [diff, question] = linked(page)
    assert diff == "Qué cambió"
    assert question == label_text(HOSTILE)
    assert "<b>" not in question and "[x](" not in question


def test_news_are_marked_as_read_one_norm_at_a_time_or_all(program):
    answered(program.database, "local", cites("1"), cites("2"))
    amend(program, only="")
    page = page_at("news")
    assert html(page).count("Sin leer") == 2
    page = press(page, "Marcar como leídas")
    assert "No tiene novedades sin leer" in html(page)
    page.segmented_control(key="news-which").set_value("all").run()
    assert "Sin leer" not in html(page) and "Artículo 2. Prueba." in html(page)


def test_the_chat_tells_of_unread_news_and_of_nothing_else(program):
    assert "Novedades" not in " ".join(linked(page_at("chat")))
    answered(program.database, "local", cites("1"))
    amend(program)
    assert "Novedades: 1 cambio sin leer" in linked(page_at("chat"))
    program.database.news.read("local")
    assert "Novedades: 1 cambio sin leer" not in linked(page_at("chat"))


def test_an_article_is_watched_where_it_is_read_and_the_watch_is_paused_and_removed(program):
    page = press(page_at("normativa", doc="N-1", block="a1"), "Vigilar")
    assert "Vigilancia activada" in page.toast[0].value and "Dejar de vigilar" in labels(page)
    press(page_at("normativa", doc="N-1"), "Vigilar")
    page = page_at("news")
    page.session_state["news-tab"] = "Lo que vigilo"
    page.run()
    assert "LEY&lt;b&gt; · Artículo 1" in html(page)
    page = press(page, "Pausar")
    assert "en pausa" in html(page)
    page = press(press(page, "Quitar"), "Quitar")
    assert "No vigila nada todavía" in html(page)


def test_the_source_of_an_answer_is_watched_where_it_is_read(program):
    conversation, _, reply = answered(program.database, "local", cites("1"))
    page = page_at("chat", c=conversation)
    assert "Vigilar" not in labels(page), "whoever has an answer is told of its articles anyway"
    page.session_state[f"source-{reply}-0"] = True
    press(page.run(), "Vigilar")
    assert [one.kind.value for one in program.database.watches.watches("local")] == ["article"]


def test_an_expediente_is_watched_on_its_page(program):
    matter = Member(program, LOCAL).matters.create("Despido").id
    press(page_at("matters", e=matter), "Vigilar")
    assert [one.matter_id for one in program.database.watches.watches("local")] == [matter]


def event(fate: Fate, **fields: object) -> LawEvent:
    values = {"block_id": "a1", "title": "Artículo 1"} | fields
    return LawEvent(norm_id="N", law="N", fate=fate, day=TODAY, **values)  # type: ignore[arg-type]


LATER = TODAY + timedelta(days=9)


@pytest.mark.parametrize(
    ("days", "change_told"),
    [
        pytest.param([TODAY], "ha cambiado", id="in force"),
        pytest.param([LATER], "va a cambiar", id="not yet"),
        pytest.param([TODAY, LATER], "ha cambiado o va a cambiar", id="both"),
    ],
)
def test_the_summary_does_not_say_that_what_is_to_change_has_changed(days, change_told):
    items = [NewsItem(id=n, event=event(Fate.AMENDED, on=on), answer_count=1) for n, on in enumerate(days)]
    assert summary(3, items) == f"3 respuestas suyas citan un artículo que {change_told}."
    assert summary(0, items) == ""


def test_without_a_mail_server_no_address_is_asked_for(program):
    assert "Avisos por correo" not in [one.label for one in page_at("news").tabs]


@pytest.fixture
def mailing(tmp_path) -> Iterator[tuple[App, Mailbox]]:
    """A program that sends mail, and what its server has taken."""
    with mail_server(tmp_path) as box:
        server = {"smtp_host": "127.0.0.1", "smtp_port": box.port, "smtp_user": "articulado"}
        made = new_program(
            tmp_path / "mailing",
            **server,
            smtp_password=PASSWORD,
            smtp_from="avisos@bufete.example",
            alerts_ca_file=box.pem,
        )
        assembly.override(made)
        yield made, box
        assembly.override(None)
        made.close()


def test_a_person_gives_an_address_and_confirms_it_by_the_code_that_it_is_sent(mailing):
    program, mailbox = mailing
    page = page_at("news")
    page.session_state["news-tab"] = "Avisos por correo"
    page.run()
    page.checkbox(key="by-mail").check()
    page.text_input(key="email").set_value("ana")
    page = press(page, "Guardar")
    assert "dirección de correo completa" in page.toast[0].value
    page.text_input(key="email").set_value(" ana@bufete.example ")
    page = press(page, "Guardar")
    assert program.database.watches.settings("local").email == "ana@bufete.example"
    assert "Falta confirmar que ana@bufete.example es suya" in html(page)
    page.text_input(key="address-code").set_value("AAAAA-AAAAA")
    page = press(page, "Confirmar la dirección")
    assert "Ese no es el código que se envió" in page.toast[0].value
    page = press(page, "Enviar otro código")
    assert "Código enviado" in page.toast[0].value
    [code] = re.findall(r"\b[0-9A-Z]{5}-[0-9A-Z]{5}\b", mailbox.taken[1].get_content())
    page.text_input(key="address-code").set_value(code)
    page = press(page, "Confirmar la dirección")
    assert "Dirección confirmada" in page.toast[0].value
    assert f"Dirección confirmada el {day(TODAY)}" in html(page) and "Falta confirmar" not in html(page)
    assert "Confirmar la dirección" not in labels(page)


def test_who_administers_is_told_that_mail_does_not_leave(program, monkeypatch):
    now = datetime.now(UTC)
    program.database.digests.claim("ana", TODAY, now)
    program.database.digests.failed("ana", TODAY, "No se pudo conectar <b>.", now)
    monkeypatch.setattr(type(program.deliveries), "by_mail", True)
    for name in ("news", "users"):
        assert "no han salido: No se pudo conectar &lt;b&gt;." in html(page_at(name))
