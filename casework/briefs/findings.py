"""Citations of a brief and what the check of each gives: values."""

from collections import Counter
from collections.abc import Mapping
from datetime import date
from enum import StrEnum

from core.values import Value
from law.cited_span import Span
from law.diff import Run
from law.rulings import Ruling

NOTHING_CITED = "El escrito no cita ninguna norma ni resolución, ni tiene citas literales de ninguna norma."


class State(StrEnum):
    """Results of the check of a citation; the values are shown."""

    IN_FORCE = "vigente"
    CHANGED = "modificada desde"
    REPEALED = "derogada"
    NOT_YET = "aún no vigente"
    MISSING = "no existe"
    EXACT = "cita literal exacta"
    DIFFERENT = "cita con diferencias"
    MISPLACED = "cita de otro precepto"
    ABSENT = "no consta en la sentencia aportada"
    UNCHECKED = "sin comprobar: no aportada"
    AMBIGUOUS = "ambigua"
    NOT_LOADED = "no está en el corpus"
    HELD = "resolución en el corpus"
    WELL_FORMED = "resolución sin comprobar"
    ILL_FORMED = "resolución con datos incorrectos"


SIGNS: Mapping[State, str] = {
    State.MISSING: "✘", State.DIFFERENT: "≠", State.MISPLACED: "⇄", State.ILL_FORMED: "✘",
    State.ABSENT: "✘", State.REPEALED: "†", State.CHANGED: "△", State.NOT_YET: "◷", State.AMBIGUOUS: "?",
    State.NOT_LOADED: "∅", State.WELL_FORMED: "○", State.UNCHECKED: "○",
    State.HELD: "✔", State.IN_FORCE: "✔", State.EXACT: "✔",
}  # fmt: skip
RIGHT = "✔"
NAMES: Mapping[State, str] = {
    State.MISSING: "No existe",
    State.DIFFERENT: "Cita con diferencias",
    State.MISPLACED: "Cita de otro precepto",
    State.ABSENT: "No consta en la sentencia aportada",
    State.ILL_FORMED: "Resolución con datos incorrectos",
    State.REPEALED: "Derogada",
    State.CHANGED: "Modificada",
    State.NOT_YET: "Aún no vigente",
    State.AMBIGUOUS: "Ambigua",
    State.NOT_LOADED: "No está cargado",
    State.UNCHECKED: "Sin comprobar: no aportada",
    State.WELL_FORMED: "Resolución sin comprobar",
    State.HELD: "Resolución cargada",
    State.IN_FORCE: "Vigente",
    State.EXACT: "Cita literal exacta",
}
"""Names of single findings, the worst first, as a lawyer wants to see them."""


def sign_of(state: State, warning: str = "") -> str:
    """The sign of a finding: ✔ only for what was checked and is right, with nothing to object."""
    return SIGNS[State.CHANGED] if warning and SIGNS[state] == RIGHT else SIGNS[state]


class Kind(StrEnum):
    """Kinds of cited things."""

    NORM = "norma"
    PROVISION = "precepto"
    QUOTATION = "cita literal"
    RULING = "resolución"


class Provision(Span):
    """A norm or a provision of one as a brief cites it.

    Attributes:
        norm_id: None if it is not known which one is meant.
        named: what the brief calls the norm, if it names one that is unknown.
        label: canonical, '48 bis' or 'da 3'; None for a whole norm, empty if it is not known which one.
        until: the last one of a range.
        implied: the norm, or the article, was named before and not here.
        choices: ids of the norms that it may be of, when that is not known.
        unannounced: a number alone, of which only the law tells that it is an article.
    """

    norm_id: str | None = None
    named: str = ""
    label: str | None = None
    until: str | None = None
    apartado: str | None = None
    letter: str | None = None
    implied: bool = False
    choices: tuple[str, ...] = ()
    unannounced: bool = False
    again: bool = False


class Quotation(Span):
    """Words between quotation marks; `start` and `end` are those of the words.

    Attributes:
        cited: places, in the list of provisions, of those that it may be of.
        near: places of those that stand in its paragraph before it, if it is loose.
        loose: the text only names those near it, and does not say that it quotes them.
        negated: a «no» stands before its marks.
        ruling: place, in the list of rulings, of the one that it is quoted from.
        of_paper: it is of a paper of the expediente, whose words are not held to be altered law.
        of_another_day: the text says that it is not the wording of the day («decía», «redacción anterior»).
    """

    cited: tuple[int, ...] = ()
    near: tuple[int, ...] = ()
    loose: bool = False
    negated: bool = False
    ruling: int | None = None
    of_paper: bool = False
    of_another_day: bool = False


class Brief(Value):
    """The citations of a text, each list in the order of the text."""

    provisions: tuple[Provision, ...] = ()
    quotations: tuple[Quotation, ...] = ()
    rulings: tuple[Ruling, ...] = ()


class Finding(Value):
    """A citation and its state.

    Attributes:
        start, end: offsets in the text of the brief.
        since: first day of that state, where it has one.
        said: one or two Spanish sentences: why.
        warning: what a careful reader would object although the state is good; or empty.
        source: what it was held against, by name; `url` is where the source can be read.
        valid_from: first day of the wording it was held against.
        runs: the law's words turned into those of the brief, when they differ.
    """

    kind: Kind
    start: int
    end: int
    text: str
    state: State
    since: date | None = None
    said: str = ""
    warning: str = ""
    norm_id: str = ""
    block_id: str = ""
    source: str = ""
    url: str = ""
    valid_from: date | None = None
    runs: tuple[Run, ...] = ()


def state_name(finding: Finding) -> str:
    """'Modificada desde 02/03/2022', 'Vigente'."""
    name = NAMES[finding.state]
    dated = finding.state in (State.CHANGED, State.REPEALED) and finding.since
    return f"{name} desde {finding.since:%d/%m/%Y}" if dated else name


class CitationReport(Value):
    """The findings of a brief, in its order, on a day.

    Attributes:
        revision: hash of the corpus.
        unattributed: stretches between quotation marks that are no quotation of a norm: nothing says so and
            no norm that the brief names has words like them.
    """

    as_of: date
    revision: str
    characters: int
    findings: tuple[Finding, ...] = ()
    unattributed: int = 0

    @property
    def counts(self) -> Mapping[State, int]:
        """Number of findings by state, in the order of the states."""
        found = Counter(finding.state for finding in self.findings)
        return {state: found[state] for state in State if found[state]}
