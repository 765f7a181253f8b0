"""«Consumo»: the questions asked, and the use of the models with its cost."""

from domain.accounts import Permission
from pages.parts.common.layout import heading
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member
from pages.parts.usage.report import show_usage

INTRO = "Cuánto se pregunta y, con modelo de lenguaje, cuántas llamadas y tokens se gastan y qué cuestan."


with errors_as_sentences():
    app = member(Permission.AUDIT)
    heading("Consumo", INTRO, wide=True)
    show_usage(app)
