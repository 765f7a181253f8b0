"""Two wordings side by side; pure functions. A change has a colour, a line and a sign."""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from law.diff import Change, Run
from pages.parts.common.html import EMPTY, Html, added, each, html, join, removed
from pages.parts.common.words import plural
from text import rows
from text.segmentation import is_row

BREAK = html("<br>")
SHOWN = 2
OWN_BAR = "\ue000"
"""A bar that is text of a cell, while its row is parted at the others."""
_BAR = re.compile(r"(?<!\\)(\|)")


class Line(NamedTuple):
    """A line of one side: its text, and the same with its changes marked."""

    text: str
    shown: Html
    same: bool


class Row(NamedTuple):
    """The marked paragraphs before and after, side by side, and their text."""

    left: Html = EMPTY
    right: Html = EMPTY
    before: str = ""
    after: str = ""

    @property
    def same(self) -> bool:
        return self.left == self.right

    @property
    def tabular(self) -> bool:
        """True for rows of a table alone."""
        lines = [line for side in (self.before, self.after) for line in side.split("\n") if line.strip()]
        return all(map(is_row, lines))


def diff_html(runs: Sequence[Run], before: str, after: str) -> Html:
    """A table of two columns whose rows begin where both wordings begin a paragraph.

    Tables are drawn as tables, with their header; rows and paragraphs without changes fold away.

    Args:
        before, after: headings of the columns.
    """
    body = join(
        _tables(list(part)) if tabular else join(_group(list(g)) for _, g in groupby(part, key=_is_same))
        for tabular, part in groupby(_rows(runs), key=lambda row: row.tabular)
    )
    return html(
        '<div class="art-diff" role="group" aria-label="Comparación de redacciones">'
        '<p class="art-diff-head">{}</p><p class="art-diff-head">{}</p>{}</div>',
        before,
        after,
        body,
    )


def _is_same(row: Row) -> bool:
    return row.same


def _group(found: list[Row]) -> Html:
    """Rows with changes, or a run of rows without any, which folds away when it is long."""
    shown = join(map(_row, found))
    if len(found) <= SHOWN or not found[0].same:
        return shown
    return _folded(f"{len(found)} párrafos sin cambios", shown)


def _folded(told: str, shown: Html) -> Html:
    return html('<details><summary>{}</summary><div class="art-diff">{}</div></details>', told, shown)


def _row(row: Row) -> Html:
    if any(is_row(line) for side in (row.before, row.after) for line in side.split("\n")):
        return _beside(_side(_lines([row], 0)), _side(_lines([row], 1)), same=row.same)
    if row.same:
        return html('<p>{}</p><p class="art-same">{}</p>', row.left, row.right)
    return html('<p class="art-old">{}</p><p class="art-new">{}</p>', row.left, row.right)


def _beside(left: Html, right: Html, *, same: bool) -> Html:
    if same:
        return html('<div>{}</div><div class="art-same">{}</div>', left, right)
    return html('<div class="art-old">{}</div><div class="art-new">{}</div>', left, right)


def _tables(found: list[Row]) -> Html:
    """The rows of a table on both sides: those without changes are counted, the header stays."""
    before, after = _lines(found, 0), _lines(found, 1)
    if not all(row.same for row in found):
        return _beside(_side(before), _side(after), same=False)
    whole = _side([line._replace(same=False) for line in before])
    return _folded("Tabla sin cambios", _beside(whole, whole, same=True))


def _lines(found: Sequence[Row], side: int) -> list[Line]:
    """The lines of one side: 0 before, 1 after."""
    return [
        Line(text, shown, row.same)
        for row in found
        for text, shown in zip(
            (row.before, row.after)[side].split("\n"),
            (row.left, row.right)[side].split(BREAK),
            strict=False,
        )
        if text.strip()
    ]


def _side(lines: Sequence[Line]) -> Html:
    """Lines as paragraphs, and those of tables as tables."""
    return join(
        _table(list(group)) if tabular else html("<p>{}</p>", join((line.shown for line in group), BREAK))
        for tabular, group in groupby(lines, key=lambda line: is_row(line.text))
    )


def _table(lines: Sequence[Line]) -> Html:
    """A table; without a rule under its first row, that is its header."""
    head = rows.headers([line.text for line in lines]) or (0,)
    body = [line for place, line in enumerate(lines) if place not in head and not rows.is_rule(line.text)]
    shown: list[Html] = []
    for same, group in groupby(body, key=lambda line: line.same):
        run = list(group)
        if same and len(run) > SHOWN:
            told, width = plural(len(run), "fila", "filas"), len(rows.cells(run[0].text))
            shown.append(html('<tr><td colspan="{}">{} sin cambios</td></tr>', width, told))
        else:
            shown += [html("<tr>{}</tr>", _cells(line, "td")) for line in run]
    top = each("<tr>{}</tr>", (_cells(lines[place], "th") for place in head))
    return html(
        '<div class="art-table"><table><thead>{}</thead><tbody>{}</tbody></table></div>', top, join(shown)
    )


def _cells(line: Line, tag: str) -> Html:
    bars = line.shown.strip().replace("\\|", OWN_BAR).split("|")[1:-1]
    inside = [cell.strip().replace(OWN_BAR, "|") for cell in bars]
    return each('<th scope="col">{}</th>', inside) if tag == "th" else each("<td>{}</td>", inside)


def _rows(runs: Sequence[Run]) -> list[Row]:
    found = [Row()]
    for run in runs:
        if run.kind is Change.EQUAL:
            if _at_paragraph_start(found[-1]):
                found.append(Row())
            for place, paragraph in enumerate(run.text.split("\n")):
                if place:
                    found.append(Row())
                left, right, before, after = found[-1]
                found[-1] = Row(left + paragraph, right + paragraph, before + paragraph, after + paragraph)
            continue
        left, right, before, after = found[-1]
        marked = _marked(run)
        if run.kind is Change.DELETE:
            found[-1] = Row(left + marked, right, before + run.text, after)
        else:
            found[-1] = Row(left, right + marked, before, after + run.text)
    ended = (Row(one[0].removesuffix(BREAK), one[1].removesuffix(BREAK), one[2], one[3]) for one in found)
    return [row for row in ended if row.left.strip() or row.right.strip()]


def _at_paragraph_start(row: Row) -> bool:
    """True if a paragraph begins here on both sides."""
    sides = (row.left, row.right)
    return any(sides) and all(not part or part.endswith(BREAK) for part in sides)


def _marked(run: Run) -> Html:
    """Each paragraph and each cell marked separately; line breaks and bars stay outside the marks."""
    mark = removed if run.kind is Change.DELETE else added
    return join(
        (
            join(mark(piece) if piece.strip() and piece != "|" else piece for piece in _BAR.split(line))
            for line in run.text.split("\n")
        ),
        BREAK,
    )
