"""The report of a check as a Word document; pure functions."""

from collections.abc import Sequence

from casework.briefs.findings import CitationReport, Finding, state_name
from pages.parts.citations.words import COLOURS, KINDS, NOTICE, look_of, signed, unattributed
from pages.parts.common.words import day, today
from service.opinions.content import Paragraph, Style, Words, line, table
from service.opinions.word import Writer
from text.textnorm import visible

TITLE = "Comprobación de citas"
HEADERS = ("N.º", "Cita", "Estado", "Motivo y fuente")
WIDTHS = (1.1, 4.8, 2.8, 6.3)
"""Centimetres of their columns, of the 15 between the margins."""
MARKS = "Tachado: está en la ley y falta en el escrito. Subrayado: lo pone el escrito."


def word_report(name: str, report: CitationReport) -> bytes:
    """Title, date, state of the corpus, counts, table of citations, differences and notice.

    Args:
        name: of the brief's file; empty for a pasted text.
    """
    writer = Writer(TITLE)
    writer.line(f"Escrito: {_plain(name)}" if name else "Escrito: texto pegado")
    writer.line(f"Comprobado el {day(today())} con la ley vigente el {day(report.as_of)}")
    writer.line(f"Estado de la normativa cargada: {report.revision}")
    writer.heading("Resumen")
    counts = ((state, report.counts.get(state)) for state in COLOURS)
    writer.elements(line(f"{signed(state)}: {count}", Style.BULLET) for state, count in counts if count)
    if told := unattributed(report):
        writer.line(told)
    writer.heading("Citas")
    rows = (_row(number, one) for number, one in enumerate(report.findings, start=1))
    writer.table(table([HEADERS, *rows]).rows, WIDTHS)
    _differences(writer, report.findings)
    writer.elements([line(NOTICE, Style.REMARK)])
    return writer.saved()


def _row(number: int, finding: Finding) -> tuple[str, ...]:
    why = "\n".join(filter(None, (finding.said, finding.warning, finding.source, finding.url)))
    state = f"{look_of(finding)[0]} {state_name(finding)}"
    return str(number), f"{KINDS[finding.kind]}: {_plain(finding.text)}", state, _plain(why, "\n")


def _differences(writer: Writer, findings: Sequence[Finding]) -> None:
    different = [(number, one) for number, one in enumerate(findings, start=1) if one.runs]
    if not different:
        return
    writer.heading("Diferencias con la ley")
    writer.line(MARKS)
    for number, one in different:
        changed = (Words(text=visible(run.text), change=run.kind) for run in one.runs)
        told = Words(text=f"Cita {number} ({one.source}): ")
        writer.elements([Paragraph(words=(told, *changed))])


def _plain(text: str, between: str = " ") -> str:
    """The text without what no XML holds, one white space for many."""
    return between.join(" ".join(visible(line).split()) for line in text.split("\n"))
