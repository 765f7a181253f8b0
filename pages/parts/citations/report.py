"""Result of the check of a brief: counts, the brief marked, and a table of its citations."""

from collections.abc import Sequence

import streamlit as st

from casework.briefs.findings import NOTHING_CITED, Finding, State, state_name
from pages.parts.citations.brief import Checked
from pages.parts.citations.marked import brief_html, pieces, runs_html, source_link
from pages.parts.citations.words import COLOURS, KINDS, NOTICE, look_of, signed, unattributed
from pages.parts.common.html import EMPTY, Html, badges, html, note, show, table, warning
from pages.parts.common.layout import section
from pages.parts.common.listing import page_number, pager, part_of
from pages.parts.common.widgets import download, tabs
from pages.parts.common.words import counted, day, plural
from service.contract.files import DOCX
from service.members.member import Member

ROWS = 50
PAGE, FILTER, PIECE_PAGE = "citations-page", "citations-states", "citations-piece"
BACK = "El mismo archivo, con un comentario al margen en cada cita que hay que revisar; lo demás no cambia."
HEADERS = ("Cita del escrito", "Estado", "Por qué", "Comparada con")


def show_report(app: Member, checked: Checked) -> None:
    """Counts, filter, table and marked brief, and the report to take away."""
    report = checked.report
    section("Resultado", f"Con la ley vigente el {day(report.as_of)} · normativa cargada {report.revision}")
    if told := unattributed(report):
        show(note(told))
    if not report.findings:
        show(note(NOTHING_CITED))
        return
    counts = report.counts
    states = [state for state in COLOURS if state in counts]
    show(badges((f"{signed(one)}: {counts[one]}", COLOURS[one]) for one in states))
    name = f"citas-{report.as_of:%Y%m%d}.docx"
    record = (app.exported, "citations")
    download("Informe en Word", checked.word, name, DOCX, "citations-word", record=record)
    if (back := checked.returned) is not None:
        show(note(BACK))
        download("El escrito con comentarios", back.data, back.name, DOCX, "citations-back", record=record)
    show(warning(checked.problem) if checked.problem else EMPTY)
    tabs(
        {
            "Tabla": lambda: _show_table(report.findings, states),
            "Escrito marcado": lambda: _show_marked(checked),
        },
        "citations-tab",
    )
    show(note(NOTICE))


def _show_table(findings: Sequence[Finding], states: Sequence[State]) -> None:
    chosen = st.pills("Ver solo", states, selection_mode="multi", format_func=signed, key=FILTER)
    shown = [one for one in findings if not chosen or one.state in chosen]
    show(note(counted(len(shown), page_number(PAGE), ROWS, "cita", "citas", between="de la {} a la {}")))
    show(table(HEADERS, map(_row, part_of(shown, ROWS, PAGE))))
    pager(len(shown), ROWS, PAGE)


def _row(finding: Finding) -> tuple[Html, Html, Html, Html]:
    sign, colour = look_of(finding)
    state = html('<span class="art-tag {}">{} {}</span>', colour, sign, state_name(finding))
    warning = html('<p class="art-warn">{}</p>', finding.warning) if finding.warning else EMPTY
    why = html("<p>{}</p>", finding.said) + warning + runs_html(finding.runs)
    cited = html("<b>{}</b><br>{}", KINDS[finding.kind], finding.text)
    return cited, state, why, source_link(finding)


def _show_marked(checked: Checked) -> None:
    stretches = pieces(checked.text, checked.report.findings)
    (start, end), *_ = part_of(stretches, 1, PIECE_PAGE)
    if len(stretches) > 1:
        show(note(f"El escrito tiene {plural(len(stretches), 'parte', 'partes')}."))
    show(brief_html(checked.text, start, end, checked.report.findings))
    pager(len(stretches), 1, PIECE_PAGE)
