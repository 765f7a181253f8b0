"""The form for a verdict: kind, articles that answer, notes."""

from typing import Any, NamedTuple

import streamlit as st

from core.errors import InputError
from domain.reviews import MAX_NOTES, ReviewItem, ReviewVerdict
from law.norms import Norm
from pages.parts.answer.answer import date_of
from pages.parts.common.html import html, note, show, titled, warning
from pages.parts.common.layout import tell
from pages.parts.common.page import errors_as_toasts
from pages.parts.common.render import label_text
from pages.parts.common.widgets import button, choose, choose_day
from pages.parts.common.words import OLDEST, YEARS_AHEAD, article, day, norms_by_label, today
from pages.parts.review.words import GRADES, MEANINGS, VERDICTS
from rag.evaluation.labelled_articles import sources
from rag.evaluation.reviewed_cases import CorrectCitation, Wanted
from service.members.member import Member
from service.review_cases import ANSWERS, cited, named_articles

EMPTY = {"verdict": None, "must-refuse": False, "articles": "", "notes": ""}
DIRECT = {"": "No es de sí o no", "sí": "Sí", "no": "No"}
LINES = {"facts": "Lo que debe decir (uno por línea)", "forbidden": "Lo que no debe decir (uno por línea)"}
UNREAD = (
    "No se reconoce ningún artículo en «{said}»: corríjalo o bórrelo, y vuelva a guardar. No se ha guardado "
    "nada."
)
Key = tuple[str, str]
Picks = dict[Key, int]
"""Chosen articles: (norm, label) to grade."""


class Draft(NamedTuple):
    """A verdict that is being written; `conditions`: True if those of a right answer are asked for."""

    verdict: ReviewVerdict
    must_refuse: bool
    picks: Picks
    conditions: bool


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
        conditions = not must_refuse and not right
        if conditions:
            _ask_conditions(item, norms)
        st.text_area(
            "Notas (opcional)",
            max_chars=MAX_NOTES,
            key=f"notes-{message_id}",
            height=90,
            placeholder="Qué falla y por qué.",
        )
        call = (_save, app, item, norms, Draft(verdict, must_refuse, picks, conditions))
        button("Guardar veredicto", "save-verdict", "", *call, type="primary")


def _ask_conditions(item: ReviewItem, norms: list[Norm]) -> None:
    """Fields for what the answer lacks and has too much, as the standing verdict filled them."""
    message_id, by_label = item.answer.id, norms_by_label(norms)
    before = item.standing.wanted if item.standing else Wanted()
    shown = _cited(item, norms)
    first = {
        "facts": "\n".join(before.facts),
        "forbidden": "\n".join(before.forbidden),
        "surplus": [key for key in shown if shown[key] in before.surplus],
        "direct": before.yes_no or "",
    }
    for name, value in first.items():
        st.session_state.setdefault(f"{name}-{message_id}", value)
    examples = ("33 días de salario por año", "45 días por año")
    for where, (name, label), example in zip(st.columns(2), LINES.items(), examples, strict=True):
        where.text_area(label, key=f"{name}-{message_id}", height=90, placeholder=example)
    st.multiselect(
        "Citas que sobran",
        list(shown),
        format_func=lambda key: label_text(article(key[0], key[1], by_label)),
        key=f"surplus-{message_id}",
        placeholder="De las que trae la respuesta",
    )
    left, right = st.columns(2)
    choose(left, "Respuesta directa", DIRECT, f"direct-{message_id}")
    limits = {"min_value": OLDEST, "max_value": today() + YEARS_AHEAD}
    choose_day(right, "Normativa que debía aplicar", before.day, f"day-{message_id}", **limits)


def _conditions(item: ReviewItem, norms: list[Norm]) -> Wanted:
    """The conditions as they are written now."""
    state, message_id, shown = st.session_state, item.answer.id, _cited(item, norms)
    return Wanted.model_validate(
        {name: state[f"{name}-{message_id}"].splitlines() for name in LINES}
        | {"surplus": [shown[key] for key in state[f"surplus-{message_id}"]]}
        | {"yes_no": state[f"direct-{message_id}"] or None, "day": state[f"day-{message_id}"]}
    )


def _cited(item: ReviewItem, norms: list[Norm]) -> dict[Key, CorrectCitation]:
    answer = item.answer.answer
    return {(one.norm, one.article): one for one in cited(answer, sources(norms))} if answer else {}


def _articles(app: Member, item: ReviewItem, norms: list[Norm], *, optional: bool) -> Picks:
    """The articles that answer, which the reviewer names."""
    message_id = item.answer.id
    last = item.standing.citations if item.standing else ()
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
        look: dict[str, Any] = {"label_visibility": "collapsed", "width": 150}
        picks[key] = choose(None, "Papel", GRADES, f"grade-{widget}", keep=False, start=picks[key], **look)
        button("Quitar", f"remove-{widget}", "", picks.pop, key, None, type="tertiary")


def _add(picks: Picks, keys: list[Key]) -> None:
    for key in keys:
        picks.setdefault(key, 2)


def _save(app: Member, item: ReviewItem, norms: list[Norm], draft: Draft) -> None:
    """Keep the verdict with the articles that were chosen, and those that were only typed."""
    state, message_id = st.session_state, item.answer.id
    with errors_as_toasts():
        said = "" if draft.must_refuse else state.get(f"articles-{message_id}", "").strip()
        typed = named_articles(said, app.catalogue(), app.corpus, date_of(item.answer)) if said else []
        if said and not typed:
            raise InputError(UNREAD.format(said=said))
        labels = sources(norms)
        chosen = {(labels.get(one.norm_id, one.norm_id), one.label): ANSWERS for one in typed} | draft.picks
        app.reviews.judge(
            message_id,
            draft.verdict,
            citations=[CorrectCitation(norm=n, article=label, grade=g) for (n, label), g in chosen.items()],
            must_refuse=draft.must_refuse,
            notes=state[f"notes-{message_id}"],
            wanted=_conditions(item, norms) if draft.conditions else Wanted(),
            seen=item.judgments[0].id if item.judgments else 0,
        )
        for name, empty in EMPTY.items():
            state[f"{name}-{message_id}"] = empty
        for name in ("picks", "surplus", "direct", "day", *LINES):
            state.pop(f"{name}-{message_id}", None)
        tell("Veredicto guardado.")
