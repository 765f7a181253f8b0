"""One template: what it is for, its form, and the draft with its term and its provisions."""

from collections.abc import Mapping

import streamlit as st

from calculations.written_amounts import EARLIEST, LATEST
from casework.briefs.findings import State
from casework.matters.case_facts import FactsSheet
from casework.templates.fill import LONG, SHORT
from casework.templates.template_types import Template, TemplateField
from law.dates import parse
from pages.parts.common.case_facts import offer_to_keep_facts, show_taken
from pages.parts.common.html import (
    EMPTY,
    Html,
    badges,
    html,
    listed,
    note,
    show,
    table,
    tiles,
    warning,
)
from pages.parts.common.layout import heading, section
from pages.parts.common.widgets import choose, choose_day, choose_seat, download
from pages.parts.templates.drafts import Start, keep, offer_next, show_apart, start_of, told_of
from pages.parts.templates.listed import back_to_list
from service.contract.files import DOCX
from service.contract.templates import CheckedReference
from service.members.member import Member
from service.members.templates import Prepared
from text.links import official_url

NONE = "—"
CLASSES = {State.IN_FORCE: "art-high", State.CHANGED: "art-mid", State.NOT_LOADED: "art-mid"}
APART = "Esto no concuerda; el borrador se ha preparado igual:"
GAPS = "Faltan datos, señalados con […]:"


def show_template(app: Member, name: str, matter_id: str, draft_id: str) -> None:
    """The whole of it. Raises NotFound: there is no such template or draft, or the expediente is not open."""
    template = app.templates.template(name)
    back_to_list(matter_id)
    heading(template.title, template.when)
    if template.deadline:
        show(html('<p class="art-note"><b>Plazo.</b> {}</p>', template.deadline.says))
    asked = [one for one in template.fields if one.fact and matter_id]
    sheet = app.facts.sheet(matter_id) if asked else FactsSheet(facts=())
    start = start_of(app, template, matter_id, draft_id)
    show_apart(draft_id)
    if start.ready:
        begun = start.told
    else:
        show_taken(sheet, [one.fact for one in asked])
        begun = {**{one.name: sheet.sure(one.fact, _unit(one)) for one in asked}, **start.told}
    values = _form(app, template, begun, matter_id + draft_id)
    if values is not None:
        told = told_of(values)
        made = app.templates.prepared(name, told)
        keep(app, template, matter_id, start.draft_id, told)
        start = start._replace(told=told)
    elif start.ready:
        made = app.templates.prepared(name, start.told)
    else:
        return
    typed = {one.fact: (start.told.get(one.name), _unit(one)) for one in asked}
    offer_to_keep_facts(app, matter_id, sheet, typed)
    _show_prepared(app, made, matter_id, start)


def _unit(field: TemplateField) -> str:
    return "año" if field.kind == "money" else ""


def _form(app: Member, template: Template, told: Mapping[str, str], place: str) -> dict[str, object] | None:
    """The values once the button is pressed, else None."""
    section("Datos", "Lo que deje en blanco queda en el borrador como […].")
    with st.form(f"template-{template.name}-{place}", border=False):
        values = {
            one.name: _box(app, template.name + place, one, told.get(one.name, "")) for one in template.fields
        }
        pressed = st.form_submit_button("Preparar el borrador", type="primary", icon=":material/draft:")
    return values if pressed else None


def _box(app: Member, place: str, field: TemplateField, start: str) -> object:
    label = field.label if field.required or field.kind == "tick" else f"{field.label} (opcional)"
    key, told = f"{place}-{field.name}", field.help or None
    if field.kind == "tick":
        return st.checkbox(label, start == "sí", key=key, help=told)
    if field.kind == "date":
        return choose_day(None, label, parse(start), key, min_value=EARLIEST, max_value=LATEST, help=told)
    if field.kind == "seat":
        return choose_seat(label, app.calculations.seats(), key, start, help=told)
    if field.kind == "choice":
        choices: dict[str | None, str] = {None: NONE} | {one: one for one in field.choices}
        return choose(None, label, choices, key, keep=False, start=start, help=told)
    if field.kind == "long":
        return st.text_area(label, start, max_chars=LONG, height=140, key=key, help=told)
    return st.text_input(label, start, max_chars=SHORT, key=key, help=told)


def _show_prepared(app: Member, made: Prepared, matter_id: str, start: Start) -> None:
    section("Borrador")
    if made.counted.outcome:
        show(tiles((label, value, "") for label, value in made.counted.outcome.headline))
        show(warning(*made.counted.outcome.warnings))
    elif made.counted.problem:
        show(warning(f"Plazo sin contar. {made.counted.problem}"))
    for title, told in ((APART, made.draft.disagreements), (GAPS, made.draft.missing)):
        if told:
            show(html('<div class="art-warn">{}</div>', listed(title, told)))
    with st.container(key="draft"):
        st.code(made.draft.text, language=None, wrap_lines=True)
    name = made.template.name
    content, record = app.templates.word(made), (app.exported, "template", name)
    with st.container(horizontal=True, key="draft-out"):
        download("Descargar en Word", content, f"{name}.docx", DOCX, "template-word", record=record)
        offer_next(app, made.template, matter_id, start)
    section("Preceptos en que se apoya", "Comprobados hoy con la normativa cargada.")
    show(table(("Estado", "Precepto", "Para qué"), map(_source, made.sources)))
    show(listed("Documentos que se acompañan", made.template.enclose))
    show(listed("Avisos", made.template.warnings))


def _source(one: CheckedReference) -> tuple[Html, Html, Html]:
    address = official_url(one.url) if one.url else None
    link = '<a class="art-cited-link" href="{}" target="_blank" rel="noopener noreferrer">{}</a>'
    named = html(link, address, one.reference.cite) if address else html("{}", one.reference.cite)
    said = note(one.said) if not one.holds and one.said else EMPTY
    state = badges([(one.state.value, CLASSES.get(one.state, "art-low"))])
    return state, named, html("{}{}", one.reference.why, said)
