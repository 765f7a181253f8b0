"""The form for a verdict: kind, articles that answer, notes."""

import streamlit as st

from domain.reviews import MAX_NOTES, ReviewItem, ReviewVerdict
from law.norms import Norm
from pages.parts.answer.answer import date_of
from pages.parts.common.html import html, note, show, titled, warning
from pages.parts.common.layout import tell
from pages.parts.common.page import errors_as_toasts
from pages.parts.common.render import label_text
from pages.parts.common.widgets import button
from pages.parts.common.words import article, day, norms_by_label
from pages.parts.review.words import GRADES, MEANINGS, VERDICTS
from rag.evaluation.labelled_articles import sources
from rag.evaluation.reviewed_cases import CorrectCitation
from service.members.member import Member
from service.review_cases import cited, named_articles

EMPTY = {"verdict": None, "must-refuse": False, "articles": "", "notes": ""}
Key = tuple[str, str]
Picks = dict[Key, int]
"""Chosen articles: (norm, label) to grade."""


def show_form(app: Member, item: ReviewItem, norms: list[Norm]) -> None:
    """The form; the rest of it appears once a verdict is chosen."""
    message_id = item.answer.id
    with st.container(border=True, key="verdict-form"):
        verdict = st.pills(
            "Su veredicto", list(VERDICTS), format_func=VERDICTS.__getitem__, key=f"verdict-{message_id}"
        )
        if verdict is None:
            return
        show(note(MEANINGS[verdict]))
        refused = bool(item.answer.answer and item.answer.answer.refusal)
        right = verdict is ReviewVerdict.CORRECT
        label = "Debía rechazarse: el corpus no permite responder"
        must_refuse = refused if right else st.checkbox(label, key=f"must-refuse-{message_id}")
        picks: Picks = {} if must_refuse else _articles(app, item, norms, optional=right)
        st.text_area(
            "Notas (opcional)",
            max_chars=MAX_NOTES,
            key=f"notes-{message_id}",
            height=90,
            placeholder="Qué falla y por qué.",
        )
        call = (_save, app, message_id, verdict, must_refuse, picks)
        button("Guardar veredicto", "save-verdict", "", *call, type="primary")


def _articles(app: Member, item: ReviewItem, norms: list[Norm], *, optional: bool) -> Picks:
    """The articles that answer, which the reviewer names."""
    message_id = item.answer.id
    last = item.judgments[0].citations if item.judgments else ()
    picks: Picks = st.session_state.setdefault(
        f"picks-{message_id}", {(one.norm, one.article): one.grade for one in last}
    )
    labels = sources(norms)
    by_label = norms_by_label(norms)
    said = st.text_input(
        "Artículos que responden" + (" (opcional)" if optional else ""),
        key=f"articles-{message_id}",
        placeholder="art. 38 ET · disposición adicional 3.ª de la LGSS",
        help="Nómbrelos como en un escrito y pulse Intro. Se buscan en la redacción vigente en la fecha de "
        "la respuesta.",
    )
    if said.strip():
        _offer(app, item, said, picks, labels)
    answer = item.answer.answer
    named = [one for one in cited(answer, labels) if (one.norm, one.article) not in picks] if answer else []
    if named:
        keys = [(one.norm, one.article) for one in named]
        what = ", ".join(article(*key, by_label) for key in keys)
        label = label_text(f"Añadir los que cita la respuesta: {what}")
        button(label, "add-cited", "playlist_add", _add, picks, keys, type="tertiary", wrap=True)
    for key in list(picks):
        _pick(picks, key, article(*key, by_label), message_id)
    if optional and not picks:
        show(note("Si no indica ninguno, valen los que cita la respuesta."))
    return picks


def _offer(app: Member, item: ReviewItem, said: str, picks: Picks, labels: dict[str, str]) -> None:
    as_of = date_of(item.answer)
    found = named_articles(said, app.catalogue(), app.corpus, as_of)
    if not found:
        told = (
            f"El corpus no tiene ese artículo en vigor el {day(as_of)}: escriba su número y su norma, por "
            "ejemplo «art. 38 ET»."
        )
        show(warning(told))
    for chunk in found:
        key = (labels.get(chunk.norm_id, chunk.norm_id), chunk.label)
        heading = chunk.section.partition(". ")[2]
        with st.container(
            horizontal=True, vertical_alignment="center", key=f"found-{chunk.norm_id}-{chunk.label}"
        ):
            show(titled(chunk.name, f" {heading}"))
            done = key in picks
            name = f"add-{chunk.norm_id}-{chunk.label}"
            button("Añadido" if done else "Añadir", name, "", _add, picks, [key], disabled=done)


def _pick(picks: Picks, key: Key, name: str, message_id: int) -> None:
    widget = f"{message_id}-{key[0]}-{key[1]}"
    with st.container(horizontal=True, vertical_alignment="center", key=f"pick-{widget}"):
        show(html('<p class="art-row">{}</p>', name))
        picks[key] = st.selectbox(
            "Papel",
            list(GRADES),
            index=list(GRADES).index(picks[key]),
            format_func=GRADES.__getitem__,
            key=f"grade-{widget}",
            label_visibility="collapsed",
            width=150,
        )
        button("Quitar", f"remove-{widget}", "", picks.pop, key, None, type="tertiary")


def _add(picks: Picks, keys: list[Key]) -> None:
    for key in keys:
        picks.setdefault(key, 2)


def _save(app: Member, message_id: int, verdict: ReviewVerdict, must_refuse: bool, picks: Picks) -> None:
    state = st.session_state
    citations = [
        CorrectCitation(norm=norm, article=label, grade=grade) for (norm, label), grade in picks.items()
    ]
    with errors_as_toasts():
        app.reviews.judge(
            message_id,
            verdict,
            citations=citations,
            must_refuse=must_refuse,
            notes=state[f"notes-{message_id}"],
        )
        for name, empty in EMPTY.items():
            state[f"{name}-{message_id}"] = empty
        state.pop(f"picks-{message_id}", None)
        tell("Veredicto guardado.")
