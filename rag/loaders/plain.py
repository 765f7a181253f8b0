"""Reads plain text in any usual encoding into documents."""

from rag.loaders.assemble import assemble
from rag.loaders.encoding import decode
from rag.loaders.furniture import without_index
from rag.loaders.lines import Line, paragraphs
from rag.loaders.source import Source
from rag.types import Document


def load(source: Source, collection: str) -> list[Document]:
    """The documents of a text file.

    Raises:
        InputError: it is not text, or holds none.
    """
    lines = without_index([decode(source.data, source.name).split("\n")])[0]
    return assemble(source.name, paragraphs([Line(line.rstrip()) for line in lines]), collection)
