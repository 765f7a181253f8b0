"""An expediente in forms: its choice, its facts that fill them, and those that go back to it."""

from collections.abc import Iterable, Mapping
from datetime import date

from casework.matters.case_facts import FactSource, FactsSheet
from pages.parts.common.html import listed, show
from pages.parts.common.page import attempt
from pages.parts.common.widgets import button, choose
from pages.parts.common.words import dotted, shortened
from service.members.facts import FactRequest
from service.members.member import Member

SAVE = "Guardar en los hechos del expediente"
READ_IT = "Revise los datos tomados de los hechos del expediente:"
QUOTED = 160
DIFFER = "Los documentos no coinciden: elija en los hechos del expediente"


def choose_matter(app: Member, label: str, none: str, key: str, *, keep: bool = True) -> str:
    """The id of one of the person's expedientes, '' for none; nothing is drawn if they have none."""
    matters = app.matters.matters() if app.may(app.matters.permission) else []
    names = {"": none}
    for one in matters:
        # A box knows its choices by their words.
        named = dotted(one.name, one.reference)
        names[one.id] = f"{named} ({len(names)})" if named in names.values() else named
    return choose(None, label, names, key, keep=keep) if matters else ""


def source_of(one: FactSource) -> str:
    """«Doc 1, p. 2», or the person who gave it."""
    page = f", p.\u00a0{one.page}" if one.page else ""
    return f"Dado por {one.by}" if one.by else f"{one.paper}{page}" if one.paper else ""


def show_taken(sheet: FactsSheet, keys: Iterable[str]) -> None:
    """The facts of a form that stand in the sheet, with their sentences; those that papers contradict."""
    found = [sheet[key] for key in dict.fromkeys(keys)]
    lines = []
    for one in found:
        if one.others and not one.by:
            values = ", ".join(source.shown for source in (one, *one.others))
            lines.append(f"{one.label}: {values}. {DIFFER}.")
        elif one.value:
            quote = f": «{shortened(one.sentence, QUOTED)}»" if one.sentence else ""
            lines.append(f"{one.label}: {one.shown.rstrip('.')}. {source_of(one)}{quote}")
    show(listed(READ_IT, lines))


def offer_to_keep_facts(
    app: Member, matter_id: str, sheet: FactsSheet, typed: Mapping[str, tuple[object, str]]
) -> None:
    """A button that keeps what was typed, with the time it is for, and is not in the sheet, if anything."""
    said = {
        key: (f"{value:%d/%m/%Y}" if isinstance(value, date) else str(value or ""), unit)
        for key, (value, unit) in typed.items()
    }
    new = {key: one for key, one in said.items() if one[0] and one != (sheet[key].value, sheet[key].unit)}
    if new:
        kept = (attempt, "Guardado en los hechos del expediente.", _keep, app, matter_id, new)
        button(SAVE, "keep-facts", "save", *kept)


def _keep(app: Member, matter_id: str, new: Mapping[str, tuple[str, str]]) -> None:
    for key, (value, unit) in new.items():
        app.facts.correct(matter_id, key, FactRequest(value=value, unit=unit))
