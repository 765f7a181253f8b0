"""«Novedades»: what has changed in the law that touches the person, and what they watch."""

from domain.accounts import Permission
from pages.parts.common.layout import heading, notice
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member
from pages.parts.common.terms import show_terms
from pages.parts.common.widgets import tabs
from pages.parts.news.listed import show_news
from pages.parts.news.telling import show_problem, show_telling
from pages.parts.news.watches import show_watches

INTRO = "Qué ha cambiado en la normativa, y qué de lo suyo se apoya en ello."

with errors_as_sentences():
    app = member(Permission.ASK)
    heading("Novedades", INTRO)
    notice()
    show_problem(app)
    views = {"Cambios": lambda: show_news(app), "Lo que vigilo": lambda: show_watches(app)}
    views["Plazos"] = lambda: show_terms(app)
    if app.watches.can_mail:
        views["Avisos por correo"] = lambda: show_telling(app)
    tabs(views, "news-tab")
