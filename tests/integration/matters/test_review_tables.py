"""Review tables over a whole program: filled, stopped, killed, gone on with, exported; and with a model."""

import io
import multiprocessing
import os
import signal
import zipfile
from datetime import date

import pytest
from openpyxl import load_workbook

from casework.matters.model_cell import FIGURE
from core.errors import ArticuladoError, InputError
from domain.document_tables import CellState, TableState
from domain.usage import Quota
from rag.answers.verbatim import locate
from service.backup.backup import backup, restore
from service.members.member import Member
from service.program.assembly import App
from tests.homes import new_program
from tests.integration.matters.conftest import person
from tests.matter_files import DNI, INJECTION, REASON, SALARY, letter, payslip
from tests.model_replies import as_json, says
from tests.texts import eventually

ASKED = ("Fecha de efectos", "Causa", "Salario", "Periodo de prueba")


def filled(ana: Member, *more: str) -> tuple[str, str]:
    """Ana's expediente with the letter and the payslip, and its table."""
    matter = ana.matters.create("Despido de F. Z.").id
    ana.papers.upload(matter, "carta.pdf", letter(*more))
    ana.papers.upload(matter, "nomina.docx", payslip())
    documents = [one.id for one in ana.papers.documents(matter)]
    return matter, ana.document_tables.create(matter, "Cartas", documents, ASKED).id


def said(ana: Member, table: str) -> dict[tuple[str, str], str]:
    names = ana.document_tables.table(table).documents
    return {
        (names[one.document_id].split(" · ")[1], one.question): one.answer
        for one in ana.document_tables.cells(table)
    }


def test_each_cell_comes_from_its_own_document_letter_by_letter_or_is_an_honest_gap(ana, program):
    _, table = filled(ana)
    assert ana.document_tables.table(table).state is TableState.DONE
    assert said(ana, table) == {
        ("carta.pdf", "Fecha de efectos"): "15 de marzo de 2025",
        ("carta.pdf", "Causa"): f"Muy señora nuestra: {REASON}",
        ("carta.pdf", "Salario"): "",
        ("carta.pdf", "Periodo de prueba"): "",
        ("nomina.docx", "Fecha de efectos"): "",
        ("nomina.docx", "Causa"): "",
        ("nomina.docx", "Salario"): f"{SALARY} euros",
        ("nomina.docx", "Periodo de prueba"): "",
    }
    for one in ana.document_tables.cells(table):
        if one.state is CellState.ANSWERED:
            assert locate(one.quote, ana.papers.fragment(one.document_id, one.fragment).text)
    (dated,) = [one for one in ana.document_tables.cells(table) if one.answer.startswith("15 de")]
    assert dated.page == 1


def test_an_unreadable_document_keeps_no_table_from_its_end(ana):
    matter = ana.matters.create("Uno").id
    ana.papers.upload(matter, "foto.png", b"\x89PNG" + bytes(64))
    ana.papers.upload(matter, "nomina.docx", payslip())
    documents = [one.id for one in ana.papers.documents(matter)]
    table = ana.document_tables.create(matter, "T", documents, ["Salario"])
    assert ana.document_tables.table(table.id).state is TableState.DONE
    assert len(ana.document_tables.cells(table.id)) == 1


def test_the_file_has_answers_quotations_and_no_formula(ana):
    matter, table = filled(ana)
    ana.papers.upload(matter, "=HYPERLINK.txt", b"El salario base es de 1.000,00 euros.\n")
    documents = [one.id for one in ana.papers.documents(matter)]
    formula = '=HYPERLINK("https://evil.example")'
    ana.document_tables.change(table, documents, [*ASKED, formula, "+1", "-1", "@SUM(A1)"])
    ana.papers.remove(documents[0])
    book = load_workbook(io.BytesIO(ana.document_tables.sheet(table)))
    answers, quotations = book["Tabla"], book["Citas"]
    assert (answers.freeze_panes, quotations.freeze_panes) == ("B2", "A2")
    every = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in every} == {"s"}
    assert [cell.value for cell in every if str(cell.value)[0] in "=+-@"] == []
    assert all(cell.alignment.wrap_text for cell in every)
    assert answers["A2"].value == "Doc 1 · carta.pdf (eliminado del expediente)"
    assert answers["B2"].value == "15 de marzo de 2025 (p. 1)"
    assert REASON in answers["B2"].comment.text
    assert answers["D2"].value == "no consta"
    assert f"Muy señora nuestra: {REASON}" in [row[3] for row in quotations.iter_rows(values_only=True)]
    assert answers.column_dimensions["B"].width == 32


