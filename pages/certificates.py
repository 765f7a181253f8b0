"""«Comprobar certificado»: whether this installation signed one, and whether a document names it."""

from domain.accounts import Permission
from pages.parts.certificates.check import show_check
from pages.parts.common.layout import heading
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member

INTRO = (
    "Suba un certificado de fuentes y, si lo tiene, el documento que lo acompaña. Se comprueba que lo firmó "
    "esta instalación y que nadie lo ha cambiado. Ninguno de los dos archivos se guarda."
)

with errors_as_sentences():
    app = member(Permission.READ)
    heading("Comprobar certificado", INTRO)
    show_check(app)
