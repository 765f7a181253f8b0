"""All personal data of a text, one finder after another."""

from masking import (
    addresses,
    alone,
    births,
    companies,
    dictated,
    documents,
    fields,
    names,
    nearby,
    numbers,
    tables,
)
from masking.page import corrected, page, shouts, unbroken
from masking.spans import Span, apart, clear_of


def find(text: str) -> list[Span]:
    """Every piece of personal data in the text, in order and without overlaps."""
    whole, broken = unbroken(text)
    whole = corrected(whole)
    read = page(whole)
    numbered = [*numbers.find(whole), *dictated.find(read), *documents.find(read), *fields.find(read)]
    numbered += [*births.find(read), *tables.find(read)]
    # Numbers of no known form give way to those of one.
    known = [span for span in numbered if span.kind != numbers.CUT]
    numbered = [*known, *clear_of((span for span in numbered if span.kind == numbers.CUT), known)]
    said = page(whole.lower()) if shouts(read) else read
    others = [*addresses.find(read), *nearby.find(said, numbered)]
    others += [*companies.find(read, said), *names.find(said)]
    spans = apart([*numbered, *others])
    spans = apart([*spans, *alone.find(said, spans)])
    for start, end in broken:
        # A word that was divided ends where its second part does.
        spans = [span._replace(end=end) if start < span.end <= end else span for span in spans]
    return spans
