"""The brief with each of its citations marked; pure functions. A mark has a sign, a colour and a name."""

from collections.abc import Iterator, Sequence

from casework.briefs import quotation_words as words_of
from casework.briefs.findings import Finding, Kind, State, state_name
from law.diff import Change, Run
from pages.parts.answer.pane import page_of, text_of
from pages.parts.citations.words import look_of
from pages.parts.common.html import EMPTY, Html, added, each, html, join, removed
from rag.shared.cited_answer import Source
from text.links import official_url

PIECE = 12_000
"""Characters of a brief that are shown at once."""
MARKED = 1200
"""Characters of quotations that an address may hold."""


def pieces(text: str, findings: Sequence[Finding]) -> list[tuple[int, int]]:
    """Stretches of the text of about PIECE characters, which cut no paragraph and no citation."""
    cuts = [0]
    while len(text) - cuts[-1] > PIECE:
        end = text.rfind("\n", cuts[-1] + 1, cuts[-1] + PIECE)
        end = end if end > cuts[-1] else cuts[-1] + PIECE
        across = [one.start for one in findings if one.start < end < one.end]
        if across and min(across) > cuts[-1]:
            end = min(across)
        cuts.append(end)
    return list(zip(cuts, [*cuts[1:], len(text)], strict=True))


def brief_html(text: str, start: int, end: int, findings: Sequence[Finding]) -> Html:
    """A stretch of the brief, one paragraph a line, with its citations marked."""
    inside = [one for one in findings if start <= one.start < end]
    return html(
        '<div class="art-law art-brief">{}</div>', each("<p>{}</p>", _lines(text, start, end, inside))
    )


def _lines(text: str, start: int, end: int, findings: Sequence[Finding]) -> Iterator[Html]:
    parts: list[str] = []
    cursor = start
    for one in findings:
        # Several articles that share their words have one mark: the table tells them apart.
        if one.start < cursor:
            continue
        parts += text[cursor : one.start], mark(one, text[one.start : one.end])
        cursor = one.end
    parts.append(text[cursor:end])
    line: list[str] = []
    for part in parts:
        if isinstance(part, Html):
            line.append(part)
            continue
        first, *rest = part.split("\n")
        line.append(first)
        for following in rest:
            if any(one.strip() for one in line):
                yield join(line)
            line = [following]
    if any(one.strip() for one in line):
        yield join(line)


def mark(finding: Finding, words: str) -> Html:
    """The words of a citation underlined, and the sign of its state, which is read aloud by its name."""
    (sign, colour), name = look_of(finding), state_name(finding)
    said = '<span class="art-cited-sign" role="img" title="{}" aria-label="{}">{}</span>'
    return html('<span class="art-cited {}">{}{}</span>', colour, words, html(said, name, name, sign))


def source_link(finding: Finding) -> Html:
    """A link to the article in the reading pane, and one to its official text; empty without either."""
    official = official_url(finding.url)
    outer = (
        html('<br><a href="{}" target="_blank" rel="noopener">Texto oficial</a>', official)
        if official
        else EMPTY
    )
    if not (finding.norm_id and finding.block_id):
        return html("{}", finding.source) + outer if finding.source else EMPTY
    source = Source(
        marker="",
        source=finding.source,
        norm_id=finding.norm_id,
        block_id=finding.block_id,
        valid_from=finding.valid_from,
    )
    link = '<a class="art-chip art-cited-link" href="{}" data-text="{}">{}</a>'
    return html(link, page_of(source), text_of(source, _held(finding)), finding.source) + outer


def _held(finding: Finding) -> list[str]:
    """The words of a quotation that the pane can mark in the article; an altered one is not there."""
    if finding.kind is not Kind.QUOTATION or finding.state is State.DIFFERENT:
        return []
    parts = words_of.pieces(finding.text)
    return parts if sum(map(len, parts)) <= MARKED else parts[:1] if len(parts[0]) <= MARKED else []


def runs_html(runs: Sequence[Run]) -> Html:
    """The law's words with what the brief leaves out struck through, and what it puts in underlined."""
    draw = {Change.EQUAL: lambda text: html("{}", text), Change.DELETE: removed, Change.INSERT: added}
    return (
        html('<p class="art-cited-runs">{}</p>', join(draw[run.kind](run.text) for run in runs))
        if runs
        else EMPTY
    )