def test_a_program_that_is_killed_loses_no_cell_and_the_next_one_goes_on(ana, program, make_program):
    matter, table = filled(ana)
    more = [f"¿Qué plus número {i} se paga?" for i in range(6)]
    documents = [one.id for one in ana.papers.documents(matter)]
    program.database.document_tables.change("ana", table, documents, [*ASKED, *more])
    process = multiprocessing.get_context("fork").Process(target=_killed_after, args=(program, 5))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    before = {(one.document_id, one.question): one.filled_at for one in ana.document_tables.cells(table)}
    assert len(before) == 8 + 5
    assert ana.document_tables.table(table).state is TableState.RUNNING
    program.database.document_tables.stop("ana", table)
    ana.document_tables.resume(table)
    after = {(one.document_id, one.question): one.filled_at for one in ana.document_tables.cells(table)}
    assert len(after) == 2 * (len(ASKED) + len(more)) and before.items() <= after.items()
    assert ana.document_tables.table(table).state is TableState.DONE


def _killed_after(program: App, count: int) -> None:
    keep, left = program.database.document_tables.keep, [count]

    def counted(*args):
        done = keep(*args)
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    program.database.document_tables.keep = counted
    program.table_filling.work()


def test_one_that_is_stopped_half_way_goes_on_where_it_was(ana, program, monkeypatch):
    matter, table = filled(ana)
    documents = [one.id for one in ana.papers.documents(matter)]
    keep = program.database.document_tables.keep

    def stopping(table_id, runner, cell):
        done = keep(table_id, runner, cell)
        program.database.document_tables.stop("ana", table_id)
        return done

    monkeypatch.setattr(program.database.document_tables, "keep", stopping)
    ana.document_tables.change(table, documents, [*ASKED, "Firma", "Antigüedad"])
    assert len(ana.document_tables.cells(table)) == 9
    assert ana.document_tables.table(table).state is TableState.STOPPED
    monkeypatch.undo()
    ana.document_tables.resume(table)
    assert len(ana.document_tables.cells(table)) == 12


def test_it_is_filled_in_the_background_of_an_open_program(ana, program):
    program.table_filling.passes.start()
    try:
        _, table = filled(ana)
        eventually(lambda: ana.document_tables.table(table).state is TableState.DONE)
        assert len(ana.document_tables.cells(table)) == 8
    finally:
        program.table_filling.passes.stop()


def test_a_stranger_gets_nothing_of_a_table_by_any_door(ana, program):
    matter, table = filled(ana)
    eva = person(program, "eva")
    for attempt in (
        lambda: eva.document_tables.tables(matter),
        lambda: eva.document_tables.create(matter, "x", ["x"], ASKED),
        lambda: eva.document_tables.table(table),
        lambda: eva.document_tables.cells(table),
        lambda: eva.document_tables.passages(table, []),
        lambda: eva.document_tables.documents(table),
        lambda: eva.document_tables.change(table, ["x"], ASKED),
        lambda: eva.document_tables.resume(table),
        lambda: eva.document_tables.stop(table),
        lambda: eva.document_tables.remove(table),
        lambda: eva.document_tables.sheet(table),
    ):
        with pytest.raises(ArticuladoError, match="No existe"):
            attempt()


def test_the_log_has_what_was_done_and_nothing_that_was_written(ana, program):
    matter, table = filled(ana)
    ana.document_tables.table(table)
    ana.document_tables.sheet(table)
    ana.document_tables.resume(table)
    ana.document_tables.remove(table)
    entries = [one for one in program.audit.log.entries() if one.detail.get("what") == "table"]
    assert {(one.action.value, one.target) for one in entries} == {
        ("changed", matter),
        ("read", table),
        ("exported", table),
        ("changed", table),
        ("deleted", table),
    }
    assert not any("Cartas" in str(one) or SALARY in str(one) or "Salario" in str(one) for one in entries)


