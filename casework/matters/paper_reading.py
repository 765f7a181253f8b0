"""A document of an expediente read into fragments, each with its page, by the reader that loads use."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from casework.briefs.ruling_state import Paper
from casework.matters.paper_fragments import Fragment
from core.errors import InputError
from law.norms import DOCUMENT, Document
from loading.chunking.chunk import page_marks
from loading.chunking.cut import cut_by_tokens
from loading.parsing.file_reader import FileReader, go_on
from loading.parsing.wire_messages import Check
from text.language import is_foreign
from text.segmentation import sentences

LIMIT, OVERLAP = 350, 40
"""Tokens of a fragment, and those that it repeats of the one before it."""
MOST_REPEATED = 1000
"""Characters that a fragment may repeat of the one before it."""
MAX_PAGES, MAX_FRAGMENTS = 2000, 12_000
# A long line that ends within a sentence: so short a text does not tell how wide its lines are.
_BROKEN = re.compile(r"(?<=[\w,])\n(?=[a-záéíóúüñ])")
TOO_MANY_PAGES = "{name}: tiene {pages} páginas y se admiten {most} por documento; divídalo en partes."
TOO_LONG = "{name}: tiene demasiado texto para un expediente; divídalo en partes."
NO_TEXT = "{name}: no contiene texto; compruebe el archivo y súbalo otra vez."

FOREIGN = (
    "Parece escrito en otra lengua: los hechos se leen del castellano, así que complételos usted con el "
    "documento delante."
)


class ReadDocument(NamedTuple):
    """Contents of a file: fragments, number of pages (0 without any), and problems of reading."""

    fragments: list[Fragment]
    pages: int
    problem: str


def read_paper(path: Path, name: str, reader: FileReader, check: Check = go_on) -> ReadDocument:
    """Read a file in the confined process.

    Args:
        name: its owner's name for it.
        check: see `FileReader.load`.

    Raises:
        InputError: it cannot be read, or is too long; the sentence names it.
    """
    documents = reader.load(path, DOCUMENT, name, check)
    text, marks = _text(documents)
    pages = max((page for _, page in marks), default=0)
    if pages > MAX_PAGES:
        raise InputError(TOO_MANY_PAGES.format(name=name, pages=pages, most=MAX_PAGES))
    fragments = list(_fragments(text, marks))
    if len(fragments) > MAX_FRAGMENTS:
        raise InputError(TOO_LONG.format(name=name))
    if not fragments:
        raise InputError(NO_TEXT.format(name=name))
    told = [one for document in documents for one in document.warnings]
    problem = " ".join(dict.fromkeys([*told, *([FOREIGN] if is_foreign(text) else [])]))
    return ReadDocument(fragments, pages, problem)


def as_paper(name: str, fragments: Sequence[Fragment]) -> Paper:
    """The text of a document as it was before it was cut, for the check of a brief."""
    text = ""
    for one in fragments:
        longest = min(len(one.text), len(text), MOST_REPEATED)
        again = next((n for n in range(longest, 0, -1) if text.endswith(one.text[:n])), 0)
        text += one.text[again:] if again else f"\n{one.text}"
    return Paper(name, text.strip(), [one.text for one in fragments])


def _text(documents: Sequence[Document]) -> tuple[str, list[tuple[int, int]]]:
    """The whole text, and (offset, page) wherever a page begins in it."""
    parts: list[str] = []
    marks: list[tuple[int, int]] = []
    size = 0
    for document in documents:
        for block in document.blocks:
            marks += [(size + at, page) for at, page in page_marks(block)]
            parts.append(block.versions[-1].text if block.versions else "")
            size += len(parts[-1]) + 1
    # One character for another: the marks stay true.
    return _BROKEN.sub(" ", "\n".join(parts)), marks


def _fragments(text: str, marks: Sequence[tuple[int, int]]) -> Iterator[Fragment]:
    """Stretches of whole sentences; a sentence belongs to the page that it begins on."""
    number = 0
    place = 0

    def page_of(start: int) -> int | None:
        nonlocal place
        while place < len(marks) and marks[place][0] <= start:
            place += 1
        return marks[place - 1][1] if place else None

    paged = [(page_of(span.start), span) for span in sentences(text)]
    for page, group in groupby(paged, key=lambda pair: pair[0]):
        spans = [span for _, span in group]
        whole = text[spans[0].start : spans[-1].end]
        for part in cut_by_tokens(whole, LIMIT, OVERLAP):
            if any(map(str.isalnum, whole[part.start : part.end])):
                number += 1
                yield Fragment(number=number, page=page, text=whole[part.start : part.end])
