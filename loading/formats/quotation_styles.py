"""Paragraphs of a brief in a style of quotations: by the names of styles in Word and LibreOffice."""

from loading.formats.word_text import NOTES

QUOTES = {
    "quote",
    "quotations",
    "intense quote",
    "block text",
    "block quotation",
    "cita",
    "citas",
    "cita destacada",
    "cita intensa",
    "texto de bloque",
}
"""Names in small letters; LibreOffice's own is «Quotations» in every language."""
MOST_BASES = 20
"""Styles that a style may be based on, one on the other."""
_MARKS = tuple("«“‘\"'‹„>")


def quoted(line: str) -> str:
    """The line as Markdown marks a quotation, unless it has marks of its own."""
    return line if line.lstrip().startswith((*_MARKS, *NOTES)) else f"> {line}"
