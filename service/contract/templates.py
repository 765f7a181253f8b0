"""The provisions of a template held against the corpus today and quoted from it, and its term counted."""

from collections.abc import Mapping, Sequence
from datetime import date

from calculations.catalogue import calculate
from calculations.official_figures import Facts
from calculations.outcome import Outcome
from casework.briefs.brief_reading import Page, outer
from casework.briefs.findings import Finding, Kind, Provision, State
from casework.briefs.likely_names import LikelyNames
from casework.templates.fill import PLACE, Quote, Quoted
from casework.templates.template_types import Given, Ground, Reference, Template
from core.clock import today_in_spain
from core.errors import ArticuladoError
from core.values import Value
from law.corpus_store import CorpusStore
from law.dates import spelled
from law.labels import fold
from law.parts import cited, is_gone
from law.provision_reading import read_provision, without_mark
from service.contract.citations import CitationsRequest, citations
from service.contract.program import Program

SINCE = (
    "Su redacción ha cambiado el {day}, después de revisarse el modelo ({checked}): compruebe que sigue "
    "valiendo."
)
_CITED = (Kind.PROVISION, Kind.RULING)
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


def checked_sources(
    program: Program, template: Template, grounds: Sequence[Ground]
) -> tuple[CheckedReference, ...]:
    """The state of every provision of the template and of these grounds, in order (`casework.briefs`)."""
    every = [*template.sources, *(one for ground in grounds for one in ground.references)]
    references = list({one.cite: one for one in reversed(every)}.values())[::-1]
    lines = [one.cite for one in references]
    report = citations(program, CitationsRequest(text="\n".join(lines)))
    found = []
    start = 0
    for reference, line in zip(references, lines, strict=True):
        end = start + len(line)
        inside = [one for one in report.findings if one.kind in _CITED and start <= one.start < end]
        found.append(_checked(reference, inside, template.checked))
        start = end + 1
    return tuple(found)


def quoting(program: Program) -> Quote:
    """Reader of the words that grounds quote, as the corpus has them in force on the day of the facts."""
    corpus, names, today = (
        program.database.corpus,
        LikelyNames(program.holdings.catalogue()),
        today_in_spain(),
    )

    def quoted(ground: Ground, on: date | None) -> Quoted | None:
        brief = outer(Page(ground.cite, names, today)) if ground.quote else None
        if brief is None or len(brief.provisions) != 1:
            return None
        words, now = (_words(corpus, brief.provisions[0], ground.quote, day) for day in (on or today, today))
        return Quoted(words, words != now) if words else None

    return quoted


def _words(corpus: CorpusStore, provision: Provision, wanted: bool | str, day: date) -> str:
    """The wanted paragraphs of what is cited, to the letter but for number and full stop; '' without any."""
    found = corpus.find(provision.norm_id or "", provision.label or "", day)
    block = corpus.block(found[0].norm_id, found[0].block_id) if found else None
    version = block.wording_on(day) if block else None
    if block is None or version is None:
        return ""
    tree, part = read_provision(version.text), (provision.apartado, provision.letter)
    if is_gone(tree, *part):
        return ""
    spans = cited(tree, *part)
    said = [tree.said(one) for one in tree.blocks for span in spans if span.start <= one.start < span.end]
    heading = fold(block.title)
    shown = [
        one for one in said if fold(one) != heading and (wanted is True or fold(str(wanted)) in fold(one))
    ]
    return without_mark("\n".join(shown)).rstrip(".")


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
