"""Bringing documents in: references resolved, failures told, vectors that travel with a folder."""

import threading
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import bootstrap
from bootstrap import App
from rag.errors import InputError
from rag.index.edge import EdgeIndex
from rag.ingestion.ingest import IngestReport
from rag.ingestion.intake import Intake
from rag.ingestion.preview import Comparison
from rag.loaders import load
from rag.types import Norm
from storage import Database
from tests.conftest import DATA, Maker
from tests.databases import new_database
from tests.factories import chunks_of, make_block, make_norm, make_version
from tests.texts import eventually

TODAY = date(2026, 6, 1)
Write = Callable[..., Path]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = new_database(tmp_path / "articulado.db")
    yield made
    made.close()


def ingest(
    paths: list[Path], database: Database, collection: str = "normativa", **options: Any
) -> IngestReport:
    """Load files that stay where they are, for a home without documents."""
    with TemporaryDirectory() as home:
        intake = Intake(database.corpus, database.documents, Path(home))
        return intake.bring_in(paths, collection, "ana", **options)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write an invented norm; `articles` are texts by number, or whole headings to texts."""

    def one(name: str, articles: dict[str, str], **fields: str) -> Path:
        front = {"id": name.upper(), "title": f"Ley {name}", "law": f"Ley {name}", "rank": "Ley"} | fields
        front.setdefault("valid_from", "2020-01-01")
        lines = ["---", *(f"{key}: {value}" for key, value in front.items()), "---", ""]
        for heading, text in articles.items():
            title = f"Artículo {heading}. Prueba." if heading[0].isdigit() else heading
            lines += [f"#### {title}", "", text, ""]
        path = tmp_path / "docs" / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return one


def targets(database: Database, norm: str, label: str) -> list[tuple[str, str]]:
    """(norm, label) of what an article's text leads to today."""
    chunks = database.corpus.find(norm, label, TODAY)
    assert chunks
    found = database.corpus.referenced([chunk.id for chunk in chunks], TODAY)
    ids = [target for chunk in chunks for target in found.get(chunk.id, ())]
    return [(chunk.norm_id, chunk.label) for chunk in database.corpus.chunks(ids)]


# References


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Según el artículo 2.", [("UNA", "2")]),
        ("Según el artículo 2.3 de esta ley.", [("UNA", "2")]),
        ("Como dispone el artículo anterior.", [("UNA", "4")]),
        ("Como dispone el artículo siguiente.", [("UNA", "6")]),
        ("En los artículos 1 a 3.", [("UNA", "1"), ("UNA", "2"), ("UNA", "3")]),
        ("En los artículos 1, 2 y 6 bis.", [("UNA", "1"), ("UNA", "2"), ("UNA", "6 bis")]),
        ("En los artículos 6 y 6 bis.", [("UNA", "6"), ("UNA", "6 bis")]),
        ("Según el artículo 2 de la Ley 8/2021.", [("OTRA", "2")]),
        ("Según los artículos 1 y 2 de la LOT.", [("OTRA", "1"), ("OTRA", "2")]),
        ("En el artículo 3. El artículo 1 de la Ley 8/2021 no rige.", [("UNA", "3"), ("OTRA", "1")]),
        ("En los artículos 3 y 4 y el artículo 1 de la LOT.", [("OTRA", "3"), ("OTRA", "4"), ("OTRA", "1")]),
        ("Según la disposición adicional primera.", [("UNA", "da 1")]),
        ("Según el artículo 77.", []),
        ("Según el artículo 2 de la Ley 99/1901.", []),
        ("Según el artículo 2 de la Ley de Nombre Repetido.", []),
        ("Este artículo 5 se aplica a todos.", []),
        ("La empresa publicará el calendario.", []),
    ],
)
def test_references_are_resolved_when_a_norm_comes_in(
    database: Database, write: Write, text: str, expected: list[tuple[str, str]]
) -> None:
    plain = dict.fromkeys(["1", "2", "3", "4"], "Texto inventado.")
    one = write(
        "una",
        plain
        | {"5": text, "6": "Texto.", "6 bis": "Texto."}
        | {"Disposición adicional primera. Prueba.": "Texto."},
        number="7/2021",
    )
    other = write("otra", plain, number="8/2021", alias="LOT")
    for name in ("gemela1", "gemela2"):
        write(name, plain, law="Ley de Nombre Repetido")

    ingest([one.parent], database)
    ingest([one, other], database)

    assert targets(database, "UNA", "5") == expected


