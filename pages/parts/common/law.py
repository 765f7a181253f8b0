"""Legal texts as HTML: paragraphs, tables, and the quotations in them marked; pure functions."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from law.provision import Kind, Provision, Unit
from law.provision_reading import read_provision
from pages.parts.common.html import EMPTY, Html, each, html, join
from text import rows

Place = tuple[int, int]


def law_html(text: str) -> Html:
    """A legal text, one paragraph per line, with its tables."""
    return quoted_html(text, ())


def quoted_html(text: str, spans: Sequence[Place]) -> Html:
    """A legal text with the quotations at `spans` (character offsets) marked.

    The paragraphs and rows of the quotations and one on each side are shown; the others fold away. Each piece
    of a table has the header of the table.
    """
    lines = list(_lines(read_provision(text)))
    quoted = [any(unit.start < end and start < unit.end for start, end in spans) for unit, _ in lines]
    with_rows = {
        table.start
        for (unit, table), own in zip(lines, quoted, strict=True)
        if own and table and unit.kind is Kind.ROW
    }
    for place, (unit, table) in enumerate(lines):
        # The header of a table shows with its quoted rows.
        quoted[place] &= not (table and unit.kind is Kind.HEADER and table.start in with_rows)
    near = [any(quoted[max(i - 1, 0) : i + 2]) or not spans for i in range(len(lines))]
    parts: list[Html] = []
    for shown, group in groupby(range(len(lines)), key=near.__getitem__):
        run = list(group)
        body = join(_body(text, [lines[i] for i in run], spans if shown else ()))
        last = run[-1] == len(lines) - 1
        parts.append(body if shown else _folded(body, len(run), run[0] == 0, last))
    return html('<div class="art-law">{}</div>', join(parts))


def _lines(provision: Provision) -> Iterator[tuple[Unit, Unit | None]]:
    """Paragraphs, and lines of tables with their table."""
    for block in provision.blocks:
        if block.kind is Kind.TABLE:
            yield from ((line, block) for line in block.children)
        else:
            yield block, None


def _body(text: str, run: Sequence[tuple[Unit, Unit | None]], spans: Sequence[Place]) -> Iterator[Html]:
    """The lines of a run: paragraphs, and one table for the rows of each table."""
    for table, group in groupby(run, key=lambda line: line[1]):
        units = [unit for unit, _ in group]
        if table is None:
            yield from (html("<p>{}</p>", _marked(text, unit.span, spans)) for unit in units)
            continue
        head = [line for line in table.children if line.kind is Kind.HEADER]
        body = (line for line in units if line.kind is Kind.ROW)
        top = each("<tr>{}</tr>", (join(_cells(text, line, spans, "th")) for line in head))
        rest = each("<tr>{}</tr>", (join(_cells(text, line, spans, "td")) for line in body))
        yield html(
            '<div class="art-table"><table>{}<tbody>{}</tbody></table></div>',
            html("<thead>{}</thead>", top) if head else EMPTY,
            rest,
        )


def _cells(text: str, line: Unit, spans: Sequence[Place], tag: str) -> Iterator[Html]:
    """The cells of a row, marked where it is quoted."""
    for start, end in rows.cell_spans(text[line.start : line.end]):
        marked = _marked(text, (line.start + start, line.start + end), spans)
        yield html('<th scope="col">{}</th>', marked) if tag == "th" else html("<td>{}</td>", marked)


def _marked(text: str, place: Place, spans: Sequence[Place]) -> Html:
    """The text of a stretch, with the quotations in it marked."""
    pieces: list[str] = []
    position, end = place
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
