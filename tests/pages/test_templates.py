"""«Modelos de escrito»: listed, filled in, from an expediente too, and what is wrong told to the admin."""

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
