"""«Expedientes»: made, filled, asked in, shared and ended, by the people who may."""

from collections.abc import Iterator
from datetime import date

import pytest

from rag.shared.messages import MessageState
from service.members.member import Member
from service.program.assembly import App
from tests.homes import lexical_program, overriding
from tests.matter_files import REASON, SALARY, letter, payslip
from tests.pages.driver import html, labels, page_at, press
from tests.pages.fakes import LocalAccounts, local_accounts

PEOPLE = ("rosa=admin", "ana=abogado", "blas=abogado")
QUESTION = "¿Qué salario base consta en la nómina?"


@pytest.fixture(scope="module")
def shared_program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with lexical_program(tmp_path_factory.mktemp("matters")) as program:
        program.accounts = local_accounts(program.database.engines, *PEOPLE)
        yield program


@pytest.fixture
def program(shared_program: App) -> Iterator[App]:
    with overriding(shared_program):
        yield shared_program


def enter(program: App, username: str) -> Member:
    accounts = program.accounts
    assert isinstance(accounts, LocalAccounts)
    return Member(program, accounts.enter(username), lambda: accounts.sessions.identify(""))


@pytest.fixture
def ana(program: App) -> Member:
    return enter(program, "ana")


@pytest.fixture
def matter(ana: Member) -> str:
    found = ana.matters.create("Despido <b>de F.</b>", "EXP-7").id
    ana.papers.upload(found, "nomina.docx", payslip())
    return found


def test_the_name_of_an_expediente_leads_to_it(ana, matter):
    links = {one.label: one.proto.query_string for one in page_at("matters").get("page_link")}
    assert links["Despido \\<b\\>de F\\.\\</b\\>"] == f"e={matter}"
    assert "Preguntar en este expediente" in labels(page_at("matters", e=matter))


def test_one_without_a_name_is_refused_with_a_sentence(ana):
    before = len(ana.matters.matters())
    page = press(page_at("matters"), "Crear el expediente")
    assert "Escriba un nombre" in page.toast[0].value
    assert len(ana.matters.matters()) == before


def test_its_page_shows_documents_with_their_state_and_escapes_its_name(ana, matter):
    ana.papers.upload(matter, "foto.png", b"\x89PNG" + bytes(64))
    page = page_at("matters", e=matter)
    drawn = html(page)
    assert "Doc 1 · nomina.docx" in drawn and "Leído" in drawn
    assert "No se puede leer" in drawn and "necesita OCR" in drawn
    assert "Despido &lt;b&gt;de F.&lt;/b&gt;" in drawn


def test_asking_in_it_names_it_above_the_conversation_and_shows_the_document_as_no_norm(ana, matter):
    conversation = ana.conversations.create("", matter).id
    run = ana.runs.start(conversation, QUESTION)
    assert run.done.wait(30) and run.state is MessageState.COMPLETE
    page = page_at("chat", c=conversation)
    assert SALARY in html(page)
    drawn = html(page)
    assert f'data-text="/documento?d={ana.papers.documents(matter)[0].id}&amp;n=1&amp;q=' in drawn
    assert ">Doc 1, pasaje 1</a>" in drawn
    assert any("Doc 1" in one.label and "nomina" in one.label for one in page.expander)
    assert "Lo citado ya no está entre los textos cargados" not in html(page)


def test_a_passage_has_a_page_of_its_own_with_the_way_back(ana, matter):
    paper = ana.papers.upload(matter, "carta.pdf", letter()).id
    page = page_at("matters", d=paper, n="1")
    drawn = html(page)
    assert "Doc 2 · carta.pdf" in drawn and drawn.count('<img src="data:image/jpeg;base64,') == 1
    assert REASON[:60] in drawn
    press(page, "Volver al expediente")
    assert "Preguntar en este expediente" in labels(page)


def test_a_person_is_added_and_removed_by_its_owner_alone(program, ana, matter):
    blas = program.accounts.named(None, "blas").id
    page = page_at("matters", e=matter)
    page.selectbox(key="person").set_value(blas).run()
    press(page, "Añadir")
    assert blas in ana.matters.members(matter)
    enter(program, "blas")
    page = page_at("matters", e=matter)
    assert "Dejar el expediente" in labels(page)
    assert {"Eliminar el expediente…", "Añadir"}.isdisjoint(labels(page))
    enter(program, "ana")
    page = page_at("matters", e=matter)
    next(one for one in page.button if one.key == f"out-{blas}").click().run()
    assert blas not in ana.matters.members(matter)


def test_its_notes_are_kept(ana, matter):
    page = page_at("matters", e=matter)
    page.text_area(key=f"notes-{matter}").set_value("Llamar al juzgado.")
    press(page, "Guardar")
    assert ana.matters.matter(matter).notes == "Llamar al juzgado."


