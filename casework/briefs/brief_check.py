"""«Comprobar citas»: a brief read, and each of its citations judged on a day."""

from collections.abc import Sequence
from datetime import date

from casework.briefs import quotation_state, ruling_state
from casework.briefs.brief_reading import Page, citations_in_quotations, outer
from casework.briefs.finding_names import is_private
from casework.briefs.findings import Brief, CitationReport, Finding, Kind, Provision, Quotation, State
from casework.briefs.likely_names import LikelyNames
from casework.briefs.norm_library import Library
from casework.briefs.provision_state import ProvisionJudge
from casework.briefs.ruling_quotation import Rulings
from casework.briefs.ruling_state import Paper, attached
from core.errors import InputError
from law.norm_names import NormCatalogue

MOST_CITED = 10_000
"""Citations of a text; one of the longest has less than half as many."""
TOO_MANY = "El escrito tiene más de 10.000 citas: divídalo en partes."


def check(
    text: str,
    library: Library,
    catalogue: NormCatalogue,
    day: date,
    today: date,
    *,
    revision: str = "",
    papers: Sequence[Paper] = (),
) -> CitationReport:
    """The state of every citation of a text.

    Args:
        day: the day whose law is held against it.
        revision: what names the state of the corpus.
        papers: those of the expediente, among which rulings may be attached.

    Raises:
        InputError: it has more than MOST_CITED.
    """
    page = Page(text, LikelyNames(catalogue), today)
    brief = outer(page)
    if len(brief.provisions) + len(brief.quotations) + len(brief.rulings) > MOST_CITED:
        raise InputError(TOO_MANY)
    also = tuple(dict.fromkeys(one.norm_id for one in brief.provisions if one.norm_id))
    cited = quotation_state.told_by_quotations(brief, library, also)
    brief = brief.model_copy(update={"provisions": cited})
    judge = ProvisionJudge(library, day, today, also)
    own = attached(papers)

    def quotations(part: Brief, cited: Sequence[Provision]) -> list[tuple[Quotation, Finding | None]]:
        return [(one, quotation_state.judged(one, cited, library, day, also)) for one in part.quotations]

    quoted = quotations(brief, brief.provisions)
    nobodys = [one for one, found in quoted if found is None]
    said = citations_in_quotations(page, nobodys)
    every = (*said.provisions, *brief.provisions)
    quoted = _of_rulings(quoted, Rulings(brief.rulings, library, own))
    inner = _of_rulings(quotations(said, every), Rulings(said.rulings, library, own))
    findings = [
        *(found for one in every if _says_something(one, found := judge.judged(one))),
        *(found for _, found in (*quoted, *inner) if found is not None),
        *(ruling_state.judged(one, library, own) for one in (*brief.rulings, *said.rulings)),
    ]
    # Two citations of a list may share their words: each is a finding.
    ordered = (
        one.model_copy(update={"text": " ".join(text[one.start : one.end].split())})
        for one in sorted(findings, key=lambda one: (one.start, one.end))
    )
    return CitationReport(
        as_of=day,
        revision=revision,
        characters=len(text),
        findings=tuple(ordered),
        unattributed=sum(found is None for _, found in quoted),
    )


def _of_rulings(
    quoted: Sequence[tuple[Quotation, Finding | None]], rulings: Rulings
) -> list[tuple[Quotation, Finding | None]]:
    """The quotations with their states; words of a ruling may be those of the law that it quotes."""
    return [
        (one, rulings.literal(one) or found or rulings.elsewhere(one) or rulings.judged(one))
        for one, found in quoted
    ]


def _says_something(provision: Provision, finding: Finding) -> bool:
    """False for a bare name, «el Estatuto de los Trabajadores», of a norm that nothing is wrong with, for a
    number that nothing announces and that the law has no article for, and for what the parties wrote."""
    if provision.unannounced:
        return finding.state not in (State.AMBIGUOUS, State.NOT_LOADED)
    if provision.again and finding.state is not State.AMBIGUOUS:
        return False
    annex = provision.implied and (provision.label or "").startswith("anexo")
    if is_private(provision) or (annex and finding.state is State.AMBIGUOUS):
        return False
    numbered = any(map(str.isdigit, finding.text))
    return finding.kind is not Kind.NORM or numbered or finding.state in (State.REPEALED, State.NOT_YET)
