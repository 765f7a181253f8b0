"""One review table: how far it is, its cells with their passages, what can be done with it."""

import re
from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from domain.document_tables import Cell, CellState, DocumentTable, TableState
from domain.matters import DocumentState, MatterDocument
from pages.parts.answer.documents import page_link
from pages.parts.common.confirm import confirm, dialog
from pages.parts.common.detail import followed
from pages.parts.common.html import EMPTY, Html, badges, each, html, join, note, show, status, warning
from pages.parts.common.law import quoted_html
from pages.parts.common.layout import back, go, heading
from pages.parts.common.listing import pager, part_of
from pages.parts.common.page import attempt
from pages.parts.common.papers import READING
from pages.parts.common.widgets import button, download, panel
from pages.parts.common.words import plural, shortened
from pages.parts.matters.tables import STATES, show_change
from rag.answers.verbatim import locate
from service.members.member import Member
from service.opinions.table_sheet import GONE

LOOK_SECONDS = 1.5
PAGE_SIZE, SHOWN = 20, 160
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
HOW = (
    "Cada casilla sale solo de su documento; ábrala para leer la frase en su sitio. «No consta» quiere decir "
    "que no se ha encontrado: si le importa, compruébelo en el documento."
)


def show_table(app: Member, table_id: str) -> None:
    """The whole of it. Raises NotFound: it is not open to the person."""
    table = app.document_tables.table(table_id)
    back("Volver al expediente", "to-matter", e=table.matter_id)
    heading(table.name, HOW)
    followed(partial(_running, app, table_id), LOOK_SECONDS, partial(_view, app, table_id))
    change, icon = "Cambiar documentos o preguntas", ":material/edit:"
    panel(change, "change-panel", lambda: show_change(app, table), icon=icon)
    if st.button("Eliminar la tabla…", icon=":material/delete:", key="end-table", type="tertiary"):
        said = f"Se elimina «{table.name}» con sus casillas, también para las demás personas."
        confirm("Eliminar la tabla", said, "Eliminar", "end-table", _end, app, table)


def _running(app: Member, table_id: str) -> bool:
    return app.document_tables.table(table_id).state is TableState.RUNNING


def _view(app: Member, table_id: str) -> None:
    table = app.document_tables.table(table_id)
    cells = {(one.document_id, one.question): one for one in app.document_tables.cells(table_id)}
    documents = {one.id: one for one in app.document_tables.documents(table_id)}
    _progress(table, cells, documents)
    _actions(app, table, any(one.state is CellState.FAILED for one in cells.values()))
    rows = part_of(list(table.documents), PAGE_SIZE, "table-page")
    texts = app.document_tables.passages(table_id, rows)
    show(grid_of(table, rows, cells, documents, texts))
    pager(len(table.documents), PAGE_SIZE, "table-page")


def _progress(
    table: DocumentTable, cells: Mapping[tuple[str, str], Cell], documents: Mapping[str, MatterDocument]
) -> None:
    unread = [one for one in table.documents if _unread(documents.get(one))]
    total = (len(table.documents) - len(unread)) * len(table.questions)
    done = sum(one.document_id not in unread for one in cells.values())
    gaps = sum(one.state is CellState.ABSENT for one in cells.values())
    failed = sum(one.state is CellState.FAILED for one in cells.values())
    told = f"{done} de {plural(total, 'casilla', 'casillas')}"
    told += f" · {gaps} no constan" if gaps else ""
    told += f" · {plural(failed, 'fallida', 'fallidas')}: pulse «Continuar»" if failed else ""
    if table.state is TableState.RUNNING:
        st.progress(min(1.0, done / total) if total else 0.0)
    show(badges([STATES[table.state]]), status(told), warning(*filter(None, [table.remark])))


def _unread(document: MatterDocument | None) -> bool:
    """True for a document that gives no cells: it is gone, or cannot be read."""
    return document is None or document.state is DocumentState.FAILED


