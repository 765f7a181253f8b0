"""The index follows the database by itself: words at once, vectors when they are made, one sync at a time."""

import threading

import pytest

from core.errors import IndexHeld, IndexUnavailable
from index.edge import EdgeIndex
from loading.indexing import index_keeper as keeper_module
from loading.indexing.index_keeper import IndexKeeper
from loading.indexing.index_sync import IndexSync, cached_vectors
from loading.indexing.lease import SyncGuard
from service.program.assembly import App
from storage.stores import open_database
from tests.conftest import DATA, Maker
from tests.factories import chunks_of, make_block, make_norm, save
from tests.fakes import HashEmbedder
from tests.texts import eventually

MANY = make_norm("N-9", *(make_block(str(number), f"Texto número {number}.") for number in range(1, 1500)))


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper_module, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(keeper_module, "RETRY_SECONDS", 0.1)


@pytest.fixture
def program(make_program: Maker) -> App:
    """With a keeper, without a worker, over an empty corpus."""
    made = make_program()
    made.background.start(worker=False)
    return made


def indexed(program: App) -> bool:
    try:
        return program.index.ids() == program.database.corpus.ids()
    except IndexUnavailable:
        return False


def embed(program: App) -> None:
    """Embed as the worker does."""
    model = program.models.embedder.name
    while chunks := program.database.ledger.to_embed(model):
        cached_vectors(chunks, program.models.embedder, program.database.vectors)
        program.database.ledger.mark_embedded([chunk.id for chunk in chunks], model)


def test_what_another_process_writes_is_indexed_and_what_it_deletes_is_not(program):
    other = open_database(program.settings.database)
    save(other.corpus_writer, make_norm("N-1", make_block("1"), make_block("2")))
    eventually(lambda: len(program.database.corpus.ids()) == 2 and indexed(program))
    other.corpus_writer.remove("N-1")
    eventually(lambda: indexed(program) and not program.index.ids())
    other.close()


def test_words_are_searched_before_vectors_are_made_and_vectors_follow(program):
    save(program.database.corpus_writer, make_norm("N-1", make_block("1"), make_block("2")))
    eventually(lambda: indexed(program))
    assert program.database.corpus.counts().pending_dense == 2
    assert any("(2 de los 2 en vigor), todo se busca solo" in notice for notice in program.notices)
    embed(program)
    eventually(lambda: program.database.corpus.counts().pending_dense == 0)
    program.background.stop()
    assert program.doctor()["healthy"]


def test_vectors_that_are_gone_from_the_cache_are_asked_for_again(program):
    save(program.database.corpus_writer, make_norm("N-1"))
    embed(program)
    vectors = program.database.vectors
    with program.database.engines.write() as session:
        session.connection().exec_driver_sql("DELETE FROM vectors")
        session.commit()
    model = program.models.embedder.name
    eventually(lambda: program.database.ledger.index_work(model).to_embed == 1 or indexed(program))
    if program.database.corpus.counts().pending_dense:
        eventually(lambda: program.database.ledger.index_work(model).to_embed == 1)
        embed(program)
        eventually(lambda: program.database.corpus.counts().pending_dense == 0)
    assert vectors is program.database.vectors


def test_an_index_folder_that_vanishes_under_the_application_is_made_again(program, tmp_path):
    save(program.database.corpus_writer, make_norm("N-1", make_block("1"), make_block("2")))
    eventually(lambda: indexed(program))
    program.settings.index_path.rename(tmp_path / "gone")
    eventually(lambda: program.settings.index_path.exists() and indexed(program))
    assert program.keeper.problem == ""


def test_a_problem_is_over_before_the_index_is_whole_again(make_program, monkeypatch):
    monkeypatch.setattr(keeper_module, "RETRY_SECONDS", 0.05)
    program = make_program()
    save(program.database.corpus_writer, make_norm("N-1"))
    put, told = program.index.upsert, []

    def upsert(points):
        told.append(program.background.status.index)
        if len(told) < 3:
            raise IndexUnavailable(f"fallo {len(told)}")
        put(points)

    monkeypatch.setattr(program.index, "upsert", upsert)
    program.background.start(worker=False)
    eventually(lambda: program.background.status.index == "fallo 2")
    eventually(lambda: indexed(program))
    assert told == [""] * 3


def test_what_is_saved_while_the_keeper_looks_is_work_and_no_difference(make_program, monkeypatch):
    program = make_program()
    mended: list[IndexSync] = []
    monkeypatch.setattr(IndexSync, "mend", mended.append)
    read = program.database.ledger.index_work

    def index_work(model):
        found = read(model)
        if not program.database.corpus.norms():
            save(program.database.corpus_writer, make_norm("N-1", make_block("1")))
        return found

    monkeypatch.setattr(program.database.ledger, "index_work", index_work)
    assert not program.keeper.step()
    assert mended == []
    assert program.keeper.step()
    assert indexed(program)