def test_a_reference_to_a_norm_that_comes_later_is_followed_once_it_is_there(
    database: Database, write: Write
) -> None:
    one = write("una", {"1": "Según el artículo 9 de la Ley 8/2021."}, number="7/2021")
    other = write("otra", {"9": "Texto inventado."}, number="8/2021")

    ingest([one], database)
    assert targets(database, "UNA", "1") == []
    ingest([other], database)
    ingest([one], database)

    assert targets(database, "UNA", "1") == [("OTRA", "9")]


def test_a_reference_leads_to_the_wording_in_force_on_the_day(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "una.md"
    path.write_text(
        "---\nid: UNA\ntitle: Ley una\nlaw: Ley una\nvalid_from: 2000-01-01\n---\n"
        "#### Artículo 1. Prueba.\n\nSegún el artículo 2.\n\n"
        "#### Artículo 2. Prueba.\n<!-- block: a2; valid_to: 2009-12-31 -->\nAntes.\n\n"
        "#### Artículo 2. Prueba.\n<!-- block: a2; valid_from: 2010-01-01 -->\nDespués.\n",
        encoding="utf-8",
    )
    ingest([path], database)
    source = database.corpus.find("UNA", "1")[0].id
    for day, said in ((date(2005, 1, 1), "Antes."), (TODAY, "Después.")):
        ids = database.corpus.referenced([source], day)[source]
        assert [said in chunk.text for chunk in database.corpus.chunks(ids)] == [True]


# What goes in and what does not


def test_each_file_that_cannot_be_read_is_reported_and_the_others_go_in(
    database: Database, write: Write
) -> None:
    good = write("buena", {"1": "Texto inventado."})
    folder = good.parent
    (folder / "a.md").write_bytes(b"\xff\xfe\x00")
    (folder / "b.md").write_text("---\ntitle: [\n---\n#### Artículo 1. Uno.\n\nTexto.\n")
    (folder / "c.md").write_text("---\nid: C\nvalid_from: ayer\n---\n#### Artículo 1. Uno.\n\nTexto.\n")
    (folder / "d").mkdir()
    (folder / "d" / "texto.xml").write_text("<no cerrado")

    report = ingest([folder], database)

    assert [done.norm.id for done in report.documents] == ["BUENA"]
    assert [failure.path.name for failure in report.failures] == ["a.md", "b.md", "c.md", "d"]
    assert all(failure.reason and "\n" not in failure.reason for failure in report.failures)
    assert [norm.id for norm in database.corpus.norms()] == ["BUENA"]


def test_a_failure_leaves_what_was_stored_before(database: Database, write: Write) -> None:
    path = write("una", {"1": "Texto inventado."})
    ingest([path], database)
    before = database.corpus.ids()
    path.write_bytes(b"\xff\xfe\x00")

    report = ingest([path], database)

    assert len(report.failures) == 1
    assert database.corpus.ids() == before


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
    (folder / "README.md").write_text("# Cómo se hizo\n\nNotas de la carpeta.\n")
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


def test_what_an_interrupted_ingestion_stored_is_indexed_by_the_next(
    make_program: Maker, write: Write
) -> None:
    for name in ("a", "b", "c"):
        folder = write(name, {"1": "Texto inventado."}).parent
    program = make_program()

    def stop(phase: str, done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        program.ingest([folder], on_progress=stop)
    assert {norm.id for norm in program.corpus.norms()} == {"A", "B"}

    report, index = program.ingest([folder])

    assert [len(done.change.added) for done in report.documents] == [0, 0, 1]
    assert index.sparse == 3
    assert program.doctor()["healthy"]


@pytest.mark.slow
def test_two_ingestions_at_once_lose_nothing(make_program: Maker, write: Write) -> None:
    program = make_program()
    folders = []
    for side in ("i", "d"):
        for number in range(3):
            articles = {str(n): f"Texto inventado {side}{number} {n}." for n in range(1, 4)}
            path = write(f"{side}{number}", articles)
            folder = path.parent.parent / side
            folder.mkdir(exist_ok=True)
            path.rename(folder / path.name)
        folders.append(folder)
    failures: list[BaseException] = []
    together = threading.Barrier(2)

    def work(folder: Path) -> None:
        try:
            together.wait()
            for path in sorted(folder.iterdir()):
                program.ingest([path])
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(folder,)) for folder in folders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    assert len(program.corpus.ids()) == 18
    assert program.index.ids() == program.corpus.ids()
    assert program.doctor()["healthy"]


def test_an_ingestion_that_overtakes_a_check_of_the_index_keeps_its_points(
    make_program: Maker, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between reading the database and reading the index, another thread brings a norm in."""
    program = make_program([write("una", {"1": "Texto inventado."})])
    other = write("otra", {"1": "Otro texto inventado."})
    read = type(program.corpus).all_chunks
    overtaken: list[threading.Thread] = []

    def all_chunks(store, *arguments):  # type: ignore[no-untyped-def]
        found = list(read(store, *arguments))
        if not overtaken:
            overtaken.append(threading.Thread(target=lambda: program.ingest([other])))
            overtaken[0].start()
            # In the database; it cannot get into the index before this check is over.
            eventually(lambda: len(program.corpus.norms()) == 2)
        return found

    monkeypatch.setattr(type(program.corpus), "all_chunks", all_chunks)
    program.keeper.sync()

    overtaken[0].join(60)
    assert program.index.ids() == program.corpus.ids()
    assert program.doctor()["healthy"]


# The doctor


def test_the_doctor_counts_what_is_missing_and_what_is_too_much(make_program: Maker) -> None:
    program = make_program([DATA])
    assert program.doctor()["healthy"]
    ids = sorted(program.index.ids())
    program.index.delete(ids[:2])
    program.corpus.remove("X-RTF")

    findings = program.doctor()

    assert not findings["healthy"]
    detail = next(check["detail"] for check in findings["checks"] if check["name"] == "índice")
    assert "faltan 2, sobran 3" in detail
    program.keeper.sync()
    assert program.doctor()["healthy"]


def test_the_doctor_tells_vectors_that_are_still_missing(make_program: Maker) -> None:
    program = make_program()
    program.embedder_problem = ""
    program.ingest([DATA], dense=False)
    wrong = [check["name"] for check in program.doctor()["checks"] if not check["ok"]]
    assert wrong == ["vectores"]
    program.keeper.sync()
    assert program.doctor()["healthy"]


def test_an_index_that_another_process_has_is_judged_by_the_database(make_program: Maker) -> None:
    program = make_program([DATA])
    program.index.close()
    holder = EdgeIndex(program.settings.index_path)
    holder.open(program.fingerprint)

    findings = program.doctor()
    assert findings["healthy"]
    assert any("lo tiene abierto otro proceso" in check["detail"] for check in findings["checks"])
    program.corpus.reset_index_state()
    assert not program.doctor()["healthy"]
    holder.close()


def test_an_index_that_cannot_be_opened_is_a_finding_not_a_crash(make_program: Maker) -> None:
    program = make_program([DATA])
    program.close()
    (program.settings.index_path / "fingerprint.json").write_text("{}")
    again = bootstrap.build(program.settings)

    findings = again.doctor()
    assert not findings["healthy"]
    assert any("reindex" in check["detail"] for check in findings["checks"])
    again.close()


def test_the_catalogue_knows_what_has_just_come_in(make_program: Maker, write: Write) -> None:
    program = make_program([DATA])
    assert "OTRA" not in str(resolved(program))
    program.ingest([write("otra", {"1": "Texto."}, number="8/2021")])
    assert resolved(program) == ["OTRA"]
    assert isinstance(program.corpus.norm("OTRA"), Norm)


def resolved(program: App) -> list[str | None]:
    from rag.law import references

    found = references.resolve(references.find("artículo 1 de la Ley 8/2021"), program.catalogue())
    return [reference.norm_id for reference in found]


ONE_WORDING = """---
id: {id}
title: Ley inventada
law: Ley inventada
rank: Ley
valid_from: 2020-01-01
---
#### Artículo 1. Vacaciones.

{text}
"""


def test_a_text_with_one_wording_never_replaces_a_norm_with_its_history(make_program, tmp_path):
    program = make_program()
    amended = make_norm(
        "N-1",
        make_block(
            "1",
            make_version("Artículo 1. Vacaciones.\nVeinte días.", until="2019-12-31"),
            make_version("Artículo 1. Vacaciones.\nTreinta días.", since="2020-01-01"),
        ),
    )
    program.corpus.save(amended, chunks_of(amended), {})
    file = tmp_path / "ley.md"
    file.write_text(ONE_WORDING.format(id="N-1", text="Cuarenta días."), encoding="utf-8")

    report, _ = program.ingest([file])

    assert "desde qué día rige la nueva redacción" in report.failures[0].reason
    assert [len(block.versions) for block in program.corpus.document("N-1").blocks] == [2]
    assert Comparison(program.corpus).preview(load(file)[0]).asks_since
