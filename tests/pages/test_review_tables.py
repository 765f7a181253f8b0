"""«Tablas de revisión»: made in a form, read, stopped, changed and ended, by the people who may."""

import pytest

from pages.parts.common.html import Html
from service.members.member import Member
from tests.hostile import live_html
from tests.matter_files import letter, payslip
from tests.pages.driver import html, labels, page_at, press


@pytest.fixture
def matter(ana: Member) -> str:
    found = ana.matters.create("Despido de F.").id
    ana.papers.upload(found, "carta.pdf", letter())
    ana.papers.upload(found, "nomina.docx", payslip())
    return found


@pytest.fixture
def table(ana: Member, matter: str) -> str:
    documents = [one.id for one in ana.papers.documents(matter)]
    return ana.document_tables.create(matter, "Cartas (2)", documents, ["Fecha de efectos", "Salario"]).id


def test_one_without_a_question_is_refused_with_a_sentence(ana, matter):
    page = page_at("matters", e=matter, t="nueva")
    page.text_input(key="table-name").set_value("Despidos")
    press(page, "Crear y rellenar")
    assert page.toast[0].value == "Escriba al menos una pregunta\\."
    assert ana.document_tables.tables(matter) == []


def test_an_expediente_without_documents_has_no_table(ana):
    page = page_at("matters", e=ana.matters.create("Vacío").id)
    assert "Nueva tabla" not in labels(page) and "Suba antes algún documento." in html(page)


def test_the_name_of_a_table_leads_to_it(matter, table):
    links = page_at("matters", e=matter).get("page_link")
    assert f"e={matter}&t={table}" in [link.proto.query_string for link in links]


def test_each_cell_opens_the_passage_with_its_quotation_marked(ana, table, matter):
    drawn = html(page_at("matters", e=matter, t=table))
    assert "<summary>15 de marzo de 2025 <span" in drawn
    assert "<mark>Muy señora nuestra: La empresa ha decidido" in drawn
    carta = ana.papers.documents(matter)[0].id
    assert f'data-text="/documento?d={carta}&amp;n=1&amp;q=' in drawn and ">Ver la página 1</a>" in drawn
    assert live_html(Html(drawn)) == []


def test_hostile_names_questions_and_texts_stay_text(ana, matter):
    evil = '<img src=x onerror="alert(1)">'
    ana.papers.upload(matter, f"{evil}.txt", f"El salario base es de 10,00 euros {evil} y nada.".encode())
    documents = [one.id for one in ana.papers.documents(matter)]
    made = ana.document_tables.create(matter, evil, documents, ["Salario", evil])
    drawn = html(page_at("matters", e=matter, t=made.id))
    assert "&lt;img src=x" in drawn and "<img" not in drawn


def test_what_is_gone_is_told_and_what_it_said_stays(ana, table, matter):
    ana.papers.remove(ana.papers.documents(matter)[0].id)
    drawn = html(page_at("matters", e=matter, t=table))
    assert "Eliminado del expediente" in drawn and "15 de marzo de 2025" in drawn
    assert "El documento ya no está." in drawn


def test_one_that_is_stopped_says_so_and_goes_on(ana, table, matter, shared_program):
    documents = [one.id for one in ana.papers.documents(matter)]
    shared_program.database.document_tables.change(ana.identity.id, table, documents, ["Salario", "Firma"])
    page = page_at("matters", e=matter, t=table)
    assert "Rellenándose…" in html(page) and "2 de 4 casillas" in html(page)
    press(page, "Detener")
    assert "Detenida" in html(page)
    press(page, "Continuar")
    assert "4 de 4 casillas" in html(page)


def test_its_questions_are_changed_and_only_the_new_ones_are_filled(ana, table, matter):
    before = {one.question: one.filled_at for one in ana.document_tables.cells(table)}
    page = page_at("matters", e=matter, t=table)
    page.session_state["change-panel"] = True
    page.run()
    page.text_area(key="table-questions").set_value("Salario\nFirma")
    press(page, "Guardar y rellenar lo nuevo")
    after = {one.question: one.filled_at for one in ana.document_tables.cells(table)}
    assert after.keys() == {"Salario", "Firma"} and after["Salario"] == before["Salario"]


def test_it_is_exported_and_deleted(ana, table, matter):
    page = press(page_at("matters", e=matter, t=table), "Exportar a Excel")
    assert [one.label for one in page.get("download_button")] == ["Descargar"]
    page = press(page_at("matters", e=matter, t=table), "Eliminar la tabla")
    assert any(one.value.startswith("Se elimina «Cartas (2)»") for one in page.text)
    next(one for one in page.button if one.key == "end-table-yes").click().run()
    assert ana.document_tables.tables(matter) == []
