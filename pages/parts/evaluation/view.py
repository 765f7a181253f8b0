"""Facts, tags and tiles of an evaluation, shared by the views of its page."""

from pages.parts.common.html import Html, Tag, tiles
from pages.parts.common.words import dotted, moment, owner_name, plural
from pages.parts.evaluation.words import (
    HEADLINES,
    MODES,
    STATES,
    dataset_name,
    fact_value,
    metric_name,
    spread,
    value,
)
from rag.evaluation.results import Aids, Evaluation, EvaluationState, Summary
from service.members.member import Member


def facts_line(app: Member, evaluation: Evaluation) -> str:
    """Moment, owner, mode with its model, number of norms, and search aids unless it used all."""
    facts = evaluation.facts
    mode, model = facts.get("mode", ""), facts.get("principal", "")
    aids = facts.get("aids", Aids.ALL)
    return dotted(
        moment(evaluation.created_at),
        owner_name(evaluation.owner, app.names()),
        f"{MODES.get(mode, '')}{f' ({model})' if mode == 'model' and model else ''}",
        f"{facts['norms']} normas" if "norms" in facts else "",
        f"ayudas: {fact_value('aids', aids).partition(':')[0]}" if aids != Aids.ALL else "",
    )


def tags(evaluation: Evaluation) -> list[Tag]:
    """State and headline measures as small labels."""
    word, kind = STATES[evaluation.state]
    shown = [(word, kind)] if evaluation.state is not EvaluationState.DONE else []
    summary = evaluation.summary
    if summary is not None:
        shown += [
            (f"{metric_name(name)}: {value(name, summary.metrics[name])}", "")
            for name in HEADLINES
            if name in summary.metrics
        ]
    return shown


def headline_tiles(summary: Summary) -> Html:
    """The headline measures in large figures, each with its interval."""
    return tiles(
        (metric_name(name), value(name, summary.metrics[name]), spread(name, summary.intervals.get(name)))
        for name in HEADLINES
        if name in summary.metrics
    )


def size(evaluation: Evaluation) -> str:
    """'150 preguntas', or '12 de 150 preguntas' if it did not finish."""
    if evaluation.done == evaluation.total:
        return plural(evaluation.total, "pregunta", "preguntas")
    return f"{evaluation.done} de {evaluation.total} preguntas"


def title_of(evaluation: Evaluation) -> str:
    """The name of its dataset."""
    return dataset_name(evaluation.dataset)
