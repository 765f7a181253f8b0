"""Reads a picture of a page, of a document of an expediente, by OCR."""

from core.errors import InputError
from law.norms import Document
from loading.formats import ocr
from loading.formats.assemble import assemble
from loading.formats.broken_lines import Line, paragraphs
from loading.formats.source_file import IMAGES, Source


def is_readable(source: Source) -> bool:
    """True for a picture where there is OCR with Spanish."""
    return source.data.startswith(IMAGES) and ocr.available()


def load(source: Source, collection: str) -> list[Document]:
    """The document of a picture. Raises InputError: no text can be read in it."""
    text = ocr.recognise(source.data)
    if not any(map(str.isalnum, text)):
        raise InputError(
            f"{source.name}: es una imagen en la que no se lee ningún texto; hágala más nítida o escanéela."
        )
    return assemble(source.name, paragraphs([Line(line, 1) for line in text.split("\n")]), collection)
