"""The corpus pages: files, folders and pasted text on their way in."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from loading.ingestion.load_request import Staged, UploadRequest
from pages.parts.normativa.preview import read_with_progress
from pages.parts.normativa.upload import STATE
from service.program.assembly import App
from tests.homes import work
from tests.pages.corpus import NORM, pressed, write_corpus
from tests.pages.driver import HOSTILE, drawn, html, labels, page_at

LAW = (
    "---\nid: X-NUEVA\ntitle: Ley 5/2021, de 6 de mayo, de prueba\nrank: Ley\nvalid_from: 2021-06-01\n---\n"
    "\n#### Artículo 1. Objeto.\n\nEsta ley no existe.\n"
)
RULING = (
    "---\nid: X-STS\ntitle: STS 1/2020\nrank: Sentencia\nvalid_from: 2020-01-01\n---\n\n# Hechos\n\nTexto.\n"
)


def chosen(*files: tuple[str, str]) -> AppTest:
    page = page_at("normativa", tab="Cargar")
    uploads = [(name, text.encode(), "text/markdown") for name, text in files]
    page.file_uploader[0].set_value(uploads).run()
    assert not page.exception, page.exception
    return page


def confirmed(page: AppTest) -> AppTest:
    return pressed(pressed(page, "preview"), "confirm")


# Files


def counting(whole: App, monkeypatch: pytest.MonkeyPatch) -> list[UploadRequest]:
    """The requests that are previewed from now on."""
    preview, requests = whole.loading.preview, []

    def counted(request: UploadRequest, *told: Any) -> Staged:
        requests.append(request)
        return preview(request, *told)

    monkeypatch.setattr(whole.loading, "preview", counted)
    monkeypatch.setattr(whole.loading, "upload", None)
    return requests


def test_a_confirmed_preview_is_loaded_without_taking_the_files_in_again(
    whole: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = counting(whole, monkeypatch)
    confirmed(chosen(("nueva.md", LAW)))
    assert len(requests) == 1
    work(whole)
    assert whole.database.corpus.norm("X-NUEVA") is not None


def test_another_preview_takes_the_place_of_the_one_before(whole: App) -> None:
    page = pressed(chosen(("nueva.md", LAW)), "preview")
    page.text_input(key="upload-0-normativa-alias").set_value("LPR").run()
    confirmed(page)
    assert [path.name for path in (whole.home / "uploads").iterdir()] == [whole.database.jobs.jobs()[0].id]


def test_a_new_version_is_read_once_however_often_the_dialog_is_drawn(
    whole: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = counting(whole, monkeypatch)
    page = pressed(page_at("normativa", doc="X-LTF"), "replace")
    text = LAW.replace("X-NUEVA", "OTRA").encode()
    page.file_uploader[0].set_value([("nueva.md", text, "text/markdown")]).run()
    page.run()
    page.run()
    assert "Otro texto de un documento cargado" in html(page)
    assert [request.metadata for request in requests] == [{"id": "X-LTF"}]
    page.checkbox(key="shorter-X-LTF").check().run()
    pressed(page, "confirm")
    work(whole)
    assert len(requests) == 1
    assert [
        chunk.section for chunk in whole.database.corpus.norm_chunks("X-LTF") if chunk.valid_to is None
    ] == ["Artículo 1. Objeto."]


def test_what_would_be_refused_says_why_and_offers_no_button(whole: App, tmp_path: Path) -> None:
    whole.loading.ingest([write_corpus(tmp_path / "boe")])
    law = LAW.replace("X-NUEVA", NORM)
    page = pressed(chosen(("nueva.md", law)), "preview")
    assert "con todas sus redacciones" in html(page)
    assert "confirm" not in [button.key for button in page.button]
    page = pressed(chosen(("nueva.md", law), ("otra.md", LAW)), "preview")
    assert "Cargar 1 documento" in labels(page)
    pressed(page, "confirm")
    assert [file.name for file in whole.database.jobs.jobs()[0].payload.files] == ["otra.md"]


def test_what_is_there_already_is_told_apart_from_what_changes(whole: App) -> None:
    confirmed(chosen(("nueva.md", LAW)))
    work(whole)
    page = pressed(chosen(("nueva.md", LAW)), "preview")
    assert "1 documento sin cambios." in html(page)
    changed = LAW.replace("no existe", "sí existe") + "\n#### Artículo 2. Más.\n\nOtro.\n"
    page = pressed(chosen(("nueva.md", changed)), "preview")
    shown = html(page)
    assert "1 documento que cambia." in shown
    assert "Otro texto de un documento cargado" in shown
    assert "1 artículo nuevo, 1 modificado" in shown
    page.session_state["words-preview-0-X-NUEVA"] = True
    shown = html(drawn(page))
    assert "Como está cargado" in shown and "Como quedaría" in shown
    assert "[−</span>no " in shown and "[+</span>sí " in shown


def test_each_document_of_a_batch_that_has_no_date_is_given_its_own_before_it_is_loaded(whole: App) -> None:
    undated = [
        LAW.replace("valid_from: 2021-06-01\n", "").replace("X-NUEVA", name) for name in ("UNA", "DOS")
    ]
    other = undated[1].replace("no existe", "existe").replace("rank: Ley\n", "")
    other = other.replace("Ley 5/2021, de 6 de mayo, de prueba", "Normas del faro")
    files = [("una.md", undated[0]), ("dos.md", other), ("tres.md", LAW)]
    page = pressed(chosen(*files), "preview")
    asked = [one for one in page.date_input if one.label == "Rige desde"]
    assert len(asked) == 2
    assert html(page).count("indíquela antes de cargarlo") == 2
    asked[0].set_value(date(2023, 5, 1)).run()
    assert page.button(key="confirm").disabled
    assert "«Normas del faro» no dice desde cuándo rige" in html(page)
    asked[1].set_value(date(2024, 5, 1)).run()
    page.selectbox(key="since-1-DOS-rank").set_value("Orden").run()
    pressed(page, "confirm")
    work(whole)
    found = {name: whole.database.corpus.norm(name).valid_from for name in ("UNA", "DOS", "X-NUEVA")}
    assert found == {"UNA": date(2023, 5, 1), "DOS": date(2024, 5, 1), "X-NUEVA": date(2021, 6, 1)}
    assert whole.database.corpus.norm("DOS").rank == "Orden"
    assert [str(chunk.valid_from) for chunk in whole.database.corpus.norm_chunks("UNA")] == ["2023-05-01"]


def test_a_text_that_loses_much_of_an_article_is_loaded_once_somebody_has_looked(whole: App) -> None:
    long = LAW.replace("no existe", "no existe, ni ha existido, ni existirá mientras haya faros en la costa")
    confirmed(chosen(("nueva.md", long)))
    work(whole)
    page = pressed(chosen(("nueva.md", LAW)), "preview")
    page.segmented_control(key="since-0-X-NUEVA-way").set_value("corrected").run()
    assert "Pierde más de una décima parte de su texto: Artículo 1. Objeto." in html(page)
    assert page.button(key="confirm").disabled
    page.checkbox(key="shorter-X-NUEVA").check().run()
    pressed(page, "confirm")
    work(whole)
    assert "ni existirá" not in whole.database.corpus.norm_chunks("X-NUEVA")[0].text


def test_a_correction_takes_the_place_of_the_stored_text(whole: App) -> None:
    confirmed(chosen(("nueva.md", LAW)))
    work(whole)
    page = pressed(chosen(("nueva.md", LAW.replace("no existe", "sí existe"))), "preview")
    assert "1 artículo modificado" in html(page)
    page.segmented_control(key="since-0-X-NUEVA-way").set_value("corrected").run()
    assert "1 artículo corregido" in html(page)
    pressed(page, "confirm")
    work(whole)
    (chunk,) = whole.database.corpus.norm_chunks("X-NUEVA")
    assert chunk.text.endswith("sí existe.")


def test_a_reading_that_was_cancelled_shows_nothing_until_it_is_asked_for_again(whole: App) -> None:
    page = pressed(chosen(("nueva.md", LAW)), "preview")
    asked, _ = page.session_state[STATE]
    page.session_state[STATE] = (asked, None)
    page.run()
    assert "Qué cambiará" not in html(page)
    assert "Qué cambiará" in html(pressed(page, "preview"))


class Slow:
    """A reading that ends after some looks, or fails at one, as a page that is drawn anew does."""

    progress = ("una.md", 0, 2)

    def __init__(self, *looks: bool | Exception) -> None:
        self.looks, self.cancelled = list(looks), False

    def wait(self, _seconds: float) -> bool:
        look = self.looks.pop(0)
        if isinstance(look, Exception):
            raise look
        return look

    def cancel(self) -> None:
        self.cancelled = True

    def result(self) -> str:
        return "made"


def test_a_reading_ends_with_the_page_that_waits_for_it() -> None:
    slow = Slow(False, False, True)
    assert (read_with_progress(slow, print), slow.cancelled) == ("made", False)
    slow = Slow(False, False, RuntimeError())
    with pytest.raises(RuntimeError):
        read_with_progress(slow, print)
    assert slow.cancelled


def test_another_file_or_other_data_make_the_preview_disappear(whole: App) -> None:
    page = pressed(chosen(("nueva.md", LAW)), "preview")
    assert "Qué cambiará" in html(page)
    page.text_input(key="upload-0-normativa-alias").set_value("LPR").run()
    assert "Qué cambiará" not in html(page)
    assert "Qué cambiará" in html(pressed(page, "preview"))
    page.file_uploader[0].set_value([("otra.md", LAW.encode(), "text/markdown")]).run()
    assert "Qué cambiará" not in html(page)


def test_each_collection_asks_for_its_own_data_and_they_are_kept(whole: App) -> None:
    page = chosen(("sts.md", RULING))
    page.selectbox(key="upload-collection").set_value("sentencias").run()
    asked = {field.label for field in page.text_input}
    assert {"Órgano judicial", "Sala", "ECLI", "Ponente"} <= asked
    page.text_input(key="upload-0-sentencias-extra.court").set_value("Tribunal Supremo").run()
    confirmed(page)
    work(whole)
    norm = whole.database.corpus.norm("X-STS")
    assert (norm.collection, norm.extra["court"]) == ("sentencias", "Tribunal Supremo")


def test_several_files_share_only_what_they_can_share(whole: App) -> None:
    page = chosen(("nueva.md", LAW), ("sts.md", RULING))
    asked = {field.label for field in page.text_input}
    assert "Rango" in asked
    assert "Título" not in asked


def test_hostile_names_and_titles_are_shown_as_text(whole: App) -> None:
    title = HOSTILE.replace("\n", " ").replace('"', "'")
    page = pressed(
        chosen(("<img src=x>.md", LAW.replace("Ley 5/2021, de 6 de mayo, de prueba", f'"{title}"'))),
        "preview",
    )
    shown = html(page)
    assert "&lt;img src=x&gt;" in shown
    assert "&lt;script&gt;" in shown
    assert "<script>" not in shown
    assert "<img" not in shown


# Pasted text


def test_pasted_text_becomes_a_document(whole: App) -> None:
    page = page_at("normativa", tab="Cargar")
    page.segmented_control(key="upload-way").set_value("Texto pegado").run()
    page.text_area[0].set_value("Artículo 1. Objeto.\n\nTexto pegado de prueba.").run()
    pressed(page, "preview")
    assert "Escriba el título" in page.error[0].value
    page.text_input(key="upload-0-normativa-title").set_value("Norma pegada").run()
    confirmed(page)
    work(whole)
    assert [norm.title for norm in whole.database.corpus.norms() if norm.title == "Norma pegada"]


def test_pasted_articles_join_a_document_and_leave_the_others_alone(whole: App) -> None:
    before = len(whole.database.corpus.blocks("X-LTF"))
    page = page_at("normativa", tab="Cargar")
    page.segmented_control(key="upload-way").set_value("Texto pegado").run()
    target = next(norm for norm in whole.database.corpus.norms() if norm.id == "X-LTF")
    page.selectbox(key="paste-target-0").set_value(target).run()
    page.text_area[0].set_value("Artículo 900. Nuevo.\n\nUn artículo añadido.").run()
    pressed(page, "preview")
    assert "Se añade a un documento cargado" in html(page)
    assert "eliminado" not in html(page)
    pressed(page, "confirm")
    work(whole)
    labels_now = [block.label for block in whole.database.corpus.blocks("X-LTF")]
    assert len(labels_now) == before + 1
    assert "900" in labels_now
