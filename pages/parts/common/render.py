"""Untrusted text (of models, documents and users) to HTML of our own; pure functions.

Every piece of text is escaped, so none can become a link, an image or a tag. The markup around the pieces is
the little that a legal answer needs: paragraphs, lists, sub-headings, bold, and the marks of known citations.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from pages.parts.common.html import Html, each, html, join, table
from rag.answers.aside import ASIDE, without_aside
from text.markers import MARKER
from text.textnorm import visible

SHOWN = 400
"""Characters of a quotation in the tooltip of its mark."""
LONG, BEGINNING = 1000, 240
"""Characters of a question that is folded, and those of it that stay in sight."""

FEWEST_ROWS, BETWEEN = 2, " · "
"""Rows in words that are shown as a table, and what stands between their cells."""
_BULLET = re.compile(r"^\s*[-*•·–]\s+(?=\S)")
_NUMBERED = re.compile(r"^\s*(\d{1,3})[.)]\s+(?=\S)")
_HEADING = re.compile(r"^\s*#{1,6}\s+(?=\S)")
# Stops at the next «**»: without that, each unclosed one would be searched for up to the end.
_BOLD = re.compile(r"\*\*(?=\S)((?:(?!\*\*).)+)(?<=\S)\*\*")
_MARKER = re.compile(rf"(\s?{MARKER})")


class Mark(NamedTuple):
    """The article of a marker.

    Attributes:
        number: what its mark shows, unless `shown` says something else.
        name: 'ET · Artículo 38'.
        quoted: the words quoted; not given with addresses, since that of the text holds them.
        page, text: addresses of its page and of its text; without them its mark is no link.
    """

    number: int
    name: str
    quoted: str = ""
    page: str = ""
    text: str = ""
    shown: str = ""


def answer_html(
    text: str, sources: Mapping[str, Mark] | None = None, unchecked: Collection[str] = ()
) -> Html:
    """An answer as HTML.

    Args:
        sources: by marker; only these become marks of citations. Without it, as for a draft not yet verified,
            every marker stays text.
        unchecked: the markers of sources that are only named: their marks say so.
    """
    badges = {
        marker: _badge(source, checked=marker not in unchecked) for marker, source in (sources or {}).items()
    }
    shown, aside = without_aside(text)
    folded = html(
        '<details class="art-aside"><summary>{}</summary>{}</details>', ASIDE, join(_blocks(aside, badges))
    )
    return join([*_blocks(shown, badges), *([folded] if aside else [])])


def _blocks(text: str, badges: Mapping[str, Html]) -> Iterator[Html]:
    for kind, group in groupby(map(_classified, text.splitlines()), key=itemgetter(0)):
        lines = list(group)
        shown = [_inline(visible(content), badges) for _, content, _ in lines]
        if kind == "paragraph":
            yield from _lines([content for _, content, _ in lines], badges)
        elif kind == "heading":
            yield each('<p class="art-sub">{}</p>', shown)
        elif kind == "bullets":
            yield html("<ul>{}</ul>", each("<li>{}</li>", shown))
        elif kind == "numbers":
            yield html('<ol start="{}">{}</ol>', lines[0][2], each("<li>{}</li>", shown))


def _lines(lines: Sequence[str], badges: Mapping[str, Html]) -> Iterator[Html]:
    """Lines as a paragraph; rows in words that name the same columns, one after another, as a table."""
    for names, group in groupby(lines, key=_columns):
        said = list(group)
        if len(said) < FEWEST_ROWS or not names:
            yield html("<p>{}</p>", join([_inline(visible(one), badges) for one in said], html("<br>")))
            continue
        cells = [[cell.partition(": ")[2] for cell in line.split(BETWEEN)] for line in said]
        rows = ([_inline(visible(cell), badges) for cell in row] for row in cells)
        yield table([html("{}", visible(name)) for name in names], rows)


def _columns(line: str) -> tuple[str, ...]:
    """The names of the columns of a row in words («Años: 3 · Días: 20»), or none."""
    cells = [cell.partition(": ") for cell in line.split(BETWEEN)]
    named = len(cells) > 1 and "«" not in line and all(name and value for name, _, value in cells)
    return tuple(name for name, _, _ in cells) if named else ()


def _classified(line: str) -> tuple[str, str, int]:
    """Kind of a line, its text without the mark of that kind, and its number in a numbered list."""
    if not line.strip():
        return "blank", "", 0
    if heading := _HEADING.match(line):
        return "heading", line[heading.end() :], 0
    if bullet := _BULLET.match(line):
        return "bullets", line[bullet.end() :], 0
    if numbered := _NUMBERED.match(line):
        return "numbers", line[numbered.end() :], int(numbered[1])
    return "paragraph", line.strip(), 0


def _inline(text: str, badges: Mapping[str, Html]) -> Html:
    # Every second piece of the split is bold.
    pieces = [join(_marked(piece, badges)) for piece in _BOLD.split(text)]
    pieces[1::2] = [html("<strong>{}</strong>", piece) for piece in pieces[1::2]]
    return join(pieces)


def _marked(text: str, badges: Mapping[str, Html]) -> Iterator[str]:
    """The pieces of a text, with the markers of known sources as marks; one beside its equal is dropped."""
    first, *rest = _MARKER.split(text)
    yield first
    shown, between = "", first
    for whole, marker, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        badge = badges.get(marker, whole)
        if between or badge != shown:
            yield badge
        yield after
        shown, between = badge, after


def _badge(source: Mark, *, checked: bool) -> Html:
    """The mark of a source in a line of text: read aloud it says if its words were checked.

    A script makes the tooltip of one with an address, of the words that the address holds.
    """
    kind = "art-chip" if checked else "art-chip art-named"
    told = f"Cita comprobada {source.number}" if checked else f"Fuente {source.number}, sin cita comprobada"
    if source.page:
        mark = '<a class="{}" href="{}" data-text="{}" aria-label="{}: {}">{}</a>'
        shown = source.shown or source.number
        return html(mark, kind, source.page, source.text, told, source.name, shown)
    words = f"{source.quoted[:SHOWN]}…" if len(source.quoted) > SHOWN else source.quoted
    tip = f"{source.name}: «{words}»" if words else source.name
    mark = '<span class="{}" role="note" aria-label="{}: {}" title="{}">{}</span>'
    return html(mark, kind, told, source.name, tip, source.shown or source.number)


def plain_html(text: str) -> Html:
    """Text unchanged, one paragraph per line."""
    return each("<p>{}</p>", (line for line in text.splitlines() if line.strip()))


def question_html(text: str) -> Html:
    """A question, unchanged; a long text folded under its beginning."""
    if len(text) <= LONG:
        return html('<div class="art-question">{}</div>', plain_html(text))
    folded = '<details class="art-question"><summary>{}… <span>Leer entero</span></summary>{}</details>'
    return html(folded, " ".join(text[:BEGINNING].split()), plain_html(text))


def label_text(text: str) -> str:
    """Text for the label of a widget, which Streamlit reads as Markdown: its marks are escaped."""
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|<>~:$&])", r"\\\1", " ".join(visible(text).split()))
