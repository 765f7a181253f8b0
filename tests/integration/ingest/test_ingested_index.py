"""The index behind what is ingested: interruptions, two at once, and the doctor."""

import threading
from pathlib import Path

import pytest

from index.edge import EdgeIndex
from law.norms import Norm
from service.program.assembly import App
from tests.conftest import DATA, Maker
from tests.integration.ingest.conftest import Write
from tests.texts import eventually


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
        program.loading.ingest([folder], on_progress=stop)
    assert {norm.id for norm in program.database.corpus.norms()} == {"A", "B"}

    report, index = program.loading.ingest([folder])

    assert [len(done.change.added) for done in report.documents] == [0, 0, 1]
    assert index.sparse == 3
    assert program.doctor()["healthy"]


@pytest.mark.slow
def test_two_ingestions_at_once_lose_nothing(make_program: Maker, write: Write) -> None:
    program = make_program()
    folders = []
    for side in ("i", "d"):
        articles = ({str(n): f"Texto inventado {side}{at} {n}." for n in range(1, 4)} for at in range(3))
        paths = [write(f"{side}{at}", one) for at, one in enumerate(articles)]
        folder = paths[0].parent.parent / side
        folder.mkdir()
        for path in paths:
            path.rename(folder / path.name)
        folders.append(folder)
    failures: list[BaseException] = []
    together = threading.Barrier(2)

    def work(folder: Path) -> None:
        try:
            together.wait()
            for path in sorted(folder.iterdir()):
                program.loading.ingest([path])
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(folder,)) for folder in folders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    assert len(program.database.corpus.ids()) == 18
    assert program.index.ids() == program.database.corpus.ids()
    assert program.doctor()["healthy"]


def test_an_ingestion_that_overtakes_a_check_of_the_index_keeps_its_points(
    make_program: Maker, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between reading the database and reading the index, another thread brings a norm in."""
    program = make_program([write("una", {"1": "Texto inventado."})])
    other = write("otra", {"1": "Otro texto inventado."})
    read = type(program.database.corpus).all_chunks
    overtaken: list[threading.Thread] = []

    def all_chunks(store, *arguments):  # type: ignore[no-untyped-def]
        found = list(read(store, *arguments))
        if not overtaken:
            overtaken.append(threading.Thread(target=lambda: program.loading.ingest([other])))
            overtaken[0].start()
            # In the database; it cannot get into the index before this check is over.
            eventually(lambda: len(program.database.corpus.norms()) == 2)
        return found

    monkeypatch.setattr(type(program.database.corpus), "all_chunks", all_chunks)
    program.keeper.sync()

    overtaken[0].join(60)
    assert program.index.ids() == program.database.corpus.ids()
    assert program.doctor()["healthy"]


# The doctor


def test_the_doctor_counts_what_is_missing_and_what_is_too_much(make_program: Maker) -> None:
    program = make_program([DATA])
    assert program.doctor()["healthy"]
    ids = sorted(program.index.ids())
    program.index.delete(ids[:2])
    program.database.corpus_writer.remove("X-RTF")

    findings = program.doctor()

    assert not findings["healthy"]
    detail = next(check["detail"] for check in findings["checks"] if check["name"] == "índice")
    assert "faltan 2, sobran 3" in detail
    program.keeper.sync()
    assert program.doctor()["healthy"]


def test_the_doctor_tells_vectors_that_are_still_missing(make_program: Maker) -> None:
    program = make_program()
    program.models.embedder_problem = ""
    program.loading.ingest([DATA], dense=False)
    wrong = [check["name"] for check in program.doctor()["checks"] if not check["ok"]]
    assert wrong == ["vectores"]
    program.keeper.sync()
    assert program.doctor()["healthy"]


def test_an_index_that_another_process_has_is_judged_by_the_database(make_program: Maker) -> None:
    program = make_program([DATA])
    program.index.close()
    holder = EdgeIndex(program.settings.index_path)
    holder.open(program.models.fingerprint)

    findings = program.doctor()
    assert findings["healthy"]
    assert any("lo tiene abierto otro proceso" in check["detail"] for check in findings["checks"])
    program.database.ledger.reset_index_state()
    assert not program.doctor()["healthy"]
    holder.close()


def test_the_catalogue_knows_what_has_just_come_in(make_program: Maker, write: Write) -> None:
    program = make_program([DATA])
    assert "OTRA" not in str(resolved(program))
    program.loading.ingest([write("otra", {"1": "Texto."}, number="8/2021")])
    assert resolved(program) == ["OTRA"]
    assert isinstance(program.database.corpus.norm("OTRA"), Norm)


def resolved(program: App) -> list[str | None]:
    from law import references
    from law.reference_reading import find_mentions

    found = references.resolve(find_mentions("artículo 1 de la Ley 8/2021"), program.holdings.catalogue())
    return [reference.norm_id for reference in found]
