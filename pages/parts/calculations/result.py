"""A result with its steps; the articles open in the reading pane where the corpus has them."""

from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from calculations.catalogue import markdown
from calculations.outcome import Outcome, Ref, Step
from core.errors import InputError, NotFound
from pages.parts.common.html import EMPTY, Html, each, fields, html, join, listed, show, tiles, warning
from pages.parts.common.layout import section
from pages.parts.common.terms import offer_to_keep
from pages.parts.common.widgets import download, panel
from service.members.member import Member
from web.base.access import SOURCE


def show_result(app: Member, outcome: Outcome | None) -> None:
    """Show the result and its export buttons; nothing if None."""
    if outcome is None:
        return
    marks = {ref: _ref_html(app, ref) for ref in {ref for step in outcome.steps for ref in step.refs}}
    section(outcome.title)
    # On paper the form is left out: these are the data that the result was made of.
    show(html('<section class="art-printed"><h3>Datos</h3>{}</section>', fields(*outcome.given)))
    show(tiles((label, value, "") for label, value in outcome.headline))
    show(
        warning(*outcome.warnings),
        html('<ol class="art-list">{}</ol>', join(_step_html(step, marks) for step in outcome.steps)),
        listed("Supuestos", outcome.assumptions),
    )
    offer_to_keep(app, outcome)
    text = markdown(outcome)
    download(
        "Descargar en Markdown",
        text,
        f"{outcome.name}.md",
        "text/markdown",
        "calculation-download",
        record=(app.exported, "calculation", outcome.name),
    )
    panel("Texto para copiar", "calculation-text", lambda: st.code(text, language=None, wrap_lines=True))


def _step_html(step: Step, marks: Mapping[Ref, Html]) -> Html:
    formula = html("<br><small>{}</small>", step.formula) if step.formula else EMPTY
    result = html(" → <strong>{}</strong>", step.result) if step.result else EMPTY
    refs = each(" {}", (marks[ref] for ref in step.refs))
    return html("<li>{}{}{}{}</li>", step.text, result, refs, formula)


def _ref_html(app: Member, ref: Ref) -> Html:
    """A mark that opens the article; plain words where the corpus lacks it."""
    try:
        if not ref.named:
            raise NotFound
        norm, block = app.law.named(ref.named)
    except (InputError, NotFound):
        return html("({})", ref.said)
    address = urlencode({"doc": norm.id, "block": block.id})
    mark = '<a class="art-chip" href="/normativa?{}" data-text="{}?{}" aria-label="Abrir {}">{}</a>'
    return html(mark, address, SOURCE, address, ref.said, ref.said)
