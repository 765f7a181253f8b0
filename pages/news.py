"""«Novedades»: what has changed in the law that touches the person, and what they watch."""

from domain.accounts import Permission
from pages.parts.common.detail import opened
from pages.parts.common.layout import heading
from pages.parts.common.terms import show_terms
from pages.parts.common.widgets import tabs
from pages.parts.news.listed import show_news
from pages.parts.news.telling import show_problem, show_telling
from pages.parts.news.watches import show_watches

INTRO = "Qué ha cambiado en la normativa, y qué de lo suyo se apoya en ello."

with opened(Permission.ASK) as app:
    heading("Novedades", INTRO)
    show_problem(app)
    views = {"Cambios": lambda: show_news(app), "Lo que vigilo": lambda: show_watches(app)}
    views["Plazos"] = lambda: show_terms(app)
    if app.watches.can_mail:
        views["Avisos por correo"] = lambda: show_telling(app)
    tabs(views, "news-tab")