def _actions(app: Member, table: DocumentTable, failed: bool) -> None:
    with st.container(horizontal=True):
        if table.state is TableState.RUNNING:
            stop = (attempt, "Tabla detenida.", app.document_tables.stop, table.id)
            button("Detener", "stop-table", "stop", *stop)
        elif failed or table.state is TableState.STOPPED:
            button("Continuar", "go-on", "play_arrow", attempt, "", app.document_tables.resume, table.id)
        if st.button("Exportar a Excel…", icon=":material/download:", key="export-table"):
            _hand_out(app, table)


@dialog("Exportar a Excel", "download")
def _hand_out(app: Member, table: DocumentTable) -> None:
    show(note("Una hoja con las respuestas y otra con las citas, la página y las observaciones."))
    name = re.sub(r"[^\w -]", "", table.name).strip() or "tabla"
    download("Descargar", app.document_tables.sheet(table.id), f"{name}.xlsx", XLSX, "sheet-file")


def _end(app: Member, table: DocumentTable) -> None:
    go(e=table.matter_id)
    attempt("Tabla eliminada.", app.document_tables.remove, table.id)


def grid_of(
    table: DocumentTable,
    rows: Sequence[str],
    cells: Mapping[tuple[str, str], Cell],
    documents: Mapping[str, MatterDocument],
    texts: Mapping[tuple[str, int], str],
) -> Html:
    """The table; on a narrow screen each document is a card (`art-review` in articulado.css)."""
    head = each('<th scope="col">{}</th>', ["Documento", *table.questions])
    body = join(_line(table, key, cells, documents, texts) for key in rows)
    return html(
        '<div class="art-scroll" tabindex="0" role="region" aria-label="Tabla de revisión">'
        '<table class="art-table art-review"><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>',
        head,
        body,
    )


def _line(
    table: DocumentTable,
    key: str,
    cells: Mapping[tuple[str, str], Cell],
    documents: Mapping[str, MatterDocument],
    texts: Mapping[tuple[str, int], str],
) -> Html:
    document = documents.get(key)
    told = badges([(GONE.capitalize(), "art-low") if document is None else READING[document.state]])
    if document is not None and document.state is DocumentState.READ:
        told = EMPTY
    found = (
        html(
            '<td><span class="art-column">{}</span>{}</td>',
            question,
            _cell(cells.get((key, question)), document, texts),
        )
        for question in table.questions
    )
    return html('<tr><th scope="row">{}{}</th>{}</tr>', table.documents[key], told, join(found))


def _cell(one: Cell | None, document: MatterDocument | None, texts: Mapping[tuple[str, int], str]) -> Html:
    if one is None:
        return html('<span class="art-gap">{}</span>', "—" if _unread(document) else "…")
    if one.state is not CellState.ANSWERED:
        gap = "no consta" if one.state is CellState.ABSENT else "no se pudo contestar"
        return html('<span class="art-gap">{}</span>{}', gap, note(one.remark) if one.remark else EMPTY)
    text = texts.get((one.document_id, one.fragment))
    span = locate(one.quote, text) if text is not None and document is not None else None
    passage = (
        quoted_html(text, [span]) + page_link(one.document_id, one.fragment, [one.quote], one.page)
        if span is not None and text is not None
        else html(
            '<blockquote class="art-quote">{}</blockquote>{}', one.quote, note("El documento ya no está.")
        )
    )
    page = html(' <span class="art-page">p.\u00a0{}</span>', one.page) if one.page else EMPTY
    stale = document is not None and document.content_hash != one.content_hash
    remarks = [
        one.remark,
        f"El documento dice también: «{one.rival}»" if one.rival else "",
        "El documento ha cambiado desde entonces: pulse «Continuar»." if stale else "",
    ]
    told = list(filter(None, remarks))
    mark = html(' <span class="art-tag art-mid">{}</span>', "léase") if told else EMPTY
    return html(
        "<details><summary>{}{}{}</summary>{}{}</details>",
        shortened(one.answer, SHOWN),
        page,
        mark,
        passage,
        each('<p class="art-note">{}</p>', told),
    )
