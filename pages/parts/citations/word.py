"""The report of a check as a Word document; pure functions."""

import io
from collections.abc import Sequence

import docx
from docx.document import Document
from docx.text.paragraph import Paragraph

from pages.parts.citations.words import KINDS, LOOKS, NOTICE, state_name
from pages.parts.common.words import day, today
from rag.briefs.findings import CitationReport, Finding
from rag.law.diff import Change, Run
from rag.text.textnorm import visible

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
TITLE = "Comprobación de citas"
HEADERS = ("N.º", "Cita", "Estado", "Motivo y fuente")
STYLE = "Table Grid"


def word_report(name: str, report: CitationReport) -> bytes:
    """Title, date, state of the corpus, counts, table of citations, differences and notice.

    Args:
        name: of the brief's file; empty for a pasted text.
    """
    made = docx.Document()
    made.core_properties.title = TITLE
    made.core_properties.author = "Articulado"
    made.add_heading(TITLE, 0)
    about = [
        f"Escrito: {_plain(name)}" if name else "Escrito: texto pegado",
        f"Comprobado el {day(today())} con la ley vigente el {day(report.as_of)}",
        f"Estado de la normativa cargada: {report.revision}",
    ]
    for line in about:
        made.add_paragraph(line)
    made.add_heading("Resumen", 1)
    for state, look in LOOKS.items():
        if count := report.counts.get(state):
            made.add_paragraph(f"{look.sign} {look.name}: {count}", style="List Bullet")
    made.add_heading("Citas", 1)
    _table(made, report.findings)
    _differences(made, report.findings)
    made.add_paragraph().add_run(NOTICE).italic = True
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def _table(made: Document, findings: Sequence[Finding]) -> None:
    table = made.add_table(rows=len(findings) + 1, cols=len(HEADERS), style=STYLE)
    # `table.rows[n]` walks the whole table each time.
    rows = [_row(number, one) for number, one in enumerate(findings, start=1)]
    for row, cells in zip(table.rows, [HEADERS, *rows], strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text


def _row(number: int, finding: Finding) -> tuple[str, ...]:
    why = "\n".join(filter(None, (finding.said, finding.warning, finding.source, finding.url)))
    state = f"{LOOKS[finding.state].sign} {state_name(finding)}"
    return str(number), f"{KINDS[finding.kind]}: {_plain(finding.text)}", state, _plain(why, "\n")


def _differences(made: Document, findings: Sequence[Finding]) -> None:
    different = [(number, one) for number, one in enumerate(findings, start=1) if one.runs]
    if not different:
        return
    made.add_heading("Diferencias con la ley", 1)
    made.add_paragraph("Tachado: está en la ley y falta en el escrito. Subrayado: lo pone el escrito.")
    for number, one in different:
        paragraph = made.add_paragraph(f"Cita {number} ({one.source}): ")
        for run in one.runs:
            _add(paragraph, run)


def _add(paragraph: Paragraph, run: Run) -> None:
    added = paragraph.add_run(_plain(run.text, "\n"))
    added.font.strike = run.kind is Change.DELETE
    added.font.underline = run.kind is Change.INSERT


def _plain(text: str, between: str = " ") -> str:
    """The text without what no XML holds, one white space for many."""
    lines = (" ".join(visible(line).split()) for line in text.split("\n"))
    return between.join(lines) if between == "\n" else " ".join(lines)
