"""Bringing documents in: what goes in, what does not, and failures told."""

from pathlib import Path

import pytest

from core.errors import InputError
from loading.parsing.file_reader import Check, FileReader, go_on
from storage.stores import Database
from tests.integration.ingest.conftest import Write, ingest
from tests.office_files import zipped

# What goes in and what does not


def test_what_stops_the_load_stops_the_unpacking_of_a_zip_too(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "todo.zip").write_bytes(zipped({"x.md": b"# X"}))
    asked: list[str] = []

    def listen(phase: str, _done: int, _total: int) -> None:
        asked.append(phase)
        if len(asked) > 1:
            raise KeyboardInterrupt

    def unzip(_self: FileReader, _path: Path, _name: str, _folder: Path, check: Check = go_on) -> list[Path]:
        check()
        raise AssertionError("it goes on to its end")

    monkeypatch.setattr(FileReader, "unzip", unzip)
    with pytest.raises(KeyboardInterrupt):
        ingest([tmp_path / "todo.zip"], database, on_progress=listen)


def test_what_fails_in_a_zip_is_told_of_the_zip_and_of_no_document(
    database: Database, tmp_path: Path
) -> None:
    packed = {
        "leyes/una.md": b"---\npublished: 2024-02-01\n---\n# Nota\n\nTexto.",
        "leyes/dos.rtf": rb"{\rtf1 x}",
        "otro.zip": zipped({"x.md": b"# X"}),
        "una.txt": b"---",
    }
    (tmp_path / "todo.zip").write_bytes(zipped(packed))

    report = ingest([tmp_path], database)

    (done,) = report.documents
    assert done.path.name == "todo.zip"
    assert not any(
        name in warning for name in ("dos.rtf", "otro.zip", "una.txt") for warning in done.warnings
    )
    told = {one.path.relative_to(tmp_path).as_posix(): one.reason for one in report.failures}
    assert told["todo.zip/leyes/dos.rtf"] == "dos.rtf: el formato RTF no se admite; guárdelo como DOCX o PDF."
    assert "los ZIP dentro de otro ZIP no se abren" in told["todo.zip/otro.zip"]
    assert "no contiene texto" in told["todo.zip/una.txt"]
    assert database.documents.get("una").format == "zip"


def test_two_files_with_one_identifier_do_not_overwrite_each_other(database: Database, write: Write) -> None:
    first = write("una", {"1": "Texto de la primera."}, id="IGUAL")
    write("zeta", {"1": "Texto de la segunda."}, id="IGUAL")

    report = ingest([first.parent], database)

    assert [done.path.name for done in report.documents] == ["una.md"]
    assert [failure.path.name for failure in report.failures] == ["zeta.md"]
    assert "IGUAL" in report.failures[0].reason and "una.md" in report.failures[0].reason
    assert "primera" in database.corpus.find("IGUAL", "1")[0].text


def test_a_readme_in_a_folder_is_no_document_but_can_be_named(database: Database, write: Write) -> None:
    folder = write("una", {"1": "Texto inventado."}).parent
    notes = "---\npublished: 2024-02-01\n---\n# Cómo se hizo\n\nNotas de la carpeta.\n"
    (folder / "README.md").write_text(notes)
    (folder / ".oculto.md").write_text("# Nada\n\nTexto.\n")

    assert [done.norm.id for done in ingest([folder], database).documents] == ["UNA"]
    named = ingest([folder / "README.md"], database)
    assert [done.path.name for done in named.documents] == ["README.md"]


def test_a_path_given_twice_is_loaded_once(database: Database, write: Write) -> None:
    path = write("una", {"1": "Texto inventado."})
    report = ingest([path, path.parent, path], database)
    assert [done.path for done in report.documents] == [path]
    assert report.failures == ()


def test_a_document_joins_the_collection_asked_for_unless_it_names_its_own(
    database: Database, write: Write
) -> None:
    write("una", {"1": "Texto."})
    folder = write("otra", {"1": "Texto."}, collection="criterios_inss").parent
    ingest([folder], database, collection="sentencias")
    assert {norm.id: norm.collection for norm in database.corpus.norms()} == {
        "UNA": "sentencias",
        "OTRA": "criterios_inss",
    }
    assert database.corpus.find("UNA", "1")[0].collection == "sentencias"


def test_a_summary_gives_way_to_the_text_and_never_comes_back(database: Database, write: Write) -> None:
    summary = write("resumen", {"1": "Resumen."}, official="false", source_norm="TEXTO")
    text = write("texto", {"1": "Texto entero."})

    ingest([summary], database)
    ingest([text], database)
    assert [norm.id for norm in database.corpus.norms()] == ["TEXTO"]
    again = ingest([summary], database).documents[0]

    assert "TEXTO" in again.skipped
    assert again.change.added == ()
    assert [norm.id for norm in database.corpus.norms()] == ["TEXTO"]


def test_a_summary_of_a_norm_that_is_not_there_goes_in(database: Database, write: Write) -> None:
    summary = write("resumen", {"1": "Resumen."}, official="false", source_norm="TEXTO")
    report = ingest([summary], database)
    assert report.documents[0].skipped == ""
    assert [norm.official for norm in database.corpus.norms()] == [False]


def test_progress_counts_files_from_none_to_all(database: Database, write: Write) -> None:
    for name in ("a", "b"):
        folder = write(name, {"1": "Texto."}).parent
    (folder / "c.md").write_bytes(b"\xff")
    seen: list[tuple[str, int, int]] = []

    ingest([folder], database, on_progress=lambda *step: seen.append(step))

    assert seen == [("cargar", done, 3) for done in range(4)]


def test_a_path_that_does_not_exist_stops_before_anything_goes_in(
    database: Database, write: Write, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"nada\.md"):
        ingest([write("una", {"1": "Texto."}), tmp_path / "nada.md"], database)
    assert database.corpus.norms() == []


def test_two_files_of_one_ruling_are_one_ruling(tmp_path: Path, database: Database) -> None:
    text = (
        "FALLO\nEstimamos el recurso de casación y anulamos la sentencia recurrida, sin condena en costas.\n"
    )
    card = "Roj: STS 4321/2031 - ECLI:ES:TS:2031:4321\nÓrgano: Tribunal Supremo. Sala de lo Social\n"
    own = "Nº de Resolución: 77/2031\nFecha: 12/03/2031\nResumen: largo y tendido, de quien la publica.\n"
    one, other = tmp_path / "a.txt", tmp_path / "b.txt"
    one.write_text(card + own + text, "utf-8")
    other.write_text(
        f"TRIBUNAL SUPREMO\nSentencia núm. 77/2031\nMadrid, a 12 de marzo de 2031.\n{text}", "utf-8"
    )
    report = ingest([one, other], database)
    assert "Es la misma resolución que la de «a.txt»" in report.documents[1].skipped
    assert not ingest([other], database).failures
    (norm,) = database.corpus.norms()
    assert (norm.id, norm.extra["ecli"]) == ("ecli-es-ts-2031-4321", "ECLI:ES:TS:2031:4321")
