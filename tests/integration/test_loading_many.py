"""Loading one more norm costs the same however many there are; references resolve as if all were read."""

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, select

from core.errors import InputError
from law import norm_names, references
from law.norm_names import NormCatalogue
from law.norms import SUMMARISES, Document, Norm
from law.reference_reading import find_mentions
from lexicon.usual_names import known_norms
from loading.ingestion.ingest import store_document
from loading.ingestion.intake import Intake
from loading.ingestion.loaded_norms import LoadedNorms
from storage.stores import Database, open_database
from storage.tables.norms import CrossReferenceRow
from tests.factories import chunks_of, make_norm
from tests.texts import law

SQL_STEPS = 50


@contextmanager
def opened(folder: Path) -> Iterator[Database]:
    with closing(open_database(f"sqlite:///{folder / 'a.db'}")) as database:
        yield database


def many(folder: Path, count: int, **more: str) -> Path:
    """Norms as files; each refers to the one before by number and by name.

    Args:
        more: further fields of each.
    """
    docs = folder / "docs"
    docs.mkdir(parents=True)
    for n in range(count):
        text = (
            f"Según el artículo 1 de la Ley {n - 1}/2020 y el artículo 1 de la Ley de asuntos número {n - 1}."
        )
        fields = {
            "title": f"Ley {n}/2020, de 3 de marzo, de asuntos número {n}",
            "number": f"{n}/2020",
        } | more
        (docs / f"n{n:04}.md").write_bytes(
            law(f"n{n}", {"1": text}, law=f"Ley de asuntos número {n}", **fields)
        )
    return docs


def work_of_loading(folder: Path, count: int, monkeypatch: pytest.MonkeyPatch, **more: str) -> dict[str, int]:
    """Norms read, norms whose names were worked out, and steps of SQL, for all of them."""
    work = {"read": 0, "named": 0, "sql": 0}
    names, docs = norm_names._of_title, many(folder, count, **more)

    def named(title: str) -> object:
        work["named"] += 1
        return names(title)

    def step() -> int:
        work["sql"] += 1
        return 0

    def watch(connection: sqlite3.Connection, *_: object) -> None:
        connection.set_progress_handler(step, SQL_STEPS)

    with opened(folder) as database, monkeypatch.context() as patched:
        norms = database.corpus.norms

        def read() -> list[Norm]:
            found = norms()
            work["read"] += len(found)
            return found

        patched.setattr(database.corpus, "norms", read)
        patched.setattr(norm_names, "_of_title", named)
        event.listen(database.engines.engine, "checkout", watch)
        report = Intake(database.corpus, database.corpus_writer, database.documents, folder).bring_in(
            [docs], "normativa", "ana"
        )
        assert (len(report.documents), report.failures) == (count, ())
        last = database.corpus.find(f"N{count - 1}", "1")[0]
        targets = database.corpus.referenced([last.id], date(2025, 1, 1))[last.id]
        assert [chunk.norm_id for chunk in database.corpus.chunks(targets)] == [f"N{count - 2}"]
    return work


