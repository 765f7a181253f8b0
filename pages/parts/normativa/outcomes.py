"""Outcome of a job: its files, the way to undo it, and a question put to what it loaded."""

from collections.abc import Iterable, Sequence
from functools import partial

import streamlit as st

from core.errors import ArticuladoError
from law.changes import Fate
from loading.boe.boe_norms import entries
from loading.records.jobs import FROM_BOE, ChangedArticle, FileOutcome, Job, JobState, OutcomeState
from pages.parts.common.html import (
    EMPTY,
    Html,
    badges,
    html,
    join,
    listed,
    note,
    problem,
    show,
    table,
    warning,
)
from pages.parts.common.layout import link, tell
from pages.parts.common.references import article_links
from pages.parts.common.widgets import button, panel
from pages.parts.common.words import day, dotted, number, plural
from pages.parts.normativa.words import FATES, OUTCOMES, counts_line
from rag.evaluation.trial import Result, Trial
from service.members.member import Member

SHOWN = 100
UNTOLD = "No se pudo cargar; vuelva a intentarlo."
ASKED = "undo-asked"
GOES = "Se elimina, porque no estaba antes:"
RETURNS = "Vuelve a como estaba antes:"
COMES_BACK = "La próxima actualización desde el BOE volverá a traer el texto que ahora se retira."
LONGEST = 1000
UNMADE = "Sus vectores aún se están calculando: mientras tanto se busca solo por las palabras."


def show_outcomes(app: Member, job: Job) -> None:
    """Each result with its reason, its changes and a link to the document."""
    show(problem(*_failed(job.failures[:SHOWN])))
    _tell_rest(job.failures)
    others = [one for one in job.outcomes if one.state is not OutcomeState.FAILED]
    if not others:
        return
    others.sort(key=lambda one: not one.articles)
    label = plural(len(others), "archivo tratado", "archivos tratados")
    if not job.payload.files:
        label = plural(len(others), "norma tratada", "normas tratadas")
    shown = partial(_show_others, app, others, undone=job.state is JobState.UNDONE)
    panel(label, f"outcomes-{job.id}", shown, expanded=len(others) == 1)


def _show_others(app: Member, others: Sequence[FileOutcome], *, undone: bool) -> None:
    with st.container(gap="xsmall"):
        for outcome in others[:SHOWN]:
            _outcome(app, outcome, undone=undone)
        _tell_rest(others)


def _tell_rest(outcomes: Sequence[FileOutcome]) -> None:
    if len(outcomes) > SHOWN:
        show(note(f"Se muestran {SHOWN} de {len(outcomes)}."))


def _failed(outcomes: Iterable[FileOutcome]) -> list[str]:
    """A line for each reason, after the files or titles of norms that failed for it."""
    titles = {entry.id: entry.title for entry in entries()}
    by_reason: dict[str, list[str]] = {}
    for one in outcomes:
        reason = (one.message or UNTOLD).removeprefix(f"{one.name}: ")
        name = titles.get(one.name, one.name)
        by_reason.setdefault(reason, []).extend(() if name in reason else (name,))
    lines = by_reason.items()
    return [html("<b>{}</b>: {}", "; ".join(names), told) if names else told for told, names in lines]


def _outcome(app: Member, outcome: FileOutcome, *, undone: bool) -> None:
    """A result; of an undone load without its changes, which are none any more."""
    told = dotted(counts_line(outcome), outcome.message)
    tags = [] if outcome.state is OutcomeState.DONE else [OUTCOMES[outcome.state]]
    show(
        html('<p class="art-row">{} <span class="art-note">{}</span></p>', outcome.name, told),
        badges(tags) if tags else EMPTY,
        join(map(warning, outcome.warnings)),
    )
    for norm_id in outcome.norm_ids:
        norm = app.corpus.norm(norm_id)
        if norm is not None:
            link(norm.title, doc=norm_id, icon=":material/article:")
            for article in () if undone else outcome.articles:
                _article(norm_id, article)


def _article(norm_id: str, article: ChangedArticle) -> None:
    """One changed article of an update, with a link to the change."""
    fate = Fate(article.fate)
    on = f", {day(article.on)}" if article.on else ""
    label = f"{article.title} — {FATES[fate][0]}{on}"
    if fate is Fate.REMOVED:
        show(note(label))
        return
    address = {"to": article.on.isoformat()} if article.on else {}
    link(label, icon=":material/subdirectory_arrow_right:", doc=norm_id, block=article.block_id, **address)


def undo_button(job: Job) -> None:
    """The button that asks for the confirmation."""
    button("Deshacer esta carga", f"undo-{job.id}", "undo", _ask, job.id, width="stretch")


def show_undo(app: Member, job: Job) -> None:
    """Changes of the load, by name, with the two buttons; nothing until they are asked for."""
    if st.session_state.get(ASKED) != job.id:
        return
    changes = app.jobs.changes(job.id)
    norms = [(change.document, app.corpus.norm(change.norm_id)) for change in changes]
    show(
        warning("Va a deshacer esta carga. Las respuestas que citan lo que se elimina dejan de comprobarse."),
        listed(GOES, [norm.title for before, norm in norms if before is None and norm is not None]),
        listed(RETURNS, [before.norm.title for before, _ in norms if before is not None]),
        note(COMES_BACK) if job.kind in FROM_BOE else EMPTY,
    )
    with st.container(horizontal=True):
        sure = st.button("Deshacer", f"undo-yes-{job.id}", type="primary", icon=":material/undo:")
        button("Cancelar", f"undo-no-{job.id}", "", _ask, "")
    if sure:
        with st.spinner("Deshaciendo la carga…"):
            _undo(app, job.id)
        st.rerun()


def _ask(job_id: str) -> None:
    st.session_state[ASKED] = job_id


def _undo(app: Member, job_id: str) -> None:
    _ask("")
    try:
        count = app.corrections.undo(job_id)
    except ArticuladoError as error:
        tell(str(error), "error")
    else:
        tell(f"Carga deshecha: {plural(count, 'documento', 'documentos')}.")


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
