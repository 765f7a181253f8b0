"""«Ajustes»: what a person chooses for themselves, in whatever browser they open."""

from domain.accounts import Permission
from pages.parts.common.layout import heading, notice
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member
from pages.parts.settings.form import show_form

INTRO = "Se guardan al elegirlos y valen para usted en cualquier navegador."


with errors_as_sentences():
    app = member(Permission.ASK)
    notice()
    heading("Ajustes", INTRO)
    show_form(app)