@pytest.mark.parametrize("rank", ["Ley", "Convenio colectivo"])
def test_the_work_of_loading_doubles_with_the_number_of_norms(
    rank: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = work_of_loading(tmp_path / "few", 60, monkeypatch, rank=rank)
    twice = work_of_loading(tmp_path / "twice", 120, monkeypatch, rank=rank)
    assert few["read"] == twice["read"] == 0
    assert twice["named"] - few["named"] == 60
    assert twice["sql"] < 2.2 * few["sql"]


def calls_of(act: Callable[[], object]) -> int:
    """How many functions are called, those written in C included."""
    count = 0

    def watch(_: FrameType, what: str, __: object) -> None:
        nonlocal count
        count += what in ("call", "c_call")

    sys.setprofile(watch)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count


def test_looking_a_name_up_costs_the_same_among_ten_norms_and_among_thousands() -> None:
    mentions = find_mentions("Según el artículo 1 de la Ley de asuntos número 7 y la Ley de otra cosa.")
    calls = set()
    for count in (10, 3000):
        norms = [make_norm(f"N-{n}", law=f"Ley de asuntos número {n}").norm for n in range(count)]
        catalogue = NormCatalogue(norms)
        assert references.resolve(mentions, catalogue)[0].norm_id == "N-7"
        calls.add(calls_of(lambda catalogue=catalogue: references.resolve(mentions, catalogue)))
    assert max(calls) <= 1.5 * min(calls)


ET, LGSS = "BOE-A-2015-11430", "BOE-A-2015-11724"
QUESTION = (
    "El artículo 1 del Estatuto de los Trabajadores, el artículo 2 de la LGSS, "
    "el artículo 3 de la Ley 5/2020, el artículo 4 de la Ley de Nombre Inventado "
    "y el artículo 5 del Real Decreto Legislativo 2/2015."
)
LOAD, OTHER, REMOVE, FAIL = "load", "another writer loads", "another writer removes", "fail to load"
NORMS = st.builds(
    lambda norm_id, law, number, source: make_norm(
        norm_id, law=law, number=number, official=not source, extra={SUMMARISES: source} if source else {}
    ),
    st.sampled_from(["N-1", "N-2", ET, LGSS]),
    st.sampled_from(["Estatuto de los Trabajadores", "Ley de Nombre Inventado", "Ley Distinta"]),
    st.sampled_from(["", "5/2020"]),
    st.sampled_from(["", "", ET, "N-1"]),
)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with opened(tmp_path_factory.mktemp("loaded")) as made:
        yield made


def as_if_all_were_read(database: Database) -> NormCatalogue:
    norms = database.corpus.norms()
    have = {norm.id for norm in norms} | {norm.extra.get(SUMMARISES, "") for norm in norms}
    return NormCatalogue([*norms, *(norm for norm in known_norms() if norm.id not in have)])


def resolved(catalogue: NormCatalogue) -> list[str | None]:
    return [one.norm_id for one in references.resolve(find_mentions(QUESTION), catalogue)]


def do(database: Database, loaded: LoadedNorms, what: str, document: Document) -> None:
    store, writer, norm_id = database.corpus, database.corpus_writer, document.norm.id

    def refused(*_: object) -> None:
        raise InputError("No.")

    if what == LOAD:
        store_document(Path("x.md"), document, store, writer, loaded)
    elif what == FAIL and document.norm.extra.get(SUMMARISES) not in loaded:
        with pytest.raises(InputError):
            store_document(Path("x.md"), document, store, writer, loaded, save=refused)
    elif what == OTHER:
        writer.save(document, chunks_of(document), {})
    elif what == REMOVE and store.norm(norm_id) is not None:
        writer.remove(norm_id)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(steps=st.lists(st.tuples(st.sampled_from([LOAD, LOAD, OTHER, REMOVE, FAIL]), NORMS), max_size=12))
def test_whatever_is_loaded_replaced_and_removed_names_resolve_as_if_all_norms_were_read(
    database: Database, steps: list[tuple[str, Document]]
) -> None:
    loaded = LoadedNorms(database.corpus)
    for what, document in steps:
        do(database, loaded, what, document)
        loaded.refresh()
        assert resolved(loaded.catalogue) == resolved(as_if_all_were_read(database)), what
    for norm in database.corpus.norms():
        database.corpus_writer.remove(norm.id)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (1, 2, 0)])
def test_references_lead_to_norms_of_the_same_batch_and_of_batches_before_and_after(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    """A name counts from when its norm is loaded; a number of a well-known norm, always."""
    files = []
    for n in range(3):
        text = " ".join(f"El artículo 1 de la Ley {other}/2020." for other in range(3) if other != n)
        files.append(tmp_path / f"n{n}.md")
        files[n].write_bytes(law(f"n{n}", {"1": f"{text} El artículo 1 de la LGSS."}, number=f"{n}/2020"))
    with opened(tmp_path) as database:
        intake = Intake(database.corpus, database.corpus_writer, database.documents, tmp_path)
        for n in order:
            intake.bring_in([files[n]], "normativa", "ana")
        loaded_before = {n: set(order[:place]) for place, n in enumerate(order)}
        for n in order:
            (chunk,) = database.corpus.find(f"N{n}", "1")
            targets = database.corpus.referenced([chunk.id], date(2025, 1, 1))[chunk.id]
            assert {target.partition("/")[0] for target in targets} == {f"N{m}" for m in loaded_before[n]}
        intake.bring_in(files, "normativa", "ana")
        for n in order:
            assert {norm_id for _, norm_id in referred(database, n)} == {
                LGSS,
                *(f"N{m}" for m in order if m != n),
            }


def referred(database: Database, n: int) -> set[tuple[str | None, ...]]:
    with database.engines.read() as session:
        query = select(CrossReferenceRow.chunk_id, CrossReferenceRow.norm_id)
        return {tuple(row) for row in session.execute(query) if row.chunk_id.startswith(f"N{n}/")}