def test_without_a_record_nothing_is_done(ana, program, monkeypatch):
    matter, table = filled(ana)

    def full(*_args):
        raise InputError("El registro no se puede escribir.")

    monkeypatch.setattr(program.audit.log, "append", full)
    for act in (
        lambda: ana.document_tables.create(matter, "Otra", ["x"], ASKED),
        lambda: ana.document_tables.remove(table),
        lambda: ana.document_tables.sheet(table),
    ):
        with pytest.raises(InputError, match="registro"):
            act()
    assert len(ana.document_tables.tables(matter)) == 1


def test_it_is_in_a_backup_and_in_a_persons_copy(ana, program, tmp_path):
    _, table = filled(ana)
    backup(program.database.engines, program.home, tmp_path / "copia.zip")
    empty = tmp_path / "empty"
    fresh = new_program(empty)
    restore(fresh.database.engines, empty, tmp_path / "copia.zip")
    assert fresh.database.document_tables.cells("ana", table) == program.database.document_tables.cells(
        "ana", table
    )
    fresh.close()
    assert REASON.encode() in _unzipped(ana.account.export())


def _unzipped(content: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return b"".join(archive.read(name) for name in archive.namelist())


# With a model


def one_cell(modelled, server, *replies, question="Fecha de efectos"):
    _, ana, matter = modelled
    server.script(cell=list(replies))
    documents = [one.id for one in ana.papers.documents(matter)]
    table = ana.document_tables.create(matter, "T", documents, [question])
    (cell,) = ana.document_tables.cells(table.id)
    return cell


def test_what_a_model_says_is_kept_with_its_quotation_and_nothing_of_the_person_leaves(modelled, server):
    told = {"consta": True, "respuesta": "15 de marzo de 2025", "cita": "con efectos de 15 de marzo de 2025"}
    cell = one_cell(modelled, server, as_json(told))
    assert (cell.answer, cell.mode, cell.remark) == ("15 de marzo de 2025", "model", "")
    assert cell.quote in REASON and "15 de marzo de 2025" in cell.quote
    sent = "\n".join(request.prompt + request.system for request in server.requests)
    assert DNI not in sent and "Zurrut" not in sent and INJECTION in sent
    (used,) = modelled[0].database.usage.rows(date.min, date.max, "ana")
    assert used.calls == 1


def test_a_quotation_that_the_document_does_not_have_gives_way_to_the_rules(modelled, server):
    lie = {"consta": True, "respuesta": "1 de enero de 2020", "cita": "con efectos de 1 de enero de 2020"}
    cell = one_cell(modelled, server, as_json(lie))
    assert (cell.answer, cell.mode) == ("15 de marzo de 2025", "offline")
    assert "no está en el documento" in cell.remark


def test_a_figure_that_is_not_in_the_quotation_is_not_shown(modelled, server):
    lie = {"consta": True, "respuesta": "16 de abril de 2031", "cita": "con efectos de 15 de marzo de 2025"}
    cell = one_cell(modelled, server, as_json(lie))
    assert cell.answer == cell.quote and "16 de abril" not in cell.answer
    assert cell.remark == FIGURE


def test_what_a_model_does_not_find_is_an_honest_gap(modelled, server):
    none = {"consta": False, "respuesta": "", "cita": ""}
    cell = one_cell(modelled, server, as_json(none))
    assert (cell.state, cell.mode) == (CellState.ABSENT, "model")


@pytest.mark.parametrize(
    "reply",
    [says("no es JSON"), says("", status=500), as_json({"consta": True}), as_json([1, 2])],
    ids=["no json", "error", "half an object", "a list"],
)
def test_a_model_that_fails_gives_way_to_the_rules_which_say_so(modelled, server, reply):
    cell = one_cell(modelled, server, reply)
    assert (cell.answer, cell.mode) == ("15 de marzo de 2025", "offline")
    assert cell.remark.startswith("Sin el modelo (")


def test_whoever_has_used_up_their_tokens_gets_the_rules(modelled, server):
    program, *_ = modelled
    program.database.usage.quota = Quota(tokens=1)
    told = {"consta": True, "respuesta": "15 de marzo de 2025", "cita": "con efectos de 15 de marzo de 2025"}
    assert one_cell(modelled, server, as_json(told)).mode == "model"
    cell = one_cell(modelled, server, as_json(told), question="Fecha de efectos del despido")
    assert cell.mode == "offline" and "límite diario" in cell.remark
