"""Errors on the command line, each said in one line, and the exit codes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest

from index.edge import EdgeIndex
from tests.conftest import DATA
from tests.integration.cli.conftest import PRINT, VACATIONS, Run, in_error, process

# What is wrong, said in one line


def test_a_bad_path_is_named(home: Path, run: Run, tmp_path: Path) -> None:
    assert "nada.md" in in_error(run(home, "ingest", str(tmp_path / "nada.md"), "--json"))
    assert "la carpeta no contiene nada" in in_error(run(home, "ingest", str(tmp_path)))
    assert "cases.jsonl" in in_error(run(home, "evaluate", str(tmp_path / "cases.jsonl")))


def test_a_corrupt_document_alone_is_a_failure(own_home: Path, run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "malo.md"
    bad.write_text("---\ntitle: [sin cerrar\n---\n#### Artículo 1. Uno.\n\nTexto.\n", encoding="utf-8")

    done = run(own_home, "ingest", str(bad), "--json")

    assert done.code == 1
    assert [failure["path"] for failure in done.json["failures"]] == [str(bad)]
    assert len(done.err.splitlines()) == 1
    assert "malo.md" in done.err and "Traceback" not in done.err


def test_a_load_in_which_nothing_entered_tells_no_counts_of_the_index(
    own_home: Path, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "a.pdf").write_bytes(b"\x00\x01\x02" * 99)
    assert "Índice" not in run(own_home, "ingest", str(tmp_path / "a.pdf")).out
    law = "---\ntitle: Ley 4/2031, de 5 de mayo, de faros\n---\n#### Artículo 1. Uno.\n\nTexto.\n"
    (tmp_path / "a.md").write_text(law, "utf-8")
    undated = run(own_home, "ingest", str(tmp_path / "a.md"))
    assert (undated.code, "Índice" in undated.out) == (1, False)
    assert "no dice desde cuándo rige" in undated.err and "--in-force-from" in undated.err
    assert "Índice: retirados: 0, palabras: 1, vectores: 0, de la caché: 0 · " in (
        run(own_home, "ingest", str(tmp_path / "a.md"), "--in-force-from", "2024-02-01").out
    )
    found = run(own_home, "search", "texto", "--collection", "normativa", "--mode", "lexical", "--json").json
    assert "2024-02-01" in [one["valid_from"] for one in found["hits"]]


def test_a_corrupt_document_among_others_ends_with_1_and_the_others_go_in(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "bueno.md").write_bytes((DATA / "rtf.md").read_bytes())
    (folder / "malo.md").write_bytes(b"---\nid: X\n---\n\xff\xfe")

    done = run(tmp_path / "home", "ingest", str(folder), "--json")

    assert done.code == 1
    assert [document["norm_id"] for document in done.json["documents"]] == ["X-RTF"]
    assert [failure["path"] for failure in done.json["failures"]] == [str(folder / "malo.md")]


def test_an_unsupported_format_says_which_are_supported(home: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "ley.xyz").write_text("texto")
    done = run(home, "ingest", str(tmp_path / "ley.xyz"))
    assert done.code == 1
    assert ".md" in done.err


@pytest.mark.parametrize("command", [("search", "vacaciones"), ("ingest", str(DATA))])
def test_an_unknown_collection_is_refused_with_those_there_are(
    home: Path, run: Run, command: tuple[str, ...]
) -> None:
    message = in_error(run(home, *command, "--collection", "apuntes", "--json"))
    assert "apuntes" in message
    assert "normativa, sentencias, criterios_inss" in message


@pytest.mark.parametrize(
    ("name", "value"), [("COLLECTION_WEIGHTS", "normativa"), ("DATABASE_URL", "mysql://x/y")]
)
def test_a_bad_setting_is_named(home: Path, run: Run, name: str, value: str) -> None:
    assert name in in_error(run(home, "search", "vacaciones", "--json", **{name: value}))


def test_a_home_that_is_no_folder_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    assert "ARTICULADO_HOME" in in_error(run(tmp_path / "home", "doctor", "--json"))


def _scrambled(data: bytearray, place: int) -> None:
    data[place : place + 3000] = Random(1).randbytes(3000)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.__setitem__(slice(None), b"not a database " * 1000),
        lambda data: data.__delitem__(slice(100, None)),
        lambda data: data.__delitem__(slice(len(data) // 2, None)),
        partial(_scrambled, place=0),
        partial(_scrambled, place=2000),
    ],
)
def test_a_damaged_database_is_told_with_how_to_restore_a_copy(
    own_home: Path, run: Run, damage: Callable[[bytearray], None]
) -> None:
    data = bytearray((own_home / "articulado.db").read_bytes())
    damage(data)
    (own_home / "articulado.db").write_bytes(data)
    for command in (["search", "vacaciones", "--json"], ["doctor"]):
        told = in_error(run(own_home, *command))
        assert told.startswith("La base de datos está dañada.")
        assert "«python cli.py restore COPIA.zip»" in told


@pytest.mark.slow
def test_an_index_that_another_process_has_open_is_told_and_left_alone(own_home: Path, run: Run) -> None:
    holder = EdgeIndex(own_home / "index")
    holder.open(PRINT)
    try:
        for command in (["search", "vacaciones"], ["reindex"]):
            assert "Otro proceso tiene abierto el índice" in in_error(process(own_home, *command, "--json"))
        assert holder.count() == 14
    finally:
        holder.close()
    assert run(own_home, "doctor", "--json").code == 0


def test_an_index_of_another_model_names_the_command_that_mends_it(own_home: Path, run: Run) -> None:
    fingerprint = own_home / "index" / "fingerprint.json"
    other = PRINT.model_copy(update={"chunker": "otro"})
    fingerprint.write_text(other.model_dump_json(), encoding="utf-8")

    for command in (["search", "vacaciones"], ["ask", VACATIONS], ["ingest", str(DATA)]):
        assert "python cli.py reindex" in in_error(run(own_home, *command, "--json"))
    assert run(own_home, "doctor").code == 1

    assert run(own_home, "reindex").code == 0
    assert run(own_home, "search", "vacaciones", "--json").articles[0] == ("X-LTF", "2")
