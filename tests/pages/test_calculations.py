"""The page «Calcular»: every form, a result with its articles, what cannot be used, and what leaves."""

from datetime import date

import pytest
from streamlit.testing.v1 import AppTest

from calculations.catalogue import CALCULATORS
from core.errors import Forbidden
from domain.accounts import LOCAL, Role
from domain.audit import AuditAction
from loading.ingestion.doctor import OWN
from service.members.member import Member, SessionEnded
from service.program.assembly import App
from tests.factories import chunks_of, make_block, make_norm
from tests.pages.driver import HOSTILE, drawn, html, page_at

STATUTE = make_norm(
    "BOE-A-2015-11430", make_block("56", "Texto inventado.", id="a56"), law="Norma inventada", alias="ET"
)


def calculated(page: AppTest) -> AppTest:
    next(button for button in page.button if button.label == "Calcular").click()
    return drawn(page)


def dismissed(page: AppTest, salary: str = "30.000") -> AppTest:
    page.date_input(key="indemnizacion-inicio").set_value(date(2015, 1, 1))
    page.date_input(key="indemnizacion-fin").set_value(date(2019, 12, 31))
    page.text_input(key="indemnizacion-salario").set_value(salary)
    return calculated(page)


def test_an_article_of_the_corpus_opens_in_the_reading_pane(whole: App) -> None:
    whole.database.corpus_writer.save(STATUTE, chunks_of(STATUTE), {})
    shown = html(dismissed(page_at("calculations")))
    assert 'data-text="/fuente?doc=BOE-A-2015-11430&amp;block=a56"' in shown
    assert 'href="/normativa?doc=BOE-A-2015-11430&amp;block=a56"' in shown
    assert "(art. 26.1 ET)" in shown


def test_the_provision_on_reduced_hours_opens_beside_its_step(whole: App) -> None:
    block = make_block("da 19", "Texto inventado.", id="dadecimonovena")
    norm = make_norm("BOE-A-2015-11430", block, law="Norma inventada", alias="ET")
    whole.database.corpus_writer.save(norm, chunks_of(norm), {})
    page = page_at("calculations")
    page.checkbox(key="indemnizacion-reducida").check()
    page.text_input(key="indemnizacion-jornada").set_value("50")
    shown = html(dismissed(page))
    assert 'data-text="/fuente?doc=BOE-A-2015-11430&amp;block=dadecimonovena"' in shown
    assert "27.123,29 €" in shown


def test_an_article_of_a_norm_that_nobody_has_loaded_stays_text(whole: App) -> None:
    page = page_at("calculations", {"calculation": "preaviso"})
    page.selectbox(key="preaviso-causa").set_value("hogar")
    page.date_input(key="preaviso-comunicacion").set_value(date(2025, 5, 1))
    shown = html(calculated(page))
    assert "jueves, 8 de mayo de 2025" in shown
    assert "(art. 11.2 RD 1620/2011)" in shown


def test_the_text_to_copy_and_the_file_say_the_whole_result(whole: App) -> None:
    page = dismissed(page_at("calculations"))
    page.session_state["calculation-text"] = True
    page = drawn(page)
    assert "## Pasos" in page.code[0].value
    assert "**13.561,64 €**" in page.code[0].value
    assert [one.label for one in page.get("download_button")] == ["Descargar en Markdown"]


@pytest.mark.parametrize("name", CALCULATORS)
def test_every_form_tells_what_is_missing_in_a_sentence(whole: App, name: str) -> None:
    page = calculated(page_at("calculations", {"calculation": name}))
    assert page.error[0].value.startswith("Falta un dato")
    assert "art-tiles" not in html(page)


@pytest.mark.parametrize("salary", ["-1", "1e400", "mil", HOSTILE[:60], "NaN", "²"])
def test_a_salary_that_is_none_is_told_and_leaves_no_earlier_result(whole: App, salary: str) -> None:
    page = dismissed(dismissed(page_at("calculations")), salary)
    assert "importe" in page.error[0].value
    assert "13.561,64 €" not in html(page)
    assert "<script" not in html(page)
    assert "13.561,64 €" not in html(drawn(page))


