"""«Comprobar citas»: a brief pasted or uploaded, and the state of each of its citations on a day."""

from domain.accounts import Permission
from pages.parts.citations.brief import show_brief
from pages.parts.citations.report import show_report
from pages.parts.common.layout import heading
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member

INTRO = (
    "Pegue o suba un escrito: cada norma, artículo, cita literal y sentencia se compara con la normativa "
    "cargada en la fecha que elija. El escrito no se guarda."
)

with errors_as_sentences():
    app = member(Permission.READ)
    heading("Comprobar citas", INTRO)
    checked = show_brief(app)
    if checked is not None:
        show_report(app, checked)
