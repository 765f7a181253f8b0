"""`reindex` on a server: a new collection beside the one in use, checked, then put in its place."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.errors import EmbedderUnavailable, IndexMismatch, IndexUnavailable
from index.points import IndexFilter, IndexQuery
from index.sparse import query_vector
from loading.indexing import rebuild as rebuild_module
from rag.run.pipeline import RunFailed, run_stages
from service.program.assembly import App
from storage.stores import open_database
from tests.conftest import DATA, Maker
from tests.factories import make_block, make_norm, save
from tests.fakes import HashEmbedder
from tests.qdrant_stub import QdrantStub, Refused, running_stub
from tests.texts import eventually

ALIAS = "articulado"


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[QdrantStub]:
    monkeypatch.setattr(rebuild_module, "GRACE_SECONDS", 0.0)
    with running_stub() as running:
        yield running


@pytest.fixture
def program(make_program: Maker, stub: QdrantStub) -> App:
    """The invented corpus, indexed on the stub."""
    return make_program([DATA], qdrant_url=stub.url)


def words(program: App, text: str) -> list[str]:
    sparse = query_vector(text)
    return [hit.id for hit in program.index.search([IndexQuery(sparse=sparse)])[0]]


def vectors_of(program: App, text: str) -> list[str]:
    vector = program.models.embedder.embed_passages([text])[0]
    return [hit.id for hit in program.index.search([IndexQuery(dense=vector)])[0]]


def on(method: str, ending: str, act: Callable[[], None], *, time: int = 1) -> Callable[[str, str], None]:
    """Do something at the given request of a kind."""
    count = 0
    lock = threading.Lock()

    def before(asked: str, path: str) -> None:
        nonlocal count
        if asked == method and path.endswith(ending):
            with lock:
                count += 1
                now = count == time
            if now:
                act()

    return before


def building(stub: QdrantStub) -> str:
    """The collection that no alias names."""
    (name,) = stub.collections - set(stub.aliases.values())
    return name


def test_a_rebuild_leaves_one_collection_with_everything_and_the_ledger_right(program, stub):
    old = stub.aliases[ALIAS]
    report = program.keeper.reindex()

    assert stub.aliases[ALIAS] != old
    assert stub.collections == {stub.aliases[ALIAS]}
    assert program.index.ids() == program.database.corpus.ids()
    chunks = program.database.corpus.counts().chunks
    assert report.dense == report.sparse == report.from_cache == chunks
    assert report.notice == ""
    assert program.doctor()["healthy"]


def test_searches_neither_fail_nor_come_back_empty_while_the_index_is_rebuilt(program, stub):
    expected = words(program, "vacaciones"), vectors_of(program, "vacaciones")
    assert all(expected)
    over = threading.Event()

    def ask() -> int:
        asked = 0
        while not over.is_set():
            assert (words(program, "vacaciones"), vectors_of(program, "vacaciones")) == expected
            asked += 1
        return asked

    with ThreadPoolExecutor(4) as pool:
        asking = [pool.submit(ask) for _ in range(4)]
        try:
            for _ in range(2):
                program.keeper.reindex()
        finally:
            over.set()
        assert all(outcome.result() > 0 for outcome in asking)


def test_what_the_corpus_gains_and_loses_meanwhile_is_not_lost(program, stub):
    other = open_database(program.settings.database)
    save(other.corpus_writer, make_norm("N-1", make_block("1", "Texto que cambiará.")))
    save(other.corpus_writer, make_norm("N-2", make_block("1", "Texto que se borrará.")))
    program.keeper.sync()

    def change() -> None:
        save(other.corpus_writer, make_norm("N-1", make_block("1", "Texto con ornitorrincos.")))
        save(other.corpus_writer, make_norm("N-3", make_block("1", "Texto con murciélagos.")))
        other.corpus_writer.remove("N-2")

    # Once everything has been read: what it read is no longer what there is.
    stub.before = on("POST", "/points/count", change)
    program.keeper.reindex()

    assert program.index.ids() == program.database.corpus.ids()
    for text in ("ornitorrincos", "murciélagos"):
        (found,) = words(program, text)
        assert found == vectors_of(program, f"Texto con {text}.")[0]
    assert not program.index.ids(IndexFilter(norm_ids=("N-2",)))
    assert program.doctor()["healthy"]
    other.close()


def test_a_rebuild_that_dies_halfway_changes_nothing_and_the_next_clears_up(program, stub):
    old, before = stub.aliases[ALIAS], words(program, "vacaciones")
    program.database.ledger.mark_embedded(sorted(program.database.corpus.ids()), "")

    def die() -> None:
        # From here on nothing reaches the server, as from a process that was killed.
        stub.before = refuse_all

    def refuse_all(method: str, path: str) -> None:
        raise Refused(503)

    stub.before = on("PUT", "/points", die, time=1)
    with pytest.raises(IndexUnavailable):
        program.keeper.reindex()
    stub.before = lambda method, path: None

    left = building(stub)
    assert stub.aliases[ALIAS] == old
    assert program.database.ledger.index_work(program.models.embedder.name).sparse == 0
    assert words(program, "vacaciones") == before
    assert program.doctor()["healthy"]
    program.keeper.reindex()
    assert left not in stub.collections
    assert len(stub.collections) == 1


def test_an_interrupted_rebuild_takes_its_collection_with_it(program, stub):
    old = stub.aliases[ALIAS]

    def interrupt(phase: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        program.keeper.reindex(on_progress=interrupt)
    assert stub.collections == {old}
    assert program.doctor()["healthy"]


def lose_one(stub: QdrantStub) -> None:
    name = building(stub)
    (record, *_), _ = stub.client.scroll(name)
    stub.client.delete(name, [record.id])


def change_a_payload(stub: QdrantStub) -> None:
    name = building(stub)
    records, _ = stub.client.scroll(name, limit=1000)
    stub.client.set_payload(name, {"valid_from": 99990101}, [record.id for record in records])


def lose_the_vectors(stub: QdrantStub) -> None:
    name = building(stub)
    records, _ = stub.client.scroll(name, limit=1000)
    stub.client.delete_vectors(name, ["text-dense"], [record.id for record in records])


@pytest.mark.parametrize("damage", [lose_one, change_a_payload, lose_the_vectors])
def test_an_index_that_is_not_what_it_should_be_never_takes_over(program, stub, damage):
    old, before = stub.aliases[ALIAS], words(program, "vacaciones")
    stub.before = on("POST", "/points/count", lambda: damage(stub))
    with pytest.raises(IndexUnavailable, match="se sigue usando el anterior"):
        program.keeper.reindex()
    assert stub.aliases == {ALIAS: old}
    assert stub.collections == {old}
    assert words(program, "vacaciones") == before


def test_a_chunk_that_another_took_the_place_of_is_missed_outside_the_sample_too(program, stub, monkeypatch):
    monkeypatch.setattr(rebuild_module, "SAMPLE", 1)
    last = max(program.database.corpus.ids())

    def swap() -> None:
        records, _ = stub.client.scroll(building(stub), limit=1000)
        (point,) = (record.id for record in records if record.payload["chunk_id"] == last)
        stub.client.set_payload(building(stub), {"chunk_id": "otro"}, [point])

    stub.before = on("POST", "/points/count", swap)
    with pytest.raises(IndexUnavailable, match="no tiene los fragmentos que debería"):
        program.keeper.reindex()


def another_model(**options: int) -> HashEmbedder:
    """Of as many dimensions: nothing but its name tells its vectors apart."""
    embedder = HashEmbedder(**options)
    embedder.name = "otro-modelo"
    return embedder


def second(make_program: Maker, program: App, embedder: HashEmbedder) -> App:
    """Another process on the same database and server, with other settings."""
    return make_program(
        qdrant_url=program.settings.qdrant_url, database_url=program.settings.database, embedder=embedder
    )


def test_with_another_model_the_running_application_serves_until_it_is_restarted(program, stub, make_program):
    before = vectors_of(program, "vacaciones")
    other = second(make_program, program, another_model())
    with pytest.raises(IndexMismatch, match=r"python cli\.py reindex"):
        _ = other.services

    report = other.keeper.reindex()

    assert "reinicie la aplicación" in report.notice
    assert other.services.index.ids() == program.database.corpus.ids()
    assert vectors_of(program, "vacaciones") == before
    with pytest.raises(IndexMismatch, match="reinicie la aplicación"):
        program.keeper.sync()
    other.keeper.reindex()
    with pytest.raises(IndexMismatch, match="reinicie la aplicación"):
        vectors_of(program, "vacaciones")
    assert len(stub.collections) == 1


def test_without_the_vectors_that_it_should_have_a_new_index_does_not_take_over(program, stub, make_program):
    old = stub.aliases[ALIAS]
    with pytest.raises(EmbedderUnavailable):
        second(make_program, program, another_model(fail_after=3)).keeper.reindex()
    assert stub.collections == {old}
    assert program.doctor()["healthy"]


def test_a_rebuild_waits_for_its_turn_and_so_do_the_others(program, make_program, monkeypatch):
    monkeypatch.setattr("loading.indexing.index_keeper.WAIT_SECONDS", 0.0)
    other = second(make_program, program, HashEmbedder())
    refused = []

    def try_to_write(phase: str, done: int, total: int) -> None:
        if not refused:
            with pytest.raises(IndexUnavailable, match="se está actualizando"):
                other.keeper.sync()
            refused.append(phase)

    program.keeper.reindex(on_progress=try_to_write)
    assert refused
    other.keeper.sync()


def test_a_keeper_that_waited_for_its_turn_writes_to_the_index_in_use(program, stub, make_program):
    other = second(make_program, program, HashEmbedder())
    other.services  # noqa: B018 - opens the index that is about to be replaced
    hold = other.keeper.guard.hold

    def late(wait: float):
        # Between its look at the index and its turn, somebody else rebuilds it.
        other.keeper.guard.hold = hold
        program.keeper.reindex()
        save(other.database.corpus_writer, make_norm("N-1", make_block("1", "Texto con ornitorrincos.")))
        return hold(wait)

    other.database.ledger.reset_index_state()
    other.keeper.guard.hold = late
    assert other.keeper.step()
    assert words(program, "ornitorrincos")
    assert stub.collections == {stub.aliases[ALIAS]}


def test_a_server_whose_index_lacks_nothing_is_asked_now_and_then_only(program, stub, monkeypatch):
    asked: list[str] = []

    def settled() -> bool:
        del asked[:]
        return not program.keeper.step() and not asked

    stub.before = lambda method, path: asked.append(path)
    eventually(settled, 10)
    assert all(settled() for _ in range(5))
    save(program.database.corpus_writer, make_norm("N-1", make_block("1", "Texto con ornitorrincos.")))
    assert program.keeper.step()
    assert words(program, "ornitorrincos")
    eventually(settled, 10)
    monkeypatch.setattr("loading.indexing.index_keeper.LOOK_SECONDS", -1.0)
    assert not settled()


def test_a_server_that_loses_an_entry_gets_it_back_at_the_next_look(program, stub, monkeypatch):
    eventually(lambda: not program.keeper.step())
    (record, *_), _ = stub.client.scroll(stub.aliases[ALIAS])
    stub.client.delete(stub.aliases[ALIAS], [record.id])
    monkeypatch.setattr("loading.indexing.index_keeper.LOOK_SECONDS", -1.0)
    assert program.keeper.step()
    assert program.index.ids() == program.database.corpus.ids()


def test_a_question_while_the_server_is_gone_ends_in_a_sentence_and_the_next_one_is_answered(program, stub):
    services = program.services
    stub.stop()
    with pytest.raises(RunFailed, match="No se puede conectar con el servidor Qdrant") as caught:
        asyncio.run(run_stages("¿Cuántos días de vacaciones hay?", services))
    assert "QDRANT_URL" in str(caught.value)
    stub.start()
    assert asyncio.run(run_stages("¿Cuántos días de vacaciones hay?", services)).answer.answer
