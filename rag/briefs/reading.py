"""A brief read into its citations. Pure."""

from collections.abc import Sequence
from datetime import date

from rag.briefs.findings import Brief, Provision, Ruling, Span
from rag.briefs.lines import flat
from rag.briefs.provisions import provisions
from rag.briefs.quotations import attributed, block_quotations, quotations
from rag.briefs.rulings import rulings
from rag.law.norm_names import NormCatalogue


def read(text: str, catalogue: NormCatalogue, today: date) -> Brief:
    """The citations of a brief, with their offsets in its text.

    Args:
        catalogue: the norms that it may name.
        today: no ruling is of a later day.
    """
    line = flat(text)
    blocks = block_quotations(text)
    quoted = quotations(line, blocks)
    ruled = rulings(line, today)
    ruled = [one for one in ruled if not any(span.start <= one.start < span.end for span in quoted)]
    skip = sorted((one.start, one.end) for one in (*quoted, *ruled))
    cited = provisions(line, catalogue, skip)
    return Brief(
        provisions=tuple(cited),
        quotations=tuple(attributed(line, quoted, cited, ruled, blocks)),
        rulings=tuple(ruled),
    )


def spoken(
    text: str, catalogue: NormCatalogue, today: date, spans: Sequence[Span]
) -> tuple[list[Provision], list[Ruling]]:
    """The citations inside quotations that are of no norm: what somebody says may cite one.

    A stray mark also makes a quotation of what stands up to the next one, and must hide nothing.
    """
    if not spans:
        return [], []

    def is_inside(one: Span) -> bool:
        return any(span.start <= one.start < span.end for span in spans)

    line = flat(text)
    known = {(span.start, span.end) for span in spans}
    others = [(one.start, one.end) for one in quotations(line, block_quotations(text))]
    ruled = rulings(line, today)
    skip = sorted({*others, *((one.start, one.end) for one in ruled)} - known)
    return [*filter(is_inside, provisions(line, catalogue, skip))], [*filter(is_inside, ruled)]
