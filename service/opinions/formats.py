"""The formats that an opinion is written in. All have the same words, notes and addresses."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from service.contract.files import DOCX
from service.opinions import markdown
from service.opinions.opinion import Opinion


class Format(StrEnum):
    """Formats by the endings of their files."""

    WORD = "docx"
    PDF = "pdf"
    MARKDOWN = "md"
    JSON = "json"


class Written(NamedTuple):
    """A format: its name for people, its media type, and what writes it."""

    name: str
    media: str
    write: Callable[[Opinion], bytes]


def _word(opinion: Opinion) -> bytes:
    from service.opinions import word

    writer = word.Writer(opinion.title)
    writer.line(opinion.state)
    for part in opinion.parts:
        writer.heading(part.title)
        writer.elements(part.elements)
    return writer.saved()


def _pdf(opinion: Opinion) -> bytes:
    from service.opinions import pdf

    return pdf.write(opinion)


def _json(opinion: Opinion) -> bytes:
    return opinion.model_dump_json(indent=2).encode()


FORMATS: Mapping[Format, Written] = {
    Format.WORD: Written("Word", DOCX, _word),
    Format.PDF: Written("PDF", "application/pdf", _pdf),
    Format.MARKDOWN: Written("Markdown", "text/markdown", markdown.write),
    Format.JSON: Written("JSON", "application/json", _json),
}
