"""«Comprobar citas»: a brief read, and each of its citations judged on a day."""

from datetime import date

from casework.briefs import quotation_state, ruling_state
from casework.briefs.brief_reading import Page, citations_in_quotations, outer
from casework.briefs.finding_names import is_private
from casework.briefs.findings import CitationReport, Finding, Kind, Provision, State
from casework.briefs.likely_names import LikelyNames
from casework.briefs.norm_library import Library
from casework.briefs.provision_state import ProvisionJudge
from core.errors import InputError
from law.norm_names import NormCatalogue

MOST_CITED = 10_000
"""Citations of a text; one of the longest has less than half as many."""
TOO_MANY = "El escrito tiene más de 10.000 citas: divídalo en partes."


def check(
    text: str, library: Library, catalogue: NormCatalogue, day: date, today: date, *, revision: str = ""
) -> CitationReport:
    """The state of every citation of a text.

    Args:
        day: the day whose law is held against it.
        revision: what names the state of the corpus.

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
    quoted = [quotation_state.judged(one, brief.provisions, library, day, also) for one in brief.quotations]
    nobodys = [one for one, found in zip(brief.quotations, quoted, strict=True) if found is None]
    said = citations_in_quotations(page, nobodys)
    every = (*said.provisions, *brief.provisions)
    inner = [quotation_state.judged(one, every, library, day, also) for one in said.quotations]
    findings = [
        *(found for one in every if _says_something(one, found := judge.judged(one))),
        *filter(None, (*quoted, *inner)),
        *(ruling_state.judged(one, library) for one in (*brief.rulings, *said.rulings)),
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
        unattributed=quoted.count(None),
    )


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
