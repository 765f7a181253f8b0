"""The doctor: every ailment is found, told with what to do, and mended where it can be."""

import os
import sqlite3
import stat
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text, update

from core.errors import StorageError
from index.edge import EdgeIndex
from law.document_records import DocumentRecord
from loading.ingestion.home_files import clear, leftovers
from loading.records.jobs import JobKind, JobPayload, JobState
from rag.evaluation.results import EvaluationState
from rag.shared.messages import MessageState
from service.program import assembly
from service.program.assembly import App
from storage.tables.conversations import MessageRow
from storage.tables.evaluations import EvaluationRow
from storage.tables.jobs import JobRow
from tests.conftest import DATA, Maker
from tests.factories import file

pytest_plugins = ("tests.postgres",)
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def execute(program: App, statement: object) -> None:
    with program.database.engines.engine.begin() as connection:
        connection.execute(statement)  # type: ignore[call-overload]


def wrong(program: App) -> list[str]:
    return [check["name"] for check in program.doctor()["checks"] if not check["ok"]]


def age(path: Path) -> None:
    old = time.time() - timedelta(days=2).total_seconds()
    os.utime(path, (old, old), follow_symlinks=False)


def lose_points(program: App) -> None:
    program.index.delete(sorted(program.index.ids())[:2])


def forget_the_index(program: App) -> None:
    program.database.ledger.reset_index_state()


def keep_deleted_points(program: App) -> None:
    program.database.corpus_writer.remove("X-RTF")


def change_the_fingerprint(program: App) -> None:
    program.index.close()
    path = program.settings.index_path / "fingerprint.json"
    path.write_text(path.read_text().replace('"chunker":"', '"chunker":"otro-'))


def ruin_the_index(program: App) -> None:
    program.index.close()
    for path in (program.settings.index_path / "shard").rglob("*.json"):
        path.write_text("{")


def cut_vectors(program: App) -> None:
    execute(program, text("UPDATE vectors SET vector = substr(vector, 1, 12)"))


def cut_vectors_of_another_model(program: App) -> None:
    program.database.vectors.put("otro", {"a": (1.0, 2.0)})
    execute(program, text("UPDATE vectors SET vector = substr(vector, 1, 7) WHERE model = 'otro'"))


def lose_a_wording(program: App) -> None:
    execute(program, text("DELETE FROM block_versions WHERE norm_id = 'X-RTF'"))


def leave_a_job_running(program: App) -> None:
    program.database.jobs.enqueue(JobKind.BOE_UPDATE, "Actualización", "ana", JobPayload())
    program.database.jobs.claim()
    execute(program, update(JobRow).values(heartbeat_at=LONG_AGO))


def leave_an_answer(program: App) -> None:
    conversation = program.database.conversations.create("ana", "¿?")
    program.database.conversations.ask("ana", conversation.id, "¿Cuánto?")
    execute(program, update(MessageRow).values(updated_at=LONG_AGO))


def lose_the_words(program: App) -> None:
    leave_a_conversation(program)
    execute(program, text("INSERT INTO message_words(message_words) VALUES ('delete-all')"))


def leave_a_conversation(program: App) -> None:
    conversation = program.database.conversations.create("ana", "¿?")
    _, reply = program.database.conversations.ask("ana", conversation.id, "¿Cuánto?")
    program.database.conversations.finish(reply.id, MessageState.COMPLETE, "Quince días.", None, None)


def leave_an_evaluation(program: App) -> None:
    program.database.evaluations.start("ana", "ley", "f" * 64, 2, {})
    execute(program, update(EvaluationRow).values(updated_at=LONG_AGO))


def leave_an_upload(program: App) -> None:
    folder = program.home / "uploads" / ("a" * 32)
    folder.mkdir(parents=True)
    (folder / "ley.md").write_text("x")
    age(folder)


def leave_a_plain_file_among_the_sources(program: App) -> None:
    (program.home / "sources").mkdir()
    (program.home / "sources" / "suelto").write_text("x")
    age(program.home / "sources" / "suelto")


