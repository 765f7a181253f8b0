"""«Modelos de escrito»: listed, filled in, from an expediente too, and what is wrong told to the admin."""

from datetime import date

import pytest

from tests.pages.driver import html, labels, page_at, press

NAME = "papeleta-despido"


@pytest.fixture
def matter(ana):
    return ana.matters.create("Despido de F. Z.").id


def key(page, field, matter=""):
    return f"{NAME}{matter}-{field}"


def test_the_ten_are_listed_by_group_and_one_is_opened(ana):
    page = page_at("templates")
    drawn = html(page)
    assert "Papeleta de conciliación por despido" in drawn and "4. Seguridad Social" in drawn
    assert labels(page).count("Usar") == 11
    page.button(key=f"use-{NAME}").click().run()
    assert "Plazo." in html(page) and "Preparar el borrador" in labels(page)


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


def test_a_draft_is_kept_in_its_expediente_opened_again_and_goes_on_into_the_demanda(ana, matter):
    page = page_at("templates", m=NAME, e=matter)
    page.text_input(key=key(page, "nombre", matter)).set_value("FILOMENA ZURRUTÚA")
    page.date_input(key=key(page, "fecha_efectos", matter)).set_value(date(2026, 3, 2))
    page.date_input(key=key(page, "fecha", matter)).set_value(date(2026, 3, 9))
    page.checkbox(key=key(page, "sin_audiencia", matter)).check()
    press(page, "Preparar el borrador")
    (kept,) = ana.drafts.drafts(matter)
    days = {"fecha_efectos": "02/03/2026", "fecha": "09/03/2026"}
    assert kept.told == {"nombre": "FILOMENA ZURRUTÚA", "sin_audiencia": "sí", **days}
    assert "Filomena Zurrutúa, con DNI o NIE […]" in page.code[0].value
    assert "Descargar en Word" in [one.label for one in page.get("download_button")]

    listed = page_at("templates", e=matter)
    assert "Borradores guardados" in html(listed)
    opened = press(listed, "Abrir")
    assert opened.text_input(key=key(opened, "nombre", matter + kept.id)).value == "FILOMENA ZURRUTÚA"
    assert opened.checkbox(key=key(opened, "sin_audiencia", matter + kept.id)).value is True
    press(opened, "Seguir con «Demanda por despido»")
    box = f"demanda-despido{matter}{kept.id}-"
    assert opened.text_input(key=f"{box}nombre").value == "FILOMENA ZURRUTÚA" and [*opened.code] == []
    assert opened.date_input(key=f"{box}papeleta").value == date(2026, 3, 9)
    assert opened.date_input(key=f"{box}fecha").value is None
    opened.text_input(key=f"{box}pago").set_value("mensual")
    press(opened, "Preparar el borrador")
    assert {one.template for one in ana.drafts.drafts(matter)} == {NAME, "demanda-despido"}
    assert "el 2 de marzo de 2026" in opened.code[0].value.replace("del 2", "el 2")

    page = page_at("templates", e=matter)
    press(press(page, "Quitar"), "Quitar")
    assert ana.drafts.drafts(matter) == []


def test_the_second_to_save_a_draft_is_told_who_changed_it_and_both_are_kept(ana, matter):
    first = ana.drafts.keep(matter, NAME, {"nombre": "Uno", "documento": "1"})
    page = page_at("templates", m=NAME, e=matter, b=first.id)
    ana.drafts.keep(matter, NAME, {"nombre": "Dos", "documento": "2"}, first.id)
    page.text_input(key=key(page, "nombre", matter + first.id)).set_value("Tres")
    press(page, "Preparar el borrador")
    told = {one.id: dict(one.told) for one in ana.drafts.drafts(matter)}
    assert told.pop(first.id) == {"nombre": "Dos", "documento": "2"}
    assert [*told.values()] == [{"nombre": "Tres", "documento": "1"}]
    assert "cambió mientras tanto (lo guardó usted en otra ventana ahora)" in html(page)
    ana.drafts.remove(next(iter(told)))
    press(page, "Preparar el borrador")
    assert "Alguien quitó el borrador" in html(page) and len(ana.drafts.drafts(matter)) == 2
    opened = press(page_at("templates", e=matter), "Abrir")
    assert "mientras tanto" not in html(opened)


def test_without_an_expediente_the_values_go_on_in_the_tab_and_nothing_is_kept(ana, matter):
    page = page_at("templates", m=NAME)
    page.text_input(key=key(page, "nombre")).set_value("Filomena Zurrutúa")
    press(press(page, "Preparar el borrador"), "Seguir con «Demanda por despido»")
    assert page.text_input(key="demanda-despido-nombre").value == "Filomena Zurrutúa"
    assert ana.drafts.drafts(matter) == []


def test_what_does_not_agree_is_told_and_the_draft_is_made(ana):
    page = page_at("templates", m="demanda-cantidad")
    page.text_input(key="demanda-cantidad-salario").set_value("1.900,00")
    press(page, "Preparar el borrador")
    assert "Esto no concuerda" in html(page) and "parece mensual" in html(page)
    assert "1.900,00 euros" in page.code[0].value


def test_a_draft_of_another_expediente_does_not_exist(ana, matter):
    kept = ana.drafts.keep(matter, NAME, {})
    other = ana.matters.create("Otro").id
    for place in ({"e": other, "b": kept.id}, {"b": kept.id}, {"e": matter, "b": "x"}):
        assert page_at("templates", m=NAME, **place).toast[0].value == "No existe ese borrador\\."
