"""A review table as an XLSX file: the answers with their page, and every quotation on a sheet of its own."""

from collections.abc import Collection, Iterable

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Font

from domain.document_tables import Cell, CellState, DocumentTable
from loading.formats.encoding import clean
from service.opinions.sheets import cell_text, head, put, saved

NARROW, USUAL, WIDE = 12, 32, 60
ABSENT, EMPTY, FAILED = "no consta", "sin contestar", "no se pudo contestar"
GONE = "eliminado del expediente"
MODES = {"model": "modelo, cita comprobada", "offline": "sin modelo, frase del documento"}
CITED = ("Documento", "Pregunta", "Respuesta", "Cita literal", "Página", "Cómo", "Observaciones")


def workbook(table: DocumentTable, cells: Iterable[Cell], there: Collection[str]) -> bytes:
    """The file. `there`: ids of the documents that are still in the expediente."""
    known = {(one.document_id, one.question): one for one in cells}
    book = Workbook()
    book.properties.title, book.properties.creator = clean(table.name), "Articulado"
    answers = book.create_sheet("Tabla", 0)
    head(answers, ["Documento", *table.questions], [USUAL] * (len(table.questions) + 1))
    for row, (document_id, name) in enumerate(table.documents.items(), start=2):
        put(answers, row, 1, named(name, document_id in there)).font = Font(bold=True)
        for column, question in enumerate(table.questions, start=2):
            one = known.get((document_id, question))
            shown = put(answers, row, column, answer_of(one))
            if one is not None and one.quote:
                shown.comment = Comment(cell_text(_cited(one)), "Articulado", height=160, width=320)
    answers.freeze_panes = "B2"
    quotations = book.create_sheet("Citas", 1)
    head(quotations, CITED, (USUAL, USUAL, USUAL, WIDE, NARROW, USUAL, USUAL))
    row = 2
    for document_id, name in table.documents.items():
        for question in table.questions:
            one = known.get((document_id, question))
            line = (
                named(name, document_id in there),
                question,
                answer_of(one, page=False),
                one.quote if one else "",
                str(one.page or "") if one else "",
                MODES.get(one.mode, one.mode) if one else "",
                remarks_of(one) if one else "",
            )
            for column, text in enumerate(line, start=1):
                put(quotations, row, column, text)
            row += 1
    quotations.freeze_panes = "A2"
    quotations.auto_filter.ref = quotations.dimensions
    for name in book.sheetnames:
        if name not in ("Tabla", "Citas"):
            del book[name]
    return saved(book)


def named(name: str, is_there: bool) -> str:
    """The name of a document, and that it is gone if it is."""
    return name if is_there else f"{name} ({GONE})"


def answer_of(one: Cell | None, *, page: bool = True) -> str:
    """Text of a cell, with its page: '10 de octubre de 2025 (p. 2)', or that nothing does."""
    if one is None:
        return EMPTY
    if one.state is CellState.FAILED:
        return FAILED
    if one.state is CellState.ABSENT:
        return ABSENT
    return f"{one.answer} (p. {one.page})" if page and one.page else one.answer


def remarks_of(one: Cell) -> str:
    """Remarks about a cell."""
    rival = f"El documento dice también: «{one.rival}»" if one.rival else ""
    return " ".join(filter(None, (one.remark, rival)))


def _cited(one: Cell) -> str:
    page = f" (p. {one.page})" if one.page else ""
    return f"«{one.quote}»{page} {remarks_of(one)}".strip()
