"""Cases made from reviewed answers: their expectations, removal, and export as a file."""

from law.norms import Norm
from pages.parts.common.html import note, show, titled
from pages.parts.common.listing import row
from pages.parts.common.page import attempt
from pages.parts.common.widgets import button, download
from pages.parts.common.words import norms_by_label
from pages.parts.review.words import expected_line
from rag.evaluation.reviewed_cases import ReviewCase, as_lines
from service.members.member import Member

NO_CASES = (
    "Todavía no hay casos: salen de las respuestas revisadas, con el botón «Convertir en caso de evaluación»."
)
COPIES = (
    "La página Evaluación los ofrece como «Casos de revisión». Son copias: siguen aquí aunque se elimine la "
    "conversación de la que salieron."
)


def show_cases(app: Member) -> None:
    """The cases, the newest first, and a button to download them."""
    cases = app.reviews.cases()
    if not cases:
        show(note(NO_CASES))
        return
    show(note(COPIES))
    name, record = "articulado-casos-de-revision.jsonl", (app.exported, "cases", len(cases))
    download("Descargar (JSONL)", as_lines(cases), name, "application/jsonl", "download-cases", record=record)
    norms = norms_by_label(app.corpus.norms())
    for case in reversed(cases):
        _show_case(app, case, norms)


def _show_case(app: Member, case: ReviewCase, norms: dict[str, Norm]) -> None:
    told = titled(case.question), note(expected_line(case, norms))
    with row(f"case-{case.id}", *told, beside=0.2, border=True):
        button("Quitar", f"drop-{case.id}", "", drop_case, app, case.id, width="stretch")


def drop_case(app: Member, case_id: str) -> None:
    """Remove a case from the set; a callback of a button."""
    attempt("Caso quitado del conjunto.", app.reviews.remove_case, case_id)
