"""A draft of a brief as a Word file, with a last page for the person who files it."""

import re
from collections.abc import Sequence
from datetime import date

from casework.templates.template_types import Draft, Template
from law import dates
from service.contract.templates import CheckedReference, Counted

SHEET = "Hoja de control (retírela antes de presentar el escrito)"
SIGNATURE = 3
"""Paragraphs at the end that stay on one page: place and day, who signs, and what stands before."""
_BEGINNING = re.compile(r"(?:[IVXL]+\. [^.]+|[A-ZÁÉÍÓÚ]{4,}[OA]|\d+\.[ºª])\. ")
"""«PRIMERO.», or the number and title of a ground."""
NOTICE = (
    "Borrador preparado por Articulado el {day} con un modelo propio y los datos que se le dieron; "
    "quien lo firma lo revisa y responde de él."
)


def brief_file(
    draft: Draft,
    template: Template,
    sources: Sequence[CheckedReference],
    counted: Counted,
    made_on: date,
) -> bytes:
    """The DOCX: the draft, then the sheet with term, gaps, provisions, enclosures and warnings."""
    from service.opinions.word import Writer

    writer = Writer(draft.title, titled=False)
    last = len(draft.paragraphs) - 1
    for place, one in enumerate(draft.paragraphs):
        if one.heading:
            writer.heading(one.text)
            continue
        for line in filter(None, map(str.strip, one.text.split("\n"))):
            found = _BEGINNING.match(line)
            followed = place > last - SIGNATURE or line[-1] == ":" or line[-1].isalpha()
            writer.clause(line, found.end() if found else 0, followed=followed and place < last)
    writer.heading(SHEET, new_page=True)
    for title, lines in sheet_of(draft, template, sources, counted):
        writer.heading(title, 2)
        for line in lines:
            writer.line(line, "List Bullet")
    writer.line(NOTICE.format(day=dates.spelled(made_on)))
    return writer.saved()


def sheet_of(
    draft: Draft, template: Template, sources: Sequence[CheckedReference], counted: Counted
) -> list[tuple[str, list[str]]]:
    """The parts of the control sheet that have something to say: title and lines."""
    parts = [
        ("Plazo", term_of(template, counted)),
        ("No concuerda", list(draft.disagreements)),
        ("Faltan estos datos", list(draft.missing)),
        ("Preceptos en que se apoya", [_said(one) for one in sources]),
        ("Documentos que se acompañan", list(template.enclose)),
        ("Avisos", list(template.warnings)),
    ]
    return [(title, lines) for title, lines in parts if lines]


def term_of(template: Template, counted: Counted) -> list[str]:
    """The term in words, and counted where it is."""
    if template.deadline is None:
        return []
    outcome = counted.outcome
    told = [f"{label}: {value}" for label, value in outcome.headline] if outcome else [counted.problem]
    warnings = list(outcome.warnings) if outcome else []
    return [template.deadline.says, *filter(None, told), *warnings]


def _said(one: CheckedReference) -> str:
    state = one.state.value if one.holds else f"{one.state.value.upper()}. {one.said}"
    return f"{one.reference.cite}: {one.reference.why} — {state}"
