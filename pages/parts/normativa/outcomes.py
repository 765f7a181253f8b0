"""The result of each file or norm of a job: failures in the open, the others folded."""

from collections.abc import Iterable, Sequence
from functools import partial

import streamlit as st

from law.changes import Fate
from loading.boe.boe_norms import entries
from loading.records.jobs import ChangedArticle, FileOutcome, Job, JobState, OutcomeState
from pages.parts.common.html import EMPTY, badges, html, join, note, problem, show, warning
from pages.parts.common.layout import link
from pages.parts.common.widgets import panel
from pages.parts.common.words import day, dotted, plural
from pages.parts.normativa.words import FATES, OUTCOMES, counts_line
from service.members.member import Member

SHOWN = 100
UNTOLD = "No se pudo cargar; vuelva a intentarlo."


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
