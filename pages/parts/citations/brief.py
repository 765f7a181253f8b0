"""The brief: pasted or uploaded, and the day of the law that is held against it."""

from datetime import date
from typing import NamedTuple

import streamlit as st

from casework.briefs.findings import CitationReport
from core.errors import InputError
from pages.parts.citations.word import word_report
from pages.parts.common.case_facts import choose_matter
from pages.parts.common.page import queue_told
from pages.parts.common.widgets import choose_day, named, segments
from pages.parts.common.words import today
from service.contract.citations import MOST_BYTES, PASTED, CitationsRequest, within
from service.contract.files import FileDocument
from service.members.member import Member
from text.textnorm import encodable

TEXT, FILE = "Texto pegado", "Archivo"
RESULT = "citations-result"
ACCEPTED = ["pdf", "docx", "odt", "txt", "md", "html", "htm"]
FIRST_DAY, LAST_YEARS = date(1900, 1, 1), 5
NO_MATTER = "Ningún expediente"
NO_DAY = "Elija la fecha de la ley con la que se compara."


class Checked(NamedTuple):
    """A brief and what the check of it gave, also as a Word document. It lives in the session alone.

    Attributes:
        returned: the brief's own Word file with comments; None for other formats.
        problem: why a Word file cannot have them.
    """

    text: str
    report: CitationReport
    word: bytes
    returned: FileDocument | None = None
    problem: str = ""


def show_brief(app: Member) -> Checked | None:
    """The form; what was checked last in this session, or None."""
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    way = segments(left, "El escrito", named((TEXT, FILE)), "citations-way")
    last = today().replace(month=12, day=31, year=today().year + LAST_YEARS)
    day = choose_day(right, "Ley vigente el", today(), "citations-day", min_value=FIRST_DAY, max_value=last)
    name, text, contents = "", "", None
    if way == TEXT:
        text = st.text_area(
            "Texto del escrito",
            height=240,
            placeholder="Al amparo del art. 59.3 ET, que dispone que «…»",
            key="citations-text",
        )
    else:
        file = st.file_uploader(
            "Archivo del escrito",
            type=ACCEPTED,
            max_upload_size=MOST_BYTES // 1_000_000,
            key="citations-file",
        )
        name, contents = (file.name, file.getvalue()) if file else ("", None)
    matter = choose_matter(app, "Sentencias aportadas en", NO_MATTER, "citations-matter")
    # While a file is on its way there is nothing to check.
    waiting = way != TEXT and contents is None
    icon = ":material/fact_check:"
    if st.button("Comprobar", type="primary", icon=icon, key="citations-check", disabled=waiting):
        # What was shown before must not pass for the result of what cannot be read.
        st.session_state.pop(RESULT, None)
        if day is None:
            raise InputError(NO_DAY)
        with st.spinner("Comprobando las citas…"):
            if contents is not None:
                text = app.law.brief(name, contents)
            text_read = within(encodable(text), name or PASTED)
            request = CitationsRequest(text=text_read, as_of=day, matter=matter)
            report = app.law.citations(request, tell=queue_told())
            # Here and not where they are offered: writing them takes longer than drawing the page.
            back = _returned(app, name, contents, report)
            st.session_state[RESULT] = Checked(text, report, word_report(name, report), *back)
    kept: Checked | None = st.session_state.get(RESULT)
    return kept


def _returned(
    app: Member, name: str, contents: bytes | None, report: CitationReport
) -> tuple[FileDocument | None, str]:
    if contents is None or not name.lower().endswith(".docx"):
        return None, ""
    try:
        return app.law.in_margin(name, contents, report), ""
    except InputError as error:
        return None, str(error)
