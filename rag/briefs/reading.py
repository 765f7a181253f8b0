"""A brief read into its citations. Pure."""

from datetime import date

from rag.briefs.findings import Brief
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
