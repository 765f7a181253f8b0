"""Two wordings side by side; pure functions. A change has a colour, a line and a sign."""

from collections.abc import Sequence
from itertools import groupby

from law.diff import Change, Run
from pages.parts.common.html import EMPTY, Html, added, html, join, removed

BREAK = html("<br>")
SHOWN = 2
Row = tuple[Html, Html]
"""A paragraph before and after."""


def diff_html(runs: Sequence[Run], before: str, after: str) -> Html:
    """A table of two columns whose rows begin where both wordings begin a paragraph.

    Args:
        before, after: headings of the columns.
    """
    rows = join(_group(list(group)) for _, group in groupby(_rows(runs), key=_is_same))
    return html(
        '<div class="art-diff" role="group" aria-label="Comparación de redacciones">'
        '<p class="art-diff-head">{}</p><p class="art-diff-head">{}</p>{}</div>',
        before,
        after,
        rows,
    )


def _is_same(row: Row) -> bool:
    return row[0] == row[1]


def _group(rows: list[Row]) -> Html:
    """Rows with changes, or a run of rows without any, which folds away when it is long."""
    shown = join(_row(*row) for row in rows)
    if len(rows) <= SHOWN or not _is_same(rows[0]):
        return shown
    folded = '<details><summary>{} párrafos sin cambios</summary><div class="art-diff">{}</div></details>'
    return html(folded, len(rows), shown)


def _row(left: Html, right: Html) -> Html:
    if left == right:
        return html('<p>{}</p><p class="art-same">{}</p>', left, right)
    return html('<p class="art-old">{}</p><p class="art-new">{}</p>', left, right)


def _rows(runs: Sequence[Run]) -> list[Row]:
    rows: list[Row] = [(EMPTY, EMPTY)]
    for run in runs:
        if run.kind is Change.EQUAL:
            if _at_paragraph_start(rows[-1]):
                rows.append((EMPTY, EMPTY))
            for place, paragraph in enumerate(run.text.split("\n")):
                if place:
                    rows.append((EMPTY, EMPTY))
                left, right = rows[-1]
                rows[-1] = (left + paragraph, right + paragraph)
            continue
        left, right = rows[-1]
        marked = _marked(run)
        rows[-1] = (left + marked, right) if run.kind is Change.DELETE else (left, right + marked)
    ended = ((left.removesuffix(BREAK), right.removesuffix(BREAK)) for left, right in rows)
    return [row for row in ended if any(part.strip() for part in row)]


def _at_paragraph_start(row: Row) -> bool:
    """True if a paragraph begins here on both sides."""
    return any(row) and all(not part or part.endswith(BREAK) for part in row)


def _marked(run: Run) -> Html:
    """Each paragraph marked separately; line breaks stay outside the marks."""
    mark = removed if run.kind is Change.DELETE else added
    return join((mark(piece) if piece.strip() else piece for piece in run.text.split("\n")), BREAK)
