"""The facts sheet of an expediente: each fact with its source, contradictions, and its correction."""

import streamlit as st

from casework.matters.case_facts import CaseFact
from casework.matters.fact_values import LONGEST, UNITS
from pages.parts.common.case_facts import source_of
from pages.parts.common.confirm import dialog
from pages.parts.common.html import EMPTY, Html, badges, each, html, show, warning
from pages.parts.common.layout import section
from pages.parts.common.listing import row
from pages.parts.common.page import attempt, errors_as_sentences
from pages.parts.common.render import label_text
from pages.parts.common.widgets import choose, named
from pages.parts.common.words import dotted
from service.members.facts import FactRequest
from service.members.member import Member
from text.textnorm import encodable

ABOUT = (
    "Lo que dicen los documentos, con la frase de cada dato. Lo que usted corrija cuenta antes; de aquí lo "
    "toman «Calcular» y los modelos de escrito."
)
EMPTY_SAYS = "En blanco si no consta"
DIFFER, GIVEN = ("No coinciden", "art-mid"), ("Corregido", "art-high")


@errors_as_sentences()
def show_facts(app: Member, matter_id: str) -> None:
    """The sheet. Raises NotFound: the expediente is not open to the person."""
    section("Hechos", ABOUT)
    sheet = app.facts.sheet(matter_id)
    show(warning(*sheet.problems))
    with st.container(key="facts", gap="small"):
        for one in sheet.facts:
            with row(f"fact-{one.key}", told_fact(one)):
                if st.button("Corregir…", key=f"correct-{one.key}", icon=":material/edit:", type="tertiary"):
                    _correct(app, matter_id, one)


def told_fact(one: CaseFact) -> Html:
    """Its name, value and marks, and where it stands, with the sentences that tell it folded."""
    sources = [source for source in (one, *one.others) if source.value or source.by]
    quoted = (html(": «{}»", source.sentence) if source.sentence else EMPTY for source in sources)
    told = ((source.shown, source_of(source), quote) for source, quote in zip(sources, quoted, strict=True))
    rows = each('<p class="art-note"><b>{}</b> · {}{}</p>', told)
    also = ", ".join(other.shown for other in one.others)
    where = dotted(source_of(one), f"también consta: {also}" if also else "")
    folded = html("<details><summary>{}</summary>{}</details>", where, rows) if sources else EMPTY
    marks = badges([GIVEN] if one.by else [DIFFER] if also else [])
    return html(
        '<div class="art-fact"><b>{}</b><span>{}{}</span>{}</div>', one.label, one.shown, marks, folded
    )


@dialog("Corregir un dato", "edit")
def _correct(app: Member, matter_id: str, one: CaseFact) -> None:
    key = f"given-{matter_id}-{one.key}"
    st.text_input(one.label, one.value, max_chars=LONGEST, key=key, placeholder=EMPTY_SAYS)
    if units := UNITS.get(one.kind, ()):
        first = sorted(units, key=lambda unit: unit != one.unit)
        choose(None, "Por cada", named(first), f"{key}-unit", keep=False)
    done = [
        st.button(
            label_text(f"Tomar {other.shown} ({source_of(other)})"),
            key=f"{key}-{place}",
            icon=":material/check:",
            on_click=_give,
            args=(app, matter_id, one.key, other.value, other.unit),
        )
        for place, other in enumerate(one.others)
    ]
    with st.container(horizontal=True):
        saved = (app, matter_id, one.key, key)
        done.append(st.button("Guardar", key=f"{key}-save", type="primary", on_click=_save, args=saved))
        if one.by:
            taken = ("Corrección retirada.", app.facts.correct, matter_id, one.key, FactRequest())
            done.append(st.button("Retirar la corrección", key=f"{key}-back", on_click=attempt, args=taken))
    if any(done):
        st.rerun()


def _give(app: Member, matter_id: str, fact: str, value: str, unit: str) -> None:
    attempt("Dato guardado.", app.facts.correct, matter_id, fact, FactRequest(value=value, unit=unit))


def _save(app: Member, matter_id: str, fact: str, key: str) -> None:
    _give(app, matter_id, fact, encodable(st.session_state[key]), st.session_state.get(f"{key}-unit", ""))