def test_entries_lost_by_the_index_are_put_back(program):
    save(program.database.corpus_writer, make_norm("N-1", make_block("1"), make_block("2")))
    eventually(lambda: indexed(program))
    program.index.delete(sorted(program.database.corpus.ids())[:1])
    eventually(lambda: indexed(program))


def test_services_wait_for_the_first_pass(make_program):
    program = make_program()
    save(program.database.corpus_writer, MANY)
    program.background.start(worker=False)
    assert program.services.index.count() == len(MANY.blocks)


def test_stopping_in_the_middle_of_a_pass_leaves_what_was_done(make_program, monkeypatch):
    program = make_program()
    save(program.database.corpus_writer, MANY)
    reached = threading.Event()
    real = IndexSync.add_sparse

    def slow(sync):
        told = sync.on_progress

        def first_batch(*progress):
            reached.set()
            program.keeper._stop.wait(10)
            told(*progress)

        sync.on_progress = first_batch
        return real(sync)

    monkeypatch.setattr(IndexSync, "add_sparse", slow)
    program.background.start(worker=False)
    assert reached.wait(30)
    program.background.stop()
    assert 0 < program.database.ledger.index_work("").sparse < len(MANY.blocks)
    monkeypatch.undo()
    program.keeper.sync(dense=False)
    assert indexed(program)


def test_an_index_that_another_process_has_is_a_problem_until_it_lets_go(make_program):
    program = make_program()
    save(program.database.corpus_writer, make_norm("N-1"))
    other = EdgeIndex(program.settings.index_path)
    other.open(program.models.fingerprint)
    program.background.start(worker=False)
    eventually(lambda: "Otro proceso" in program.background.status.index)
    with pytest.raises(IndexHeld):
        _ = program.services
    other.close()
    eventually(lambda: program.background.status.index == "" and indexed(program))


def test_a_command_follows_the_application_that_has_the_index(program):
    eventually(lambda: not program.background.status.index)
    program.keeper.wait_first_pass()
    command = second(program)
    save(program.database.corpus_writer, make_norm("N-1", make_block("1"), make_block("2")))
    report = command.sync_or_follow(dense=False)
    assert "puesto al día" in report.notice
    assert indexed(program)


def test_a_command_says_so_when_nobody_keeps_the_index(make_program, monkeypatch):
    monkeypatch.setattr(keeper_module, "IDLE_SECONDS", 0.1)
    program = make_program([DATA])
    save(program.database.corpus_writer, make_norm("N-1"))
    with pytest.raises(IndexHeld, match="está guardado"):
        second(program).sync_or_follow(dense=False)


def second(program: App) -> IndexKeeper:
    """A keeper over the same home, as another process would have it."""
    index = EdgeIndex(program.settings.index_path)
    return IndexKeeper(
        program.database.corpus,
        program.database.ledger,
        index,
        lambda: None,
        program.database.vectors,
        lambda: program.models.fingerprint,
        SyncGuard(),
    )


def test_one_sync_at_a_time_in_a_process():
    guard = SyncGuard()
    with guard.hold(0), pytest.raises(IndexUnavailable, match="actualizando"), guard.hold(0.05):
        pass
    with guard.hold(0):
        pass


def test_one_sync_at_a_time_between_processes(program):
    mine, other = SyncGuard(program.database.jobs), SyncGuard(program.database.jobs)
    with mine.hold(0), pytest.raises(IndexUnavailable, match="actualizando"), other.hold(0):
        pass
    with other.hold(0) as renew:
        renew()


def test_a_sync_that_lost_its_lease_stops(program, monkeypatch):
    monkeypatch.setattr("loading.indexing.lease.RENEW_SECONDS", -1.0)
    monkeypatch.setattr("loading.indexing.lease.LEASE_SECONDS", 0.0)
    mine, other = SyncGuard(program.database.jobs), SyncGuard(program.database.jobs)
    with mine.hold(0) as renew:
        monkeypatch.setattr("loading.indexing.lease.LEASE_SECONDS", 60.0)
        with other.hold(0), pytest.raises(IndexUnavailable):
            renew()


def test_two_threads_that_sync_at_once_leave_the_index_whole(make_program):
    program = make_program(embedder=HashEmbedder())
    save(program.database.corpus_writer, MANY)
    threads = [threading.Thread(target=program.keeper.sync) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert indexed(program)
    assert len(program.models.embedder.embedded) == len(chunks_of(MANY))
