"""«Registro»: the log of actions, and the use of the models."""

from domain.accounts import Permission
from pages.parts.audit.entries import show_entries
from pages.parts.audit.models import show_models
from pages.parts.common.detail import opened
from pages.parts.common.layout import heading
from pages.parts.common.widgets import tabs

INTRO = (
    "Quién hizo qué y cuándo, sin el texto de las preguntas. Cada entrada va encadenada a la anterior: si "
    "alguien cambia o quita una, la verificación lo descubre."
)


with opened(Permission.AUDIT) as app:
    heading("Registro", INTRO, wide=True)
    views = {
        "Actividad": lambda: show_entries(app),
        "Modelos": lambda: show_models(app),
    }
    tabs(views, "audit-tab")
