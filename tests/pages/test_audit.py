"""«Registro»: entries in words, filters, pages, verification, export, and what was used."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text
from streamlit.testing.v1 import AppTest

from domain.audit import AuditAction
from models.metering import Spent
from pages.parts.audit.words import ACTIONS
from pages.parts.common.words import today
from service.program import assembly
from service.program.assembly import App
from tests.factories import settings_of
from tests.homes import overriding
from tests.pages.driver import HOSTILE, html, labels, page_at, press
from tests.pages.fakes import LocalAccounts, local_accounts


@pytest.fixture
def program(tmp_path: Path) -> Iterator[App]:
    made = assembly.build(settings_of(articulado_home=tmp_path, embeddings_provider="none"))
    made.accounts = local_accounts(made.database.engines, "rosa=admin", "ana=abogado")
    with overriding(made):
        yield made
    made.close()


def ana(program: App) -> str:
    accounts: LocalAccounts = program.accounts  # type: ignore[assignment]
    return accounts.named(None, "ana").id


def rows(page: AppTest) -> int:
    return html(page).count("<tr>") - 1


def test_every_action_has_a_word() -> None:
    assert set(ACTIONS) == set(AuditAction)


def test_entries_are_told_in_words_with_the_names_of_people(program):
    program.audit.log.append(ana(program), AuditAction.ASKED, "c" * 32, {"agent": "yes"})
    program.audit.log.append("local", AuditAction.LOADED, "j", {"door": "cli", "command": "ingest"})
    shown = html(page_at("audit"))
    for words in (
        "Ana",
        "Preguntó",
        "cccccccc…",
        "modo investigación: sí",
        "Cargó documentos",
        "línea de órdenes",
    ):
        assert words in shown
    assert "c" * 32 not in shown


def test_what_was_touched_is_told_by_name_and_never_by_a_question(program):
    program.database.conversations.create("local", "Despido de Filomena")
    log = program.audit.log
    log.append("local", AuditAction.ASSIGNED, "7", {"person": ana(program)})
    log.append("local", AuditAction.CHANGED, "f" * 32, {"what": "preferences", "fields": "length, theme"})
    log.append("local", AuditAction.READ, "8", {"what": "answer", "permission": "review"})
    shown = html(page_at("audit"))
    for words in ("la respuesta n.º 7", "a: Ana", "campos: extensión de las respuestas, tema", "n.º 8"):
        assert words in shown
    assert "Filomena" not in shown


def test_without_a_model_only_the_questions_are_counted(program):
    program.database.usage.record(ana(program), [Spent(role="embeddings", model="m-0", prompt_tokens=9)])
    shown = html(page_at("usage"))
    assert "Preguntas" in shown and "Llamadas" not in shown and "Sin modelo de lenguaje" in shown


def test_what_an_entry_holds_is_text(program):
    program.audit.log.append("<b>x</b>", AuditAction.SIGN_IN_FAILED, HOSTILE, {"username": HOSTILE})
    shown = html(page_at("audit"))
    assert shown.count("&lt;img src=") == 2, "the target and what was typed as a user name"
    assert "cuenta eliminada" in shown
    assert "<script" not in shown and "<img" not in shown and "<b>x</b>" not in shown


def test_entries_are_filtered_by_person_action_and_day(program):
    program.audit.log.append(ana(program), AuditAction.ASKED)
    program.audit.log.append(ana(program), AuditAction.DELETED)
    program.audit.log.append("local", AuditAction.ASKED)
    page = page_at("audit")
    page.selectbox(key="audit-who").set_value(ana(program)).run()
    assert rows(page) == 2
    page.multiselect(key="audit-actions").set_value([AuditAction.ASKED]).run()
    assert rows(page) == 1
    page.date_input(key="audit-days").set_value(
        (today() - timedelta(days=9), today() - timedelta(days=1))
    ).run()
    assert "Ninguna entrada" in html(page)
    page.date_input(key="audit-days").set_value((today(), today())).run()
    assert rows(page) == 1


def test_a_hundred_entries_a_page_back_and_forth(program):
    for number in range(130):
        program.audit.log.append("local", AuditAction.SEARCHED, f"t{number}")
    page = page_at("audit")
    assert rows(page) == 100 and "t129" in html(page) and "Más recientes" not in labels(page)
    press(page, "Más antiguas")
    assert 28 <= rows(page) <= 32 and "t0<" in html(page) and "Más antiguas" not in labels(page)
    press(page, "Más recientes")
    assert "t129" in html(page)


def test_verifying_gives_the_head_or_says_where_it_breaks(program):
    for _ in range(3):
        program.audit.log.append("local", AuditAction.SEARCHED)
    page = press(page_at("audit"), "Verificar el registro")
    assert page.success[0].value.startswith("Íntegro: 4 entradas")
    assert page.code[0].value == program.audit.log.verify().head
    with program.database.engines.engine.begin() as connection:
        connection.execute(text("DROP TRIGGER audit_update"))
        connection.execute(text("UPDATE audit SET actor = 'otra' WHERE number = 2"))
    press(page, "Verificar el registro")
    assert "La entrada 2 se ha cambiado" in page.error[0].value.replace("\\", "")


def test_the_export_is_recorded_when_it_is_made(program):
    program.audit.log.append("local", AuditAction.SEARCHED)
    page = press(page_at("audit"), "Preparar CSV")
    assert [button.proto.label for button in page.get("download_button")] == ["Descargar CSV"]
    assert program.audit.log.entries()[0].action is AuditAction.EXPORTED


def test_use_is_told_by_person_model_and_day_without_invented_prices(program):
    program.database.usage.record(
        ana(program), [Spent(role="reader", model="m-1", prompt_tokens=12_000, completion_tokens=1)]
    )
    shown = html(page := page_at("usage"))
    assert "Ana" in shown and "12.000" in shown and "sin precio" in shown
    (program.home / "prices.toml").write_text(
        'currency = "EUR"\n[[price]]\nmodel = "m-*"\ninput = 100.0\noutput = 1.0\n', "utf-8"
    )
    page.get("button_group")[0].set_value("model").run()
    shown = html(page)
    assert "m-1" in shown and "1,20 EUR" in shown
