"""«Pruebe una pregunta»: where the documents of a finished job rank for a question, without a chat model."""

import streamlit as st

from loading.records.jobs import Job
from pages.parts.common.html import EMPTY, Html, html, note, show, table, warning
from pages.parts.common.references import article_links
from pages.parts.common.words import day, number, plural
from rag.evaluation.trial import Result, Trial
from service.members.member import Member

LONGEST = 1000
UNMADE = "Sus vectores aún se están calculando: mientras tanto se busca solo por las palabras."


def show_trial(app: Member, job: Job) -> None:
    """A box for a question, and the results of the last one."""
    kept = f"trial-{job.id}"
    with st.form(f"trial-form-{job.id}", border=False):
        question = st.text_input(
            "Pregunta",
            placeholder="Una pregunta que deba responderse con lo que se ha cargado",
            max_chars=LONGEST,
            key=f"trial-question-{job.id}",
        )
        asked = st.form_submit_button("Buscar", icon=":material/search:")
    if asked:
        st.session_state.pop(kept, None)
        with st.spinner("Buscando…"):
            st.session_state[kept] = app.jobs.try_question(job.id, question)
    found: Trial | None = st.session_state.get(kept)
    if found is None:
        show(note("Se busca como en una consulta, sin pedir nada a un modelo de redacción."))
        return
    show(_verdict(found), warning(UNMADE) if app.background.to_embed else EMPTY, _table(found))
    article_links((one.chunk for one in found.results if one.own), f"trial-links-{job.id}")


def _verdict(found: Trial) -> Html:
    count = plural(found.count, "artículo encontrado", "artículos encontrados")
    asked = f"«{found.question}», con la normativa vigente el {day(found.as_of)}"
    if found.best is None:
        told = f"Lo cargado no está entre los {count}: pruebe con las palabras del documento."
        return html('<p class="art-row"><b>{}</b></p>', told) + note(asked)
    best = found.best
    place = f"{best.chunk.name} queda en el puesto {number(best.place)} de {count}"
    use = (
        ", y la respuesta se escribiría con él." if best.kept else ", pero fuera de los que usa la respuesta."
    )
    return html('<p class="art-row"><b>{}</b>{}</p>', place, use) + note(asked)


def _table(found: Trial) -> Html:
    rows = [(str(one.place), one.chunk.name, _what(one)) for one in found.results]
    return table(("Puesto", "Artículo", ""), rows, numeric=(0,))


def _what(one: Result) -> str:
    told = ("de esta carga" if one.own else "", "en la respuesta" if one.kept else "")
    return ", ".join(filter(None, told))
