"""A brief read into its citations. Pure."""

from collections.abc import Sequence
from datetime import date

from rag.briefs.findings import Brief, Provision, Span
from rag.briefs.lines import flat
from rag.briefs.provisions import provisions
from rag.briefs.quotations import attributed, block_quotations, inner_quotations, quotations
from rag.briefs.rulings import rulings
from rag.briefs.squeezed import Squeezed, squeezed
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
    tight = squeezed(line)
    ruled = [tight.restored(one, line) for one in rulings(tight.text, today)]
    ruled = [one for one in ruled if not any(span.start <= one.start < span.end for span in quoted)]
    cited = _cited(tight, line, catalogue, sorted((one.start, one.end) for one in (*quoted, *ruled)))
    return Brief(
        provisions=tuple(cited),
        quotations=tuple(attributed(line, quoted, cited, ruled, blocks)),
        rulings=tuple(ruled),
    )


def spoken(text: str, catalogue: NormCatalogue, today: date, spans: Sequence[Span]) -> Brief:
    """The citations inside quotations that are of no norm: what somebody says may cite or quote one.

    A stray mark also makes a quotation of what stands up to the next one, and must hide nothing.
    """
    if not spans:
        return Brief()

    def is_inside(one: Span) -> bool:
        return any(span.start <= one.start < span.end for span in spans)

    line = flat(text)
    known = {(span.start, span.end) for span in spans}
    others = [(one.start, one.end) for one in quotations(line, block_quotations(text))]
    tight = squeezed(line)
    ruled = [tight.restored(one, line) for one in rulings(tight.text, today)]
    skip = sorted({*others, *((one.start, one.end) for one in ruled)} - known)
    cited = [*filter(is_inside, _cited(tight, line, catalogue, skip))]
    ruled = [*filter(is_inside, ruled)]
    inner = [one for span in spans for one in inner_quotations(line, span)]
    quoted = attributed(line, inner, cited, ruled)
    return Brief(provisions=tuple(cited), quotations=tuple(quoted), rulings=tuple(ruled))


def _cited(
    tight: Squeezed, line: str, catalogue: NormCatalogue, skip: Sequence[tuple[int, int]]
) -> list[Provision]:
    """The provisions that the text cites outside the stretches of `line` that are skipped."""
    found = provisions(tight.text, catalogue, tight.squeezed(skip))
    return [tight.restored(one, line) for one in found]