def leave_a_draft(program: App) -> None:
    (program.home / "enriched").mkdir()
    (program.home / "enriched" / f".{'b' * 32}").write_text("x")
    age(program.home / "enriched" / f".{'b' * 32}")


def open_the_home(program: App) -> None:
    program.home.chmod(0o755)


AILMENTS: list[tuple[Callable[[App], None], list[str]]] = [
    (lose_points, ["índice"]),
    (forget_the_index, ["índice", "vectores"]),
    (keep_deleted_points, ["índice"]),
    (change_the_fingerprint, ["índice"]),
    (ruin_the_index, ["índice"]),
    (cut_vectors, ["caché de vectores"]),
    (cut_vectors_of_another_model, ["caché de vectores"]),
    (lose_a_wording, ["fragmentos"]),
    (leave_a_job_running, ["trabajos"]),
    (leave_an_answer, ["respuestas"]),
    (leave_an_evaluation, ["respuestas"]),
    (lose_the_words, ["palabras"]),
    (leave_an_upload, ["archivos"]),
    (leave_a_plain_file_among_the_sources, ["archivos"]),
    (leave_a_draft, ["restos"]),
    (open_the_home, ["permisos"]),
]


@pytest.mark.parametrize(("ailment", "names"), AILMENTS, ids=[one.__name__ for one, _ in AILMENTS])
def test_it_is_found_told_and_mended(
    make_program: Maker, ailment: Callable[[App], None], names: list[str]
) -> None:
    program = make_program([DATA])
    program.models.embedder_problem = ""
    assert program.doctor()["healthy"]
    ailment(program)

    found = program.doctor()
    assert not found["healthy"] and found["mended"] == []
    bad = [check for check in found["checks"] if not check["ok"]]
    assert [check["name"] for check in bad] == names
    assert all("doctor --mend" in check["detail"] for check in bad)
    assert wrong(program) == names, "looking alone must change nothing"

    mended = program.doctor(mend=True)
    assert mended["healthy"], mended
    assert mended["mended"] and all("no se pudo" not in what for what in mended["mended"])
    assert program.doctor()["healthy"]
    assert program.doctor(mend=True)["mended"] == []


def test_all_of_it_at_once_on_postgresql(make_program: Maker, postgres: Any) -> None:
    program = make_program([DATA], database_url=postgres.create())
    program.models.embedder_problem = ""
    for ailment, _ in AILMENTS:
        # Points of the norm that loses its wording; words that a server cannot lose.
        if ailment not in (keep_deleted_points, lose_the_words):
            ailment(program)
    assert wrong(program) == [
        *("fragmentos", "caché de vectores", "índice"),
        *("trabajos", "respuestas", "archivos", "restos", "permisos"),
    ]
    assert program.doctor(mend=True)["healthy"]
    assert program.database.corpus.norm_chunks("X-RTF") == []


def test_what_was_mended_is_what_was_meant(make_program: Maker) -> None:
    program = make_program([DATA])
    leave_a_job_running(program)
    leave_an_answer(program)
    leave_an_evaluation(program)
    lose_a_wording(program)
    before = program.database.corpus.revision()
    program.doctor(mend=True)
    [job] = program.database.jobs.jobs()
    assert (job.state, job.claim, job.attempts) == (JobState.QUEUED, "", 0)
    conversation = program.database.conversations.conversations("ana")[0]
    assert (
        program.database.conversations.messages("ana", conversation.id)[1].state is MessageState.INTERRUPTED
    )
    assert program.database.evaluations.evaluations()[0].state is EvaluationState.INTERRUPTED
    assert program.database.corpus.norm_chunks("X-RTF") == []
    assert program.database.corpus.revision() != before
    assert not any(chunk_id.startswith("X-RTF") for chunk_id in program.index.ids())


def test_work_that_gives_signs_of_life_is_left_alone(make_program: Maker) -> None:
    program = make_program([DATA])
    program.database.jobs.enqueue(JobKind.BOE_UPDATE, "Actualización", "ana", JobPayload())
    claimed = program.database.jobs.claim()
    conversation = program.database.conversations.create("ana", "¿?")
    program.database.conversations.ask("ana", conversation.id, "¿Cuánto?")
    assert program.doctor(mend=True)["mended"] == []
    assert claimed and program.database.jobs.beat(claimed)


