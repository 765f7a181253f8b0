"""Untrusted text (of models, documents and users) to HTML of our own; pure functions.

Everything is escaped first, so nothing in the text can become a link, an image or a tag. What is
then allowed is what a legal answer needs: paragraphs, lists, sub-headings, bold, and the markers of
citations that exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from operator import itemgetter
from urllib.parse import urlsplit

from rag.text.textnorm import visible

OFFICIAL_HOSTS = (
    "boe.es",
    "poderjudicial.es",
    "tribunalconstitucional.es",
    "seg-social.es",
    "sepe.es",
    "mites.gob.es",
    "curia.europa.eu",
    "eur-lex.europa.eu",
)

_BULLET = re.compile(r"^\s*[-*•·–]\s+(?=\S)")
_NUMBERED = re.compile(r"^\s*(\d{1,3})[.)]\s+(?=\S)")
_HEADING = re.compile(r"^\s*#{1,6}\s+(?=\S)")
# Up to the next «**» and no further: otherwise each that is never closed would be looked for to the end.
_BOLD = re.compile(r"\*\*(?=\S)((?:(?!\*\*).)+)(?<=\S)\*\*")
_MARKER = re.compile(r"\s?\[(C\d+)\]")


def escaped(text: str) -> str:
    """Text as HTML, without characters that hide or reorder it."""
    return escape(visible(text))


def answer_html(text: str, sources: Mapping[str, str] | None = None) -> str:
    """An answer as HTML.

    Args:
        sources: marker to the name of its source ('C1': 'ET · Artículo 38'); only these markers are
            shown as citations. Without it (a draft that is not verified) every marker is left as text.
    """
    return "".join(_blocks(text, sources or {}))


def _blocks(text: str, sources: Mapping[str, str]) -> Iterator[str]:
    for kind, group in groupby(map(_classified, text.splitlines()), key=itemgetter(0)):
        lines = list(group)
        shown = [_inline(content, sources) for _, content, _ in lines]
        if kind == "paragraph":
            yield f"<p>{'<br>'.join(shown)}</p>"
        elif kind == "heading":
            yield from (f'<p class="art-sub">{line}</p>' for line in shown)
        elif kind == "bullets":
            yield f"<ul>{''.join(f'<li>{line}</li>' for line in shown)}</ul>"
        elif kind == "numbers":
            yield f'<ol start="{lines[0][2]}">{"".join(f"<li>{line}</li>" for line in shown)}</ol>'


def _classified(line: str) -> tuple[str, str, int]:
    """What a line is, its text without the mark that says so, and its number in a numbered list."""
    if not line.strip():
        return "blank", "", 0
    if heading := _HEADING.match(line):
        return "heading", line[heading.end() :], 0
    if bullet := _BULLET.match(line):
        return "bullets", line[bullet.end() :], 0
    if numbered := _NUMBERED.match(line):
        return "numbers", line[numbered.end() :], int(numbered[1])
    return "paragraph", line.strip(), 0


def _inline(text: str, sources: Mapping[str, str]) -> str:
    safe = _BOLD.sub(r"<strong>\1</strong>", escaped(text))

    def chip(match: re.Match[str]) -> str:
        name = sources.get(match[1])
        return match[0] if name is None else marker_html(match[1], name)

    return _MARKER.sub(chip, safe)


def marker_html(marker: str, name: str) -> str:
    """The badge of a citation; `name` is its tooltip."""
    label = escaped(f"Fuente {marker}: {name}")
    return f'<span class="art-chip" role="note" aria-label="{label}" title="{label}">{escaped(marker)}</span>'


def plain_html(text: str) -> str:
    """Text as it is, one paragraph a line."""
    return "".join(f"<p>{escaped(line)}</p>" for line in text.splitlines() if line.strip())


def quoted_html(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """A legal text with the quotations at `spans` (character offsets) marked.

    The paragraphs of the quotations and one on each side are shown; the others fold away.
    """
    paragraphs = [(m.start(), m.end()) for m in re.finditer(r"[^\n]*\S[^\n]*", text)]
    quoted = [any(start < s_end and s_start < end for s_start, s_end in spans) for start, end in paragraphs]
    near = [any(quoted[max(i - 1, 0) : i + 2]) or not spans for i in range(len(paragraphs))]
    parts: list[str] = []
    for shown, group in groupby(range(len(paragraphs)), key=near.__getitem__):
        run = list(group)
        html = "".join(_paragraph(text, *paragraphs[i], spans) for i in run)
        parts.append(html if shown else _folded(html, len(run), run[0] == 0, run[-1] == len(paragraphs) - 1))
    return f'<div class="art-law">{"".join(parts)}</div>'


def _paragraph(text: str, start: int, end: int, spans: Sequence[tuple[int, int]]) -> str:
    pieces: list[str] = []
    position = start
    for s_start, s_end in sorted(spans):
        opening, closing = max(s_start, position), min(s_end, end)
        if opening < closing:
            pieces.append(escaped(text[position:opening]))
            pieces.append(f"<mark>{escaped(text[opening:closing])}</mark>")
            position = closing
    return f"<p>{''.join(pieces)}{escaped(text[position:end])}</p>"


def _folded(html: str, count: int, first: bool, last: bool) -> str:
    where = "anterior" if first else "posterior" if last else "intermedio"
    unit = "párrafo" if count == 1 else "párrafos"
    return f"<details><summary>Texto {where} ({count} {unit})</summary>{html}</details>"


def official_url(url: str) -> str | None:
    """The address when it is an https one of an official source; None otherwise."""
    try:
        parts = urlsplit(url)
        host, plain = (parts.hostname or "").lower(), parts.port is None and parts.username is None
    except ValueError:
        return None
    known = any(host == name or host.endswith("." + name) for name in OFFICIAL_HOSTS)
    return url if parts.scheme == "https" and plain and known and url.isprintable() else None


def label_text(text: str) -> str:
    """Text for the label of a widget, which Streamlit reads as Markdown: every mark is escaped."""
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|<>~:$&])", r"\\\1", " ".join(visible(text).split()))
