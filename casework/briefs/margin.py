"""The findings of a brief as comments in the margin of its Word file. Pure."""

from casework.briefs.findings import CitationReport, Finding, sign_of, state_name
from law.diff import Change
from loading.formats.word_comments import Comment

OBJECTED = frozenset("✘≠⇄†△◷")
"""Signs of citations that are missing, altered, repealed or of another day; not of those left open."""
LAW = "Texto con el que se compara: «{words}»."
SOURCE = "Fuente: {source}."


def comments(report: CitationReport) -> list[Comment]:
    """A comment on each citation that somebody has to look at, in the words of the page."""
    told = (one for one in report.findings if sign_of(one.state, one.warning) in OBJECTED)
    return [Comment(one.start, one.end, _said(one)) for one in told]


def _said(finding: Finding) -> str:
    words = "".join(run.text for run in finding.runs if run.kind is not Change.INSERT)
    source = " ".join(filter(None, (finding.source, finding.url)))
    parts = (
        f"{state_name(finding)}. {finding.said}".strip(),
        finding.warning,
        LAW.format(words=" ".join(words.split())) if words else "",
        SOURCE.format(source=source) if source else "",
    )
    return "\n".join(filter(None, parts))