def test_a_document_is_removed_after_a_confirmation(ana, matter):
    page = press(page_at("matters", e=matter), "Quitar…")
    assert len(ana.papers.documents(matter)) == 1
    next(one for one in page.button if one.key == "remove-yes").click().run()
    assert ana.papers.documents(matter) == []


def test_a_conversation_has_documents_of_its_own_behind_a_switch(ana):
    conversation = ana.conversations.create("Con documentos").id
    ana.papers.upload_to_conversation(conversation, "carta.pdf", letter())
    page = page_at("chat", c=conversation)
    assert "carta.pdf" not in html(page)
    page.toggle(key=f"papers-{conversation}").set_value(True).run()
    assert "Doc 1 · carta.pdf" in html(page) and "2 páginas" in html(page)
    press(page, "Quitar…")
    next(one for one in page.button if one.key == "remove-yes").click().run()
    assert ana.papers.of_conversation(conversation) == []


def test_a_counted_term_is_kept_and_shown_with_its_days_left_until_it_is_taken_out(ana, matter):
    page = page_at("calculations", {"calculation": "prescripcion"})
    page.date_input(key="prescripcion-fecha").set_value(date(2020, 3, 2))
    press(press(page, "Calcular"), "Guardar")
    (kept,) = ana.terms.terms(matter)
    assert (kept.day, kept.title) == (date(2021, 3, 2), "Prescripción de un año")
    assert "Último día del plazo: " in kept.told
    for shown in (page_at("matters", e=matter), page_at("news", {"news-tab": "Plazos"})):
        assert "Prescripción de un año" in html(shown) and "Venció hace" in html(shown)
        assert "Llevar al calendario (.ics)" in [one.label for one in shown.get("download_button")]
    press(page_at("matters", e=matter), "Quitar el plazo")
    assert ana.terms.terms(matter) == []
    assert "No hay plazos guardados" in html(page_at("matters", e=matter))


def test_facts_stand_with_their_sentence_and_a_correction_counts_until_it_is_taken_back(ana, matter):
    ana.papers.upload(matter, "carta.pdf", letter())
    shown = html(page_at("matters", e=matter))
    assert "15/03/2025" in shown and "Doc 2, p.\u00a01" in shown and "con efectos de 15 de" in shown
    assert shown.count("no consta") > 3

    def corrected(value):
        page = page_at("matters", e=matter)
        next(one for one in page.button if one.key == "correct-effects").click().run()
        page.text_input(key=f"given-{matter}-effects").set_value(value)
        return page

    def saved(page):
        return next(one for one in page.button if one.key.endswith("effects-save")).click().run()

    refused = saved(corrected("31/02/2025"))
    assert "La fecha debe existir" in refused.toast[0].value
    assert "Corregido" not in html(page_at("matters", e=matter))
    saved(corrected("17/03/2025"))
    assert "17/03/2025" in html(page_at("matters", e=matter))
    press(corrected(""), "Retirar la corrección")
    assert ana.facts.sheet(matter).sure("effects") == "15/03/2025"


def test_words_of_a_paper_on_a_button_are_no_markup(ana, matter):
    ana.papers.upload(matter, "contrato.txt", b"Contrato de trabajo.\n\nCategoria: **Farera** mayor\n")
    ana.papers.upload(matter, "nomina.txt", b"Recibo de salarios.\n\nCategoria: **Ayudante** de faro\n")
    page = page_at("matters", e=matter)
    next(one for one in page.button if one.key == "correct-category").click().run()
    (other,) = (one.label for one in page.button if one.label.startswith("Tomar"))
    assert other.startswith(r"Tomar \*\*Ayudante\*\* de faro")


def test_a_calculator_and_a_brief_take_the_facts_and_give_back_what_is_typed(ana, matter):
    ana.papers.upload(matter, "carta.pdf", letter())
    page = page_at("calculations", {"calculation": "preaviso", "calculation-matter": matter})
    assert page.date_input(key=f"preaviso-efectos{matter}").value == date(2025, 3, 15)
    page.date_input(key=f"preaviso-comunicacion{matter}").set_value(date(2025, 3, 1))
    page = press(page, "Calcular")
    assert [one.value for one in page.error] == []
    press(page, "Guardar en los hechos del expediente")
    assert ana.facts.sheet(matter).sure("letter") == "01/03/2025"
    page = page_at("templates", m="papeleta-despido", e=matter)
    key = f"papeleta-despido{matter}"
    assert page.date_input(key=f"{key}-fecha_efectos").value == date(2025, 3, 15)
    page.text_input(key=f"{key}-categoria").set_value("Farera")
    press(press(page, "Preparar el borrador"), "Guardar en los hechos del expediente")
    assert ana.facts.sheet(matter).sure("category") == "Farera"
