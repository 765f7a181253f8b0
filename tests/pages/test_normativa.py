"""The corpus pages: catalogue, one document, one article with its history."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from law.diff import Change, Run, compare
from law.norms import Norm
from loading.records.jobs import FileOutcome, OutcomeState
from pages.parts.normativa.diff import diff_html
from pages.parts.normativa.words import counts_line, seconds, size, summed
from service.program.assembly import App
from tests.conftest import DATA, Maker
from tests.homes import overriding
from tests.pages.corpus import NORM, OTHER, links, pressed, tab, write_corpus
from tests.pages.driver import html, labels, page_at
from tests.queries import statements
from tests.word_files import p, run, word_xml


@pytest.fixture
def app(make_program: Maker, tmp_path: Path) -> Iterator[App]:
    with overriding(make_program([DATA, write_corpus(tmp_path / "boe")])) as program:
        yield program


# Catalogue


def test_the_catalogue_lists_each_document_with_what_it_holds_and_who_loaded_it(app: App) -> None:
    page = page_at("normativa")
    shown = html(page)
    assert "5 documentos" in shown
    assert links(page)["Ley 1/2001, de 2 de enero, de pruebas"] == f"doc={NORM}"
    assert "Normativa · Ley · 2 pasajes" not in shown
    assert "3 pasajes · 3 redacciones · cargado el" in shown
    assert "por este equipo" in shown
    assert "Vigente desde el 1 de febrero de 2001" in shown


def test_search_filters_and_order(app: App) -> None:
    page = page_at("normativa")
    page.text_input(key="catalogue-search").set_value("remisiones").run()
    assert list(links(page).values()) == [f"doc={OTHER}"]
    page.text_input(key="catalogue-search").set_value("").run()
    page.selectbox(key="catalogue-collection").set_value("sentencias").run()
    assert "1 documento" in html(page)
    page.selectbox(key="catalogue-state").set_value("Derogado").run()
    assert "Ningún documento coincide" in html(page)
    page.selectbox(key="catalogue-state").set_value("").run()
    page.selectbox(key="catalogue-collection").set_value("").run()
    page.selectbox(key="catalogue-sort").set_value("-versions").run()
    assert "5 documentos" in html(page)


@pytest.mark.parametrize("written", ["art. 2 LTF", "2 ltf", "LTF 2", "ltf art 2.1", "LTF 2.1.a)"])
def test_a_search_that_names_an_article_leads_to_it(app: App, written: str) -> None:
    page = page_at("normativa")
    page.text_input(key="catalogue-search").set_value(written).run()
    assert links(page)["Artículo 2. Vacaciones anuales. · LTF"] == "doc=X-LTF&block=a2"


def test_a_long_catalogue_goes_by_pages_and_a_search_starts_at_the_first(app: App, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(60):
        text = f"---\nid: n{number}\ntitle: Norma de prueba {number:02}\nvalid_from: 2020-01-01\n---\n\n"
        (folder / f"n{number}.md").write_text(f"{text}#### Artículo 1. Uno.\n\nTexto {number}.\n", "utf-8")
    app.loading.ingest([folder])
    page = page_at("normativa")
    assert "65 documentos, del 1 al 50" in html(page)
    page.pagination[0].set_value(2).run()
    assert "del 51 al 65" in html(page)
    page.text_input(key="catalogue-search").set_value("norma de prueba").run()
    assert "60 documentos, del 1 al 50" in html(page)


def test_an_empty_corpus_says_what_to_do(make_program: Maker) -> None:
    with overriding(make_program()):
        assert "Todavía no hay nada cargado: cargue documentos" in html(page_at("normativa"))


# One document


def test_a_document_shows_its_vigencia_and_its_fragments_in_force(app: App) -> None:
    page = page_at("normativa", doc=NORM)
    shown = html(page)
    assert "<h1>Ley 1/2001, de 2 de enero, de pruebas</h1>" in shown
    assert "Vigente desde el 1 de febrero de 2001" in shown
    assert "2 pasajes" in shown
    page.checkbox(key=f"past-{NORM}").check().run()
    assert "3 pasajes" in html(page)
    page.text_input(key=f"search-{NORM}").set_value("veinte DÍAS").run()
    assert "1 pasaje<" in html(page)


def test_an_agreement_shows_its_journal_and_what_comes_after_a_term_that_has_passed(
    app: App, tmp_path: Path
) -> None:
    (tmp_path / "boyas.txt").write_text(
        "Convenio colectivo de boyas de la provincia de Soria\n\n"
        "BOP de Soria núm. 45, de 17 de abril de 2020\n\n"
        "Artículo 1. Ámbito.\n\nObliga a las boyas.\n\nArtículo 2. Vigencia.\n\n"
        "Del 1 de enero de 2020 al 31 de diciembre de 2021. Después se prorrogará cada año.\n",
        "utf-8",
    )
    app.loading.ingest([tmp_path / "boyas.txt"])
    page = page_at("normativa", doc="boyas")
    shown = html(page)
    assert "La vigencia pactada terminó el 31 de diciembre de 2021: compruebe la ultraactividad" in shown
    assert "Vigente desde el 1 de enero de 2020" in shown
    data = html(tab(page, "document-tab", "Datos"))
    assert "<dt>Boletín</dt><dd>BOP de Soria, núm. 45</dd>" in data
    assert "<dt>Tras la vigencia pactada</dt><dd>Después se prorrogará cada año.</dd>" in data


def test_a_document_is_not_read_again_to_draw_it_again(app: App) -> None:
    page = page_at("normativa", doc=NORM)
    with statements(app.database) as asked:
        page.checkbox(key=f"past-{NORM}").check().run()
        tab(page, "document-tab", "Datos")
    assert "<dd>3</dd>" in html(page)
    assert asked.reading("chunks") == []


def test_a_fragment_is_drawn_when_it_is_opened_with_its_data_and_remisiones(app: App) -> None:
    [chunk] = app.database.corpus.norm_chunks(OTHER)
    page = page_at("normativa", doc=OTHER)
    assert "Se aplica el artículo 2" not in html(page)
    page.session_state[f"fragment-{chunk.id}"] = True
    page.run()
    shown = html(page)
    assert "Se aplica el artículo 2" in shown
    assert chunk.id in shown
    assert f"doc={NORM}&block=a2" in links(page).values()


def test_the_text_of_a_document_is_never_markup(app: App) -> None:
    page = page_at("normativa", doc=NORM, block="a2")
    assert "<b>naturales</b>" not in html(page)
    assert "&lt;b&gt;naturales&lt;/b&gt;" in html(page)


def test_the_changes_of_a_document_lead_to_the_comparison(app: App) -> None:
    page = tab(page_at("normativa", doc=NORM), "document-tab", "Cambios")
    found = {label: query for label, query in links(page).items() if "01/01/2020" in label}
    assert list(found.values()) == [f"doc={NORM}&block=a2&from=2001-02-01&to=2020-01-01"]


def test_a_document_names_what_it_refers_to_and_what_refers_to_it(app: App) -> None:
    page = tab(page_at("normativa", doc=OTHER), "document-tab", "Remisiones")
    assert links(page)["Ley 1/2001, de 2 de enero, de pruebas (1 artículo)"] == f"doc={NORM}"
    page = tab(page_at("normativa", doc=NORM), "document-tab", "Remisiones")
    assert f"doc={OTHER}&block=a1" in links(page).values()
    assert "1 pasaje de otros documentos" in html(page)


def test_the_data_of_a_document_say_where_it_comes_from(app: App) -> None:
    shown = html(tab(page_at("normativa", doc=NORM), "document-tab", "Datos"))
    assert f"<dd>{NORM}</dd>" in shown
    assert "<dt>Archivo</dt>" in shown


# Data, new version, deletion


def test_data_corrected_by_hand_are_stored_and_told(app: App) -> None:
    page = pressed(page_at("normativa", doc=NORM), "edit")
    page.text_input(key=f"edit-{NORM}-alias").set_value("LPR")
    next(button for button in page.button if button.label == "Guardar").click().run()
    assert app.database.corpus.norm(NORM).alias == "LPR"
    assert "Datos guardados" in page.toast[0].value


def test_what_a_loader_could_not_keep_is_told_of_the_document_also_once_its_data_are_corrected(
    app: App, tmp_path: Path
) -> None:
    inserted = f'<w:ins w:id="1" w:author="a">{run("diez")}</w:ins>'
    file = tmp_path / "pacto.docx"
    file.write_bytes(
        word_xml(
            p("Orden FAR/2/2019, de 5 de mayo, de señales."),
            p("Artículo 1. Descanso."),
            p("El descanso dura ", inserted, " días."),
        )
    )
    norm_id = app.loading.ingest([file], since=date(2024, 2, 1))[0].documents[0].norm.id
    told = "Por revisar: El documento tiene cambios sin aceptar"
    assert told in html(page_at("normativa", doc=norm_id))
    page = pressed(page_at("normativa", doc=norm_id), "edit")
    page.text_input(key=f"edit-{norm_id}-alias").set_value("PDD")
    next(button for button in page.button if button.label == "Guardar").click().run()
    assert told in html(page)
    page = pressed(ticked(NORM, norm_id), "chosen-edit")
    page.text_input(key="chosen-territory").set_value("Galicia")
    next(button for button in page.button if button.label == "Modificar 2 documentos").click().run()
    assert app.database.corpus.norm(norm_id).territory == "Galicia"
    assert told in html(page_at("normativa", doc=norm_id))


@pytest.mark.parametrize("first", [date(2090, 1, 1), date(1795, 7, 4)])
def test_a_day_far_off_is_shown_and_kept(app: App, tmp_path: Path, first: date) -> None:
    text = f"---\nid: LEJOS\npublished: {first}\nvalid_from: {first}\n---\n\nArtículo 1. Cosa.\n\nDe otro.\n"
    (tmp_path / "lejos.md").write_text(text, "utf-8")
    app.loading.ingest([tmp_path / "lejos.md"])
    page = pressed(page_at("normativa", doc="LEJOS"), "edit")
    page.text_input(key="edit-LEJOS-alias").set_value("LEJ")
    next(button for button in page.button if button.label == "Guardar").click().run()
    assert (norm := app.database.corpus.norm("LEJOS")).alias == "LEJ"
    assert norm.published == norm.valid_from == first


def test_data_that_cannot_be_are_refused_and_nothing_changes(app: App) -> None:
    page = pressed(page_at("normativa", doc=NORM), "edit")
    page.selectbox(key=f"edit-{NORM}-status").set_value("Derogado")
    next(button for button in page.button if button.label == "Guardar").click().run()
    assert "Indique el último día de vigencia" in page.error[0].value
    assert app.database.corpus.norm(NORM).status == "Vigente"


def test_a_deletion_says_what_refers_to_the_document_and_takes_it_away(app: App) -> None:
    page = pressed(page_at("normativa", doc=NORM), "delete")
    assert "1 pasaje de otro documento remite a este" in html(page)
    assert "Ley 2/2002" in html(page)
    pressed(page, "delete-yes")
    assert app.database.corpus.norm(NORM) is None
    assert "Eliminado" in page.toast[0].value
    assert "4 documentos" in html(page)


def test_only_a_norm_of_the_boe_is_updated_from_it(app: App) -> None:
    assert "Actualizar desde el BOE" in labels(page_at("normativa", doc=NORM))
    assert "Actualizar desde el BOE" not in labels(page_at("normativa", doc="X-LTF"))


# One article


def test_an_address_with_a_day_opens_the_wording_that_began_then(app: App) -> None:
    assert "quince días" in html(page_at("normativa", doc=NORM, block="a2", on="2001-02-01"))
    assert "veinte días" in html(page_at("normativa", doc=NORM, block="a2", on="1999-01-01"))


def test_an_article_shows_the_wording_in_force_and_the_one_chosen(app: App) -> None:
    page = page_at("normativa", doc=NORM, block="a2")
    assert "veinte días" in html(page)
    assert "Vigente desde el 1 de enero de 2020" in html(page)
    versions = page.selectbox(key="version-a2")
    versions.select_index(1).run()
    assert "quince días" in html(page)


def test_two_wordings_are_compared_with_lines_and_words_besides_colours(app: App) -> None:
    shown = html(page_at("normativa", doc=NORM, block="a2", to="2020-01-01"))
    assert "Redacción 01/02/2001 – 31/12/2019" in shown
    assert '<del><span class="art-sign">[−</span>quince ' in shown
    assert '<ins><span class="art-sign">[+</span>veinte ' in shown


def test_the_history_names_the_norm_that_gave_each_wording(app: App) -> None:
    page = page_at("normativa", doc=NORM, block="a2")
    assert "Redacción sustituida el 1 de enero de 2020" in html(page)
    assert links(page)["Ley 2/2002"] == f"doc={OTHER}"


# Words


def test_a_comparison_begins_a_row_where_both_wordings_begin_a_paragraph() -> None:
    before = "Uno.\nDos viejo.\nTres.\nCuatro.\nCinco."
    shown = diff_html(compare(before, "Uno.\nDos nuevo.\nTres.\nCuatro.\nCinco."), "a", "b")
    assert '<p class="art-old">Dos <del>' in shown
    assert "<summary>3 párrafos sin cambios</summary>" in shown
    assert '<p class="art-same">Uno.</p>' in shown


def test_a_paragraph_that_is_added_stands_beside_nothing() -> None:
    runs = compare("Uno.\nTres.", "Uno.\nDos.\nTres.")
    shown = diff_html(runs, "a", "b")
    assert '<p class="art-old"></p><p class="art-new"><ins>' in shown
    assert "<p>Tres.</p>" in shown


def test_a_table_is_compared_as_a_table_with_its_header() -> None:
    rows = "\n".join(f"| Grupo {number} | {number}00 |" for number in range(9))
    before = f"Tabla de salarios:\n| Grupo | Euros |\n| --- | --- |\n{rows}\nFin."
    shown = diff_html(compare(before, before.replace("| 500 |", "| 550 |")), "a", "b")
    head = '<thead><tr><th scope="col">Grupo</th><th scope="col">Euros</th></tr></thead>'
    assert shown.count(head) == 2
    assert "<td>Grupo 5</td><td><del>" in shown and "<td>Grupo 5</td><td><ins>" in shown
    assert "5 filas sin cambios" in shown and "3 filas sin cambios" in shown
    assert "|" not in shown and "---" not in shown


def test_a_table_beside_a_text_that_it_replaces_is_a_table() -> None:
    shown = diff_html(compare("Nada que ver.", "Antes:\n| A | B |\n| --- | --- |\n| 1 | 2 |"), "a", "b")
    assert '<th scope="col"><ins>' in shown and "|" not in shown


def test_a_comparison_escapes_both_texts() -> None:
    runs = [Run(kind=Change.DELETE, text="<script>"), Run(kind=Change.INSERT, text="<img>")]
    shown = diff_html(runs, "<a>", "b")
    for written in ("script", "img", "a"):
        assert f"&lt;{written}&gt;" in shown
        assert f"<{written}>" not in shown


@pytest.mark.parametrize(("count", "text"), [(820, "820 B"), (36_000, "36 kB"), (1_400_000, "1,4 MB")])
def test_sizes(count: int, text: str) -> None:
    assert size(count) == text


@pytest.mark.parametrize(("value", "text"), [(4.2, "4 s"), (125, "2 min 5 s"), (3840, "1 h 4 min")])
def test_lengths_of_time(value: float, text: str) -> None:
    assert seconds(value) == text


def test_outcomes_are_summed_up() -> None:
    done = FileOutcome(name="a", state=OutcomeState.DONE, added=12, removed=1)
    failed = FileOutcome(name="b", state=OutcomeState.FAILED)
    assert summed([done, done, failed]) == "2 cargados, 1 fallido"
    assert counts_line(done) == "12 pasajes nuevos, 1 eliminado"
    assert counts_line(FileOutcome(name="c", state=OutcomeState.DONE, unchanged=3)) == "sin cambios"


def test_norms_of_the_forms_are_read_back() -> None:
    from pages.parts.normativa.form import fields_of, values_of

    norm = Norm(id="x", title="T", law="L", aliases=("A", "B"), extra={"court": "TS"})
    values = values_of(norm)
    assert values["aliases"] == "A, B"
    assert values["extra.court"] == "TS"
    assert {field.key for field in fields_of("otra")} == {field.key for field in fields_of("normativa")}


# Several documents at once


def ticked(*ids: str) -> AppTest:
    page = page_at("normativa")
    for norm_id in ids:
        page.checkbox(key=f"tick-{norm_id}").check().run()
    return page


def test_common_data_of_what_is_ticked_change_together(app: App) -> None:
    page = pressed(ticked(NORM, OTHER), "chosen-edit")
    page.text_input(key="chosen-territory").set_value("Galicia")
    page.selectbox(key="chosen-collection").set_value("criterios_inss")
    next(button for button in page.button if button.label == "Modificar 2 documentos").click().run()
    assert not page.exception, page.exception
    norms = [app.database.corpus.norm(norm_id) for norm_id in (NORM, OTHER)]
    assert {(norm.territory, norm.collection) for norm in norms} == {("Galicia", "criterios_inss")}
    chunks = [chunk for norm in norms for chunk in app.database.corpus.norm_chunks(norm.id)]
    assert {(chunk.territory, chunk.collection) for chunk in chunks} == {("Galicia", "criterios_inss")}


def test_a_document_that_cannot_be_changed_stays_ticked_and_says_why(app: App) -> None:
    page = pressed(ticked(NORM, OTHER), "chosen-edit")
    page.date_input(key="chosen-repealed_on").set_value(date(2001, 6, 1))
    next(button for button in page.button if button.label == "Modificar 2 documentos").click().run()
    assert not page.exception, page.exception
    assert "1 documento modificado" in page.toast[0].value
    assert "El último día de vigencia no puede ser anterior al primero." in html(page)
    assert (page.checkbox(key=f"tick-{NORM}").value, page.checkbox(key=f"tick-{OTHER}").value) == (
        False,
        True,
    )
