"""Page «Plantillas»: Word templates of the firm for opinions."""

from domain.accounts import Permission
from pages.parts.common.layout import heading
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member
from pages.parts.letterheads.listed import show_letterheads

INTRO = (
    "Un documento de Word del despacho, con su membrete y sus estilos, en el que se pone cada dictamen. "
    "Quien prepara un dictamen elige una de las plantillas que haya aquí, o ninguna."
)

with errors_as_sentences():
    app = member(Permission.ACCOUNTS)
    heading("Plantillas de dictamen", INTRO)
    show_letterheads(app)
