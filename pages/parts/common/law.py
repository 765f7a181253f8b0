"""Legal texts as HTML: paragraphs, tables, and the quotations in them marked; pure functions."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from pages.parts.common.html import EMPTY, Html, each, html, join
from text import rows
from text.segmentation import is_row

Span = tuple[int, int]


def law_html(text: str) -> Html:
    """A legal text, one paragraph per line, with its tables."""
    return quoted_html(text, ())


def quoted_html(text: str, spans: Sequence[Span]) -> Html:
    """A legal text with the quotations at `spans` (character offsets) marked.

    The paragraphs and rows of the quotations and one on each side are shown; the others fold away. Each piece
    of a table has the header of the table.
    """
    lines = [(m.start(), m.end()) for m in re.finditer(r"[^\n]*\S[^\n]*", text)]
    headers = _headers([text[start:end] for start, end in lines])
    quoted = [any(start < s_end and s_start < end for s_start, s_end in spans) for start, end in lines]
    for place in {place for head in headers.values() for place in head}:
        # The header of a table shows with its quoted rows.
        quoted[place] &= not any(quoted[i] for i, head in headers.items() if place in head and i not in head)
    near = [any(quoted[max(i - 1, 0) : i + 2]) or not spans for i in range(len(lines))]
    parts: list[Html] = []
    for shown, group in groupby(range(len(lines)), key=near.__getitem__):
        run = list(group)
        body = join(_body(text, run, lines, headers, spans if shown else ()))
        last = run[-1] == len(lines) - 1
        parts.append(body if shown else _folded(body, len(run), run[0] == 0, last))
    return html('<div class="art-law">{}</div>', join(parts))


def _headers(lines: Sequence[str]) -> dict[int, tuple[int, ...]]:
    """Place of each row to the places of the lines of its table's header, which has its own."""
    found: dict[int, tuple[int, ...]] = {}
    place = 0
    while place < len(lines):
        if not is_row(lines[place]):
            place += 1
            continue
        end = place + 1
        while end < len(lines) and is_row(lines[end]) and not rows.is_rule("".join(lines[end + 1 : end + 2])):
            end += 1
        head = tuple(place + one for one in rows.headers(lines[place:end]))
        found.update(dict.fromkeys(range(place, end), head))
        place = end
    return found


def _body(
    text: str,
    run: Sequence[int],
    lines: Sequence[Span],
    headers: dict[int, tuple[int, ...]],
    spans: Sequence[Span],
) -> Iterator[Html]:
    """The lines of a run: paragraphs, and one table for the rows of each table."""
    for head, group in groupby(run, key=headers.get):
        places = list(group)
        if head is None:
            yield from (html("<p>{}</p>", _marked(text, *lines[i], spans)) for i in places)
            continue
        body = [i for i in places if i not in head and not rows.is_rule(text[slice(*lines[i])])]
        top = each("<tr>{}</tr>", (join(_cells(text, lines[i], spans, "th")) for i in head))
        rest = each("<tr>{}</tr>", (join(_cells(text, lines[i], spans, "td")) for i in body))
        yield html(
            '<div class="art-table"><table>{}<tbody>{}</tbody></table></div>',
            html("<thead>{}</thead>", top) if head else EMPTY,
            rest,
        )


def _cells(text: str, line: Span, spans: Sequence[Span], tag: str) -> Iterator[Html]:
    """The cells of a row, marked where it is quoted."""
    for start, end in rows.cell_spans(text[slice(*line)]):
        marked = _marked(text, line[0] + start, line[0] + end, spans)
        yield html('<th scope="col">{}</th>', marked) if tag == "th" else html("<td>{}</td>", marked)


def _marked(text: str, start: int, end: int, spans: Sequence[Span]) -> Html:
    """The text of a stretch, with the quotations in it marked."""
    pieces: list[str] = []
    position = start
    for s_start, s_end in sorted(spans):
        opening, closing = max(s_start, position), min(s_end, end)
        if opening < closing:
            pieces += text[position:opening], html("<mark>{}</mark>", text[opening:closing])
            position = closing
    return join([*pieces, text[position:end]])


def _folded(lines: Html, count: int, first: bool, last: bool) -> Html:
    where = "anterior" if first else "posterior" if last else "intermedio"
    unit = "párrafo" if count == 1 else "párrafos"
    return html("<details><summary>Texto {} ({} {})</summary>{}</details>", where, count, unit, lines)
