"""Two wordings side by side; pure functions. A change is told by colour, by a line and by a sign."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

from rag.law.diff import Change, Run

REMOVED = '<del><span class="art-sign">[−</span>{}<span class="art-sign">−]</span></del>'
BREAK = "<br>"
SHOWN = 2
ADDED = '<ins><span class="art-sign">[+</span>{}<span class="art-sign">+]</span></ins>'


def diff_html(runs: Sequence[Run], before: str, after: str) -> str:
    """A table of two columns whose rows begin where both wordings begin a paragraph.

    Args:
        before, after: what the columns are headed.
    """
    head = f'<p class="art-diff-head">{escape(before)}</p><p class="art-diff-head">{escape(after)}</p>'
    rows = "".join(_group(list(group)) for _, group in groupby(_rows(runs), key=_is_same))
    return f'<div class="art-diff" role="group" aria-label="Comparación de redacciones">{head}{rows}</div>'


def _is_same(row: tuple[str, str]) -> bool:
    return row[0] == row[1]


def _group(rows: list[tuple[str, str]]) -> str:
    """Rows with changes, or a stretch without any, which folds away when it is long."""
    html = "".join(_row(*row) for row in rows)
    if len(rows) <= SHOWN or not _is_same(rows[0]):
        return html
    return (
        f"<details><summary>{len(rows)} párrafos sin cambios</summary>"
        f'<div class="art-diff">{html}</div></details>'
    )


def _row(left: str, right: str) -> str:
    if left == right:
        return f'<p>{left}</p><p class="art-same">{right}</p>'
    return f'<p class="art-old">{left}</p><p class="art-new">{right}</p>'


def _rows(runs: Sequence[Run]) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = [("", "")]
    for run in runs:
        if run.kind is Change.EQUAL:
            if _at_paragraph_start(rows[-1]):
                rows.append(("", ""))
            for place, paragraph in enumerate(run.text.split("\n")):
                if place:
                    rows.append(("", ""))
                left, right = rows[-1]
                rows[-1] = (left + escape(paragraph), right + escape(paragraph))
            continue
        left, right = rows[-1]
        marked = _marked(run)
        rows[-1] = (left + marked, right) if run.kind is Change.DELETE else (left, right + marked)
    ended = ((left.removesuffix(BREAK), right.removesuffix(BREAK)) for left, right in rows)
    return [row for row in ended if any(part.strip() for part in row)]


def _at_paragraph_start(row: tuple[str, str]) -> bool:
    """Whether what comes next begins a paragraph on both sides."""
    return any(row) and all(not part or part.endswith(BREAK) for part in row)


def _marked(run: Run) -> str:
    """Each paragraph marked by itself; the breaks between them stay outside the marks."""
    mark = REMOVED if run.kind is Change.DELETE else ADDED
    pieces = run.text.split("\n")
    text = mark.format(escape(pieces[0])) if pieces[0].strip() else escape(pieces[0])
    for piece in pieces[1:]:
        text += BREAK + (mark.format(escape(piece)) if piece.strip() else escape(piece))
    return text
