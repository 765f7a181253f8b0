"""«Modelos de escrito»: listed, filled in, from an expediente too, and what is wrong told to the admin."""

from tests.matter_files import letter
from tests.pages.driver import html, labels, page_at, press

NAME = "papeleta-despido"


def key(page, field, matter=""):
    return f"{NAME}{matter}-{field}"


def test_the_ten_are_listed_by_group_and_one_is_opened(ana):
    page = page_at("templates")
    drawn = html(page)
    assert "Papeleta de conciliación por despido" in drawn and "4. Seguridad Social" in drawn
    assert labels(page).count("Usar") == 11
    page.button(key=f"use-{NAME}").click().run()
    assert "Plazo." in html(page) and "Preparar el borrador" in labels(page)


def test_a_draft_shows_its_term_what_is_missing_and_the_state_of_its_provisions(ana):
    page = page_at("templates", m=NAME)
    page.text_input(key=key(page, "nombre")).set_value("Ana <b>Ruiz</b>")
    page.selectbox(key=key(page, "sede")).set_value("Madrid")
    page.date_input(key=key(page, "fecha_efectos")).set_value("2026-03-02")
    press(page, "Preparar el borrador")
    assert page.code[0].value.startswith("AL SERVICIO DE MEDIACIÓN")
    assert "Ana <b>Ruiz</b>, con DNI o NIE […]" in page.code[0].value
    drawn = html(page)
    assert (
        "Faltan datos, señalados con […]:" in drawn
        and "<li>DNI o NIE</li>" in drawn
        and "no está en el corpus" in drawn
    )
    assert "30/03/2026" in drawn or "de marzo de 2026" in drawn
    press(page, "Descargar en Word")
    assert [one.label for one in page.get("download_button")] == ["Guardar el archivo"]


def test_from_an_expediente_it_starts_with_what_its_letter_says(ana):
    matter = ana.matters.create("Despido").id
    ana.papers.upload(matter, "carta.pdf", letter())
    page = page_at("templates", m=NAME, e=matter)
    assert "Fecha de efectos del despido: 15/03/2025, según Doc 1, p. 1" in html(page)
    assert str(page.date_input(key=key(page, "fecha_efectos", matter)).value) == "2025-03-15"


def test_an_expediente_or_a_template_that_is_not_there_is_told_in_a_sentence(ana):
    assert page_at("templates", m="nada").toast[0].value == "No existe ese modelo\\."
    assert page_at("templates", m=NAME, e="0" * 32).toast[0].value == "No existe ese expediente\\."


def test_what_cannot_be_used_is_told_and_no_draft_is_made(ana):
    page = page_at("templates", m="demanda-cantidad")
    page.text_input(key="demanda-cantidad-total").set_value("mucho")
    press(page, "Preparar el borrador")
    assert "debe ser un importe" in html(page) or any("importe" in one.value for one in page.error)
    assert [*page.code] == []


def test_a_bad_file_of_the_firm_is_told_to_whoever_administers(ana, shared_program):
    folder = shared_program.home / "templates"
    folder.mkdir(exist_ok=True)
    (folder / "roto.toml").write_text('title = "<b>x"', "utf-8")
    drawn = html(page_at("templates"))
    (folder / "roto.toml").unlink()
    assert "roto.toml: " in drawn and "falta o no es válido" in drawn