def test_a_term_is_counted_with_the_holidays_of_the_seat(whole: App) -> None:
    page = page_at("calculations", {"calculation": "caducidad"})
    options = page.selectbox(key="caducidad-sede").options
    assert options[0] == "A Coruña (Galicia)" and {"Valencia (Comunitat Valenciana)", "Ceuta"} <= {*options}
    page.selectbox(key="caducidad-sede").set_value("Madrid")
    page.date_input(key="caducidad-fecha").set_value(date(2025, 4, 10))
    shown = html(calculated(page))
    assert "miércoles, 14 de mayo de 2025" in shown
    assert "viernes, 16 de mayo de 2025, hasta las 15:00" in shown
    assert "17/04/2025 (Jueves Santo)" in shown


def test_a_file_of_the_firm_takes_the_place_of_ours_and_a_wrong_one_is_named(whole: App) -> None:
    folder = whole.home / "holidays"
    folder.mkdir(exist_ok=True)
    try:
        (folder / "madrid.toml").write_text('seat = "Madrid"\n[2025]\n2025-02-31 = "Nada"\n', "utf-8")
        told = "holidays/madrid.toml: «2025-02-31» no es una fecha que exista"
        page = page_at("calculations", {"calculation": "caducidad"})
        assert told in html(page)
        page.selectbox(key="caducidad-sede").set_value("Sevilla")
        page.date_input(key="caducidad-fecha").set_value(date(2025, 4, 10))
        assert "Último día para la papeleta" in html(calculated(page)) and not page.error
        (check,) = [one for one in whole.doctor()["checks"] if one["name"] == OWN]
        assert not check["ok"] and told in check["detail"]
        reader = LOCAL.model_copy(update={"roles": (Role.LAWYER,)})
        assert Member(whole, reader, lambda: reader).calculations.problems() == ()
    finally:
        (folder / "madrid.toml").unlink()
    assert "holidays/" not in html(page_at("calculations", {"calculation": "caducidad"}))
    assert {"name": OWN, "ok": True, "detail": "todos se pueden usar"} in whole.doctor()["checks"]


def test_days_that_the_seat_has_besides_are_typed_and_named_in_the_steps(whole: App) -> None:
    page = page_at("calculations", {"calculation": "plazo"})
    page.selectbox(key="plazo-sede").set_value("Valencia")
    page.date_input(key="plazo-fecha").set_value(date(2025, 4, 24))
    page.text_input(key="plazo-dias").set_value("2")
    assert "De Valencia faltan fiestas locales (2025)" in html(calculated(page))
    page.text_input(key="plazo-inhabiles").set_value("28/04/2025, 22/01/2025")
    shown = html(calculated(page))
    assert "martes, 29 de abril de 2025" in shown and "faltan fiestas locales" not in shown
    assert "22/01/2025 (fuera del plazo: no cambia el plazo); 28/04/2025" in shown
    page.text_input(key="plazo-inhabiles").set_value("30/02/2025 <b>")
    assert "no es una que exista" in calculated(page).error[0].value


def test_a_term_without_a_seat_asks_for_it(whole: App) -> None:
    page = page_at("calculations", {"calculation": "plazo"})
    page.date_input(key="plazo-fecha").set_value(date(2025, 4, 24))
    page.text_input(key="plazo-dias").set_value("2")
    assert "Sede del juzgado" in calculated(page).error[0].value


def test_a_calculation_is_logged_by_its_name_and_never_by_its_data(whole: App) -> None:
    dismissed(page_at("calculations"), "31.415,92")
    found = [one for one in whole.audit.log.entries() if one.action is AuditAction.CALCULATED]
    assert [one.target for one in found][:1] == ["indemnizacion"]
    assert "31.415" not in str(found)


def test_a_session_that_has_ended_calculates_nothing(whole: App) -> None:
    held = Member(whole, LOCAL, lambda: None).calculations
    with pytest.raises(SessionEnded):
        held.calculate("preaviso", {"causa": "objetivo", "comunicacion": "2025-05-01"})
    with pytest.raises(SessionEnded):
        held.seats()


def test_who_may_not_read_calculates_nothing(whole: App) -> None:
    nobody = LOCAL.model_copy(update={"roles": ()})
    with pytest.raises(Forbidden, match="no tiene permiso"):
        Member(whole, nobody, lambda: nobody).calculations.calculate("preaviso", {})


def test_a_salary_of_a_month_typed_as_that_of_a_year_is_warned_of_ahead_of_the_steps(whole: App) -> None:
    shown = html(dismissed(page_at("calculations"), "2.000"))
    assert shown.index("menos que el SMI de ese día") < shown.index("art-list")
    assert "SMI" not in html(dismissed(page_at("calculations")))
