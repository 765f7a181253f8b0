"""Reads plain text in any usual encoding into documents."""

from law.norms import Document
from loading.formats.assemble import assemble
from loading.formats.broken_lines import Line, paragraphs
from loading.formats.encoding import decode
from loading.formats.page_furniture import without_index
from loading.formats.source_file import Source


def load(source: Source, collection: str) -> list[Document]:
    """The documents of a text file.

    Raises:
        InputError: it is not text, or holds none.
    """
    lines = without_index([decode(source.data, source.name).split("\n")])[0]
    return assemble(source.name, paragraphs([Line(line.rstrip()) for line in lines]), collection)
