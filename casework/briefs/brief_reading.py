"""A brief read into its citations. Pure."""

from collections.abc import Sequence
from datetime import date

from casework.briefs.brief_lines import flat
from casework.briefs.defined_names import DefinedNames
from casework.briefs.findings import Brief, Provision
from casework.briefs.joined_text import squeezed, without_marks
from casework.briefs.prepared_text import Prepared
from casework.briefs.provisions import provisions
from casework.briefs.quotations import (
    attributed,
    block_quotations,
    inner_quotations,
    is_inside,
    quotations,
)
from law.cited_span import Span
from law.norm_names import NormCatalogue
from law.rulings import Ruling, rulings


class Page:
    """The text of a brief in one line with what stands in it, for `outer` and `citations_in_quotations`.

    Args:
        catalogue: the norms that it may name.
        today: no ruling is of a later day.
    """

    def __init__(self, text: str, catalogue: NormCatalogue, today: date) -> None:
        self.line = flat(text)
        self.blocks = block_quotations(text)
        self.quoted = quotations(self.line, self.blocks)
        self._tight = squeezed(self.line)
        plain = without_marks(self._tight.text)
        self._prepared = Prepared(plain, DefinedNames(catalogue, plain))
        self.ruled = [self._tight.restored(one, self.line) for one in rulings(plain, today)]

    def cited(self, skip: Sequence[Span]) -> list[Provision]:
        """The provisions that the text cites outside the stretches that are skipped."""
        stretches = sorted({(one.start, one.end) for one in skip})
        found = provisions(self._prepared, self._tight.squeezed(stretches))
        return [self._tight.restored(one, self.line) for one in found]


def outer(page: Page) -> Brief:
    """The citations outside the quotations of a brief, and the quotations."""
    ruled = [one for one in page.ruled if not is_inside(one.start, page.quoted)]
    cited = page.cited([*page.quoted, *ruled])
    found = attributed(page.line, page.quoted, cited, ruled, page.blocks)
    return Brief(provisions=tuple(cited), quotations=tuple(found), rulings=tuple(ruled))


def citations_in_quotations(page: Page, spans: Sequence[Span]) -> Brief:
    """The citations inside quotations that are of no norm: what somebody says may cite or quote one.

    A stray mark also makes a quotation of what stands up to the next one, and must hide nothing.
    """
    if not spans:
        return Brief()
    known = {(span.start, span.end) for span in spans}
    others = [one for one in (*page.quoted, *page.ruled) if (one.start, one.end) not in known]
    cited = [one for one in page.cited(others) if is_inside(one.start, spans)]
    ruled: list[Ruling] = [one for one in page.ruled if is_inside(one.start, spans)]
    inner = [one for span in spans for one in inner_quotations(page.line, span)]
    found = attributed(page.line, inner, cited, ruled)
    return Brief(provisions=tuple(cited), quotations=tuple(found), rulings=tuple(ruled))
