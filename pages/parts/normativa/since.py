"""«Rige desde»: the first day of a new wording, or that the text only corrects the one that is stored."""

from collections.abc import Mapping
from datetime import date, timedelta

import streamlit as st

from law.agreement_names import RANK as AGREEMENT
from loading.formats.norm_facts import CONSTITUTION, RANKS
from loading.ingestion.preview import Preview
from pages.parts.common.html import note, show
from pages.parts.common.widgets import choose, choose_day, named, segments
from pages.parts.common.words import OLDEST, YEARS_AHEAD, day, today

NEW, CORRECTED = "new", "corrected"
WAYS = {NEW: "Redacción nueva", CORRECTED: "Corrección"}
TOLD = {
    NEW: "La redacción guardada rige hasta la víspera, y es la que usan las consultas de una fecha anterior.",
    CORRECTED: "El texto guardado se sustituye: deja de estar disponible para cualquier fecha.",
}


def show_since(result: Preview, key: str) -> Mapping[str, date | None]:
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


def show_lacking(result: Preview, key: str) -> Mapping[str, str]:
    """The questions for what a new document does not tell, by field; a law must have its day."""
    left, right = st.columns(2, vertical_alignment="bottom")
    given: dict[str, str] = {}
    if result.lacks_day:
        label = "Rige desde" if result.must_be_dated else "Fecha"
        limits = {"min_value": _earliest(None), "max_value": today() + YEARS_AHEAD}
        if first := choose_day(left, label, None, key, **limits):
            given["valid_from"] = first.isoformat()
    if result.lacks_rank:
        own = result.norm.rank
        ranks = {own: own or "Sin rango"} | named((CONSTITUTION, *RANKS, AGREEMENT))
        rank = choose(right if result.lacks_day else left, "Rango", ranks, f"{key}-rank")
        if rank != own:
            given["rank"] = rank
    return given


def _earliest(after: date | None) -> date:
    return after + timedelta(days=1) if after else OLDEST.replace(year=1800)
