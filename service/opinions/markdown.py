"""An opinion as Markdown: CommonMark with footnotes and tables. Every text is data: its signs are escaped."""

import re
from collections.abc import Iterator, Sequence

from service.opinions.content import Cell, Element, Heading, Paragraph, Style, Table, Words
from service.opinions.opinion import Opinion
from text.links import official_url

_SIGNS = re.compile(r"([\\`*_\[\]<>|~&])|^([#=+-])")
_BEFORE = {Style.QUOTE: "> ", Style.BULLET: "- "}


def write(opinion: Opinion) -> bytes:
    """The file, in UTF-8; notes stand at its end."""
    notes: list[str] = []
    body = [f"# {_text(opinion.title)}", _text(opinion.state)]
    for part in opinion.parts:
        body += f"## {_text(part.title)}", *_elements(part.elements, notes)
    body += (f"[^{number}]: {note}" for number, note in enumerate(notes, start=1))
    return ("\n\n".join(body) + "\n").encode()


def _elements(elements: Sequence[Element], notes: list[str]) -> Iterator[str]:
    number = 0
    for element in elements:
        if isinstance(element, Heading):
            yield f"{'#' * (element.level + 1)} {_text(element.text)}"
        elif isinstance(element, Table):
            yield _table(element, notes)
        else:
            number = number + 1 if element.style is Style.NUMBER else 0
            yield _paragraph(element, number, notes)


def _paragraph(paragraph: Paragraph, number: int, notes: list[str]) -> str:
    text = _cell(paragraph.words, notes)
    if paragraph.style is Style.REMARK:
        return f"*{text.strip()}*"
    return (f"{number}. " if number else _BEFORE.get(paragraph.style, "")) + text


def _table(table: Table, notes: list[str]) -> str:
    width = max(map(len, table.rows))
    rows = [[_cell(cell, notes) for cell in row] + [""] * (width - len(row)) for row in table.rows]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])


def _cell(words: Cell, notes: list[str]) -> str:
    return "".join(_words(one, notes) for one in words)


def _words(words: Words, notes: list[str]) -> str:
    text = _text(words.text)
    if words.bold and text.strip():
        text = f"**{text.strip()}**" + " " * (text != text.rstrip())
    if words.note:
        url = f"<{words.url}>" if official_url(words.url) else _text(words.url)
        notes.append(f"{_text(words.note)} {url}".strip())
        text += f"[^{len(notes)}]"
    return text


def _text(text: str) -> str:
    """The text on one line, as nothing but text."""
    return _SIGNS.sub(r"\\\1\2", " ".join(text.split(" ")).replace("\n", " "))
