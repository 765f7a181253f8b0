"""HTML of the pages. Only `Html` is markup: any other text is escaped when it is put into it."""

from collections.abc import Iterable, Sequence
from typing import Any, LiteralString, Self

import streamlit as st
from markupsafe import Markup, escape
from streamlit.delta_generator import DeltaGenerator

from text.textnorm import visible

Tag = tuple[str, str]
"""A small label: its text and the CSS class that colours it."""


class Html(Markup):
    """Markup of ours; texts put into it are escaped and lose characters that hide or reorder letters."""

    @classmethod
    def escape(cls, text: Any, /) -> Self:
        return text if isinstance(text, cls) else cls(escape(visible(str(text))))


EMPTY = Html()


def html(template: LiteralString, *values: object) -> Html:
    """The template with the values in its `{}`."""
    return Html(template).format(*values)


def each(template: LiteralString, rows: Iterable[object]) -> Html:
    """The template once for each row, joined; a row that is a tuple fills several `{}`."""
    return join(html(template, *(row if isinstance(row, tuple) else (row,))) for row in rows)


def join(parts: Iterable[str], between: Html = EMPTY) -> Html:
    """The parts one after the other; those that are not `Html` are escaped."""
    return between.join(parts)


def show(*parts: Html, at: DeltaGenerator | None = None) -> None:
    """Draw the parts as one element, here or in a column; nothing when all are empty."""
    if body := str(join(parts)):
        (at.html if at is not None else st.html)(body)


def note(text: object) -> Html:
    """A small grey line."""
    return html('<p class="art-note">{}</p>', text)


def notes(lines: Iterable[object]) -> Html:
    """One note per line."""
    return join(map(note, lines))


def removed(text: str) -> Html:
    """A text that only the earlier wording has."""
    return html('<del><span class="art-sign">[−</span>{}<span class="art-sign">−]</span></del>', text)


def added(text: str) -> Html:
    """A text that only the later wording has."""
    return html('<ins><span class="art-sign">[+</span>{}<span class="art-sign">+]</span></ins>', text)


def status(text: object) -> Html:
    """A note that a screen reader announces when it changes."""
    return html('<p class="art-note" role="status">{}</p>', text)


def warning(*lines: object) -> Html:
    """A coloured box with a paragraph per line; empty without lines."""
    return html('<div class="art-warn">{}</div>', each("<p>{}</p>", lines)) if lines else EMPTY


def problem(*lines: object) -> Html:
    """The box of what failed; empty without lines."""
    return html('<div class="art-bad">{}</div>', each("<p>{}</p>", lines)) if lines else EMPTY


def titled(title: str, rest: object = "") -> Html:
    """The first line of an entry of a list: its title in bold, then `rest`."""
    return html('<p class="art-row"><b>{}</b>{}</p>', title, rest)


def badges(tags: Iterable[Tag]) -> Html:
    """Small labels; those without a text are left out."""
    shown = ((kind, text) for text, kind in tags if text)
    return html('<div class="art-tags">{}</div>', each('<span class="art-tag {}">{}</span>', shown))


def facts(tags: Iterable[Tag], text: object) -> Html:
    """Small labels and a note in one line."""
    return html('<div class="art-facts">{}{}</div>', badges(tags), note(text))


def bullets(lines: Iterable[object]) -> Html:
    """A list with one item per line."""
    return html('<ul class="art-list">{}</ul>', each("<li>{}</li>", lines))


def listed(title: str, lines: Sequence[object]) -> Html:
    """A note and a list under it; empty without lines."""
    return note(title) + bullets(lines) if lines else EMPTY


def fields(*pairs: tuple[str, str]) -> Html:
    """Names and values in two columns; pairs without a value are left out. Empty without pairs."""
    rows = each("<dt>{}</dt><dd>{}</dd>", (pair for pair in pairs if pair[1].strip()))
    return html('<dl class="art-fields">{}</dl>', rows) if rows else EMPTY


def show_fields(*pairs: tuple[str, str]) -> None:
    """Draw the pairs that have a value, in two columns."""
    show(fields(*pairs))


def tiles(cells: Iterable[tuple[str, object, object]]) -> Html:
    """Large figures: name, value and a small qualifier."""
    shown = ((name, value, html("<small>{}</small>", small) if small else "") for name, value, small in cells)
    return html('<dl class="art-tiles">{}</dl>', each("<div><dt>{}</dt><dd>{}{}</dd></div>", shown))


def trail(steps: Iterable[str]) -> Html:
    """The way to a text through its document: 'Título I › Capítulo II'."""
    spans = (html("<span>{}</span>", step.strip()) for step in steps if step.strip())
    return html('<p class="art-trail">{}</p>', join(spans, Html(" › ")))


def table(headers: Sequence[str], rows: Iterable[Sequence[object]], numeric: Sequence[int] = ()) -> Html:
    """A table that scrolls sideways. `numeric`: indices of the columns aligned to the right."""
    kinds = [Html(' class="art-num"' if column in numeric else "") for column in range(len(headers))]
    head = each('<th scope="col"{}>{}</th>', zip(kinds, headers, strict=True))
    lines = (each("<td{}>{}</td>", zip(kinds, row, strict=True)) for row in rows)
    return html(
        '<div class="art-scroll" tabindex="0"><table class="art-table"><thead><tr>{}</tr></thead>'
        "<tbody>{}</tbody></table></div>",
        head,
        each("<tr>{}</tr>", lines),
    )