def test_an_original_that_is_gone_is_told_and_its_record_stays(make_program: Maker) -> None:
    """The disk may be back tomorrow: what names it is not forgotten."""
    program = make_program([DATA])
    file(program.database, DocumentRecord(norm_id="X-LTF", source="sources/abc", loaded_at=LONG_AGO))
    found = program.doctor(mend=True)
    [bad] = [check for check in found["checks"] if not check["ok"]]
    assert bad["name"] == "originales"
    assert "sources/abc" in bad["detail"] and "copia de seguridad" in bad["detail"]
    assert program.database.documents.sources() == {"sources/abc"}


def test_an_index_that_another_process_has_is_not_mended_but_told(make_program: Maker) -> None:
    program = make_program([DATA])
    program.index.close()
    program.database.ledger.reset_index_state()
    holder = EdgeIndex(program.settings.index_path)
    holder.open(program.models.fingerprint)
    found = program.doctor(mend=True)
    holder.close()
    assert not found["healthy"]
    assert any(what.startswith("índice: no se pudo: Otro proceso") for what in found["mended"])


def test_a_damaged_database_file_is_told_with_what_to_do(make_program: Maker) -> None:
    program = make_program([DATA])
    program.close()
    path = program.home / "articulado.db"
    with closing(sqlite3.connect(path)) as raw:
        ((page,),) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'chunks'")
        ((size,),) = raw.execute("PRAGMA page_size")
    content = bytearray(path.read_bytes())
    # A page of data: without one of the schema the file would not even open.
    content[(page - 1) * size : page * size] = bytes(size)
    path.write_bytes(content)
    again = assembly.build(program.settings)
    found = again.doctor(mend=True)
    again.close()
    assert not found["healthy"]
    assert [check["name"] for check in found["checks"]] == ["base de datos"]
    assert "restaure la última copia" in found["checks"][0]["detail"]


def test_a_stored_text_that_is_none_is_told_as_damage(make_program: Maker) -> None:
    program = make_program([DATA])
    with closing(sqlite3.connect(program.home / "articulado.db")) as raw, raw:
        raw.execute("UPDATE chunks SET text = CAST(X'C3' AS TEXT)")
    with pytest.raises(StorageError, match="dañada"):
        program.database.corpus.norm_chunks("X-RTF")


def test_rows_without_the_row_that_they_refer_to_are_told(make_program: Maker) -> None:
    program = make_program([DATA])
    with closing(sqlite3.connect(program.home / "articulado.db")) as raw:
        raw.execute("DELETE FROM norms WHERE id = 'X-RTF'")
        raw.commit()
    [check] = program.doctor()["checks"]
    assert "sin la fila a la que se refieren" in check["detail"]


def test_a_copy_set_aside_goes_back_when_its_successor_never_came(tmp_path: Path) -> None:
    for name in (".old-A", ".old-B", "B", ".new-x"):
        (tmp_path / "boe" / name).mkdir(parents=True)
        (tmp_path / "boe" / name / "texto.xml").write_text(name)
        age(tmp_path / "boe" / name)
    (tmp_path / "boe" / ".new-now").mkdir()
    assert len(leftovers(tmp_path)) == 3
    clear(tmp_path)
    assert {path.name for path in (tmp_path / "boe").iterdir()} == {"A", "B", ".new-now"}
    assert (tmp_path / "boe" / "A" / "texto.xml").read_text() == ".old-A"
    assert (tmp_path / "boe" / "B" / "texto.xml").read_text() == "B"


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_closing_off_reaches_everything_and_follows_no_link(make_program: Maker, tmp_path: Path) -> None:
    program = make_program([DATA])
    outside = tmp_path / "outside"
    outside.write_text("x")
    outside.chmod(0o644)
    (program.home / "link").symlink_to(outside)
    program.home.chmod(0o777)
    assert program.doctor(mend=True)["healthy"]
    modes = {stat.S_IMODE(p.lstat().st_mode) for p in program.home.rglob("*") if not p.is_symlink()}
    assert modes == {0o700, 0o600}
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644
