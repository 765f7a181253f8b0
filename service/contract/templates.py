"""The provisions of a template held against the corpus today, and its term counted."""

from collections.abc import Mapping
from datetime import date

from calculations.catalogue import calculate
from calculations.official_figures import Facts
from calculations.outcome import Outcome
from casework.briefs.findings import Finding, Kind, State
from casework.templates.fill import PLACE
from casework.templates.template_types import Given, Reference, Template
from core.errors import ArticuladoError
from core.values import Value
from law.dates import spelled
from service.contract.citations import CitationsRequest, citations
from service.contract.program import Program

SINCE = (
    "Su redacción ha cambiado el {day}, después de revisarse el modelo ({checked}): compruebe que sigue "
    "valiendo."
)
UNCOUNTED = "Escriba los datos del plazo para que se cuente."


class CheckedReference(Value):
    """A provision of a template and what the corpus says of it today.

    Attributes:
        state: of the provision; CHANGED also when its wording is newer than the template's check.
        said: why, in Spanish; may be empty.
        source: its name in the corpus; `url` is where it can be read.
    """

    reference: Reference
    state: State
    said: str = ""
    source: str = ""
    url: str = ""

    @property
    def holds(self) -> bool:
        """True if it is in force as it was when the template was checked."""
        return self.state is State.IN_FORCE


class Counted(Value):
    """The term of a template: its outcome, or why it is not counted; both empty if nothing counts it."""

    outcome: Outcome | None = None
    problem: str = ""


def checked_sources(program: Program, template: Template) -> tuple[CheckedReference, ...]:
    """The state of every provision of the template, in its order (`casework.briefs`)."""
    lines = [one.cite for one in template.sources]
    report = citations(program, CitationsRequest(text="\n".join(lines)))
    found = []
    start = 0
    for reference, line in zip(template.sources, lines, strict=True):
        end = start + len(line)
        inside = [one for one in report.findings if one.kind is Kind.PROVISION and start <= one.start < end]
        found.append(_checked(reference, inside, template.checked))
        start = end + 1
    return tuple(found)


def count_term(template: Template, facts: Mapping[str, Given], known: Facts) -> Counted:
    """The last day to file, by the calculator that the template names."""
    term = template.deadline
    if term is None or not term.calculator:
        return Counted()
    required = {field.name for field in template.fields if field.required}
    values: dict[str, object] = {}
    for name, value in term.values.items():
        place = PLACE.fullmatch(value) if isinstance(value, str) else None
        if place and place[1] in required and place[1] not in facts:
            return Counted(problem=UNCOUNTED)
        values[name] = facts.get(place[1]) if place else value
    try:
        return Counted(outcome=calculate(term.calculator, values, known))
    except ArticuladoError as error:
        return Counted(problem=str(error))


def _checked(reference: Reference, findings: list[Finding], checked: date) -> CheckedReference:
    if not findings:
        return CheckedReference(reference=reference, state=State.AMBIGUOUS, said="No se reconoce la cita.")
    worst = next((one for one in findings if one.state is not State.IN_FORCE), findings[0])
    state, said = worst.state, " ".join(filter(None, (worst.said, worst.warning)))
    if state is State.IN_FORCE and worst.valid_from and worst.valid_from > checked:
        state = State.CHANGED
        said = SINCE.format(day=spelled(worst.valid_from), checked=spelled(checked))
    return CheckedReference(reference=reference, state=state, said=said, source=worst.source, url=worst.url)
