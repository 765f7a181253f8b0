"""All personal data of a text, one finder after another."""

from rag.privacy import addresses, companies, dictated, documents, names, nearby, numbers, tables
from rag.privacy.page import page
from rag.privacy.spans import Span, apart


def find(text: str) -> list[Span]:
    """Every piece of personal data in the text, in order and without overlaps."""
    read = page(text)
    numbered = [*numbers.find(text), *dictated.find(read), *documents.find(read), *tables.find(read)]
    others = [*addresses.find(read), *nearby.find(read, numbered), *companies.find(read), *names.find(read)]
    return apart([*numbered, *others])
