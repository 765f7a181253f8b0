"""Tables and labels as HTML; pure functions that escape what they are given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def table_html(headers: Sequence[str], rows: Iterable[Sequence[str]], numeric: Sequence[int] = ()) -> str:
    """A table of plain texts; every cell is escaped. `numeric`: columns aligned to the right."""
    kind = ['class="art-num"' if column in numeric else "" for column in range(len(headers))]
    head = "".join(f'<th scope="col" {kind[i]}>{escape(text)}</th>' for i, text in enumerate(headers))
    body = "".join(
        "<tr>" + "".join(f"<td {kind[i]}>{escape(cell)}</td>" for i, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    return (
        f'<div class="art-scroll" tabindex="0"><table class="art-table"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def tags_html(tags: Iterable[tuple[str, str]]) -> str:
    """Small labels: (text, CSS class)."""
    return (
        '<div class="art-tags">'
        + "".join(f'<span class="art-tag {kind}">{escape(text)}</span>' for text, kind in tags if text)
        + "</div>"
    )
