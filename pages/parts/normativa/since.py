"""«Rige desde»: the first day of a new wording, or that the text only corrects the one that is stored."""

from datetime import date, timedelta

import streamlit as st

from law.decisions import LAW
from loading.ingestion.intake import Wordings
from loading.ingestion.preview import Preview
from pages.parts.common.html import note, show
from pages.parts.common.widgets import choose_day, segments
from pages.parts.common.words import OLDEST, YEARS_AHEAD, day, today

NEW, CORRECTED = "new", "corrected"
WAYS = {NEW: "Redacción nueva", CORRECTED: "Corrección"}
TOLD = {
    NEW: "La redacción guardada rige hasta la víspera, y es la que usan las consultas de una fecha anterior.",
    CORRECTED: "El texto guardado se sustituye: deja de estar disponible para cualquier fecha.",
}


def show_since(result: Preview, key: str) -> Wordings:
    """The question, with the day that the document suggests; nothing while its answer is missing."""
    left, right = st.columns(2, vertical_alignment="bottom")
    way = segments(left, "Qué es este texto", WAYS, f"{key}-way")
    since: date | None = None
    if way == NEW:
        limits = {"min_value": _earliest(result.after), "max_value": today() + YEARS_AHEAD}
        since = choose_day(right, "Rige desde", result.proposed, key, **limits)
    stored = f" La guardada rige desde el {day(result.after)}." if result.after and way == NEW else ""
    show(note(TOLD[way] + stored))
    return {result.norm.id: since} if since or way == CORRECTED else {}


def show_first_day(result: Preview, key: str) -> Wordings:
    """The question for the day of a new document that tells none, which may stay without an answer."""
    label = "Rige desde" if result.norm.collection == LAW else "Fecha"
    limits = {"min_value": _earliest(None), "max_value": today() + YEARS_AHEAD}
    first = choose_day(None, label, None, key, **limits)
    return {result.norm.id: first} if first else {}


def _earliest(after: date | None) -> date:
    return after + timedelta(days=1) if after else OLDEST.replace(year=1800)
