"""Review tables on both databases: open to members alone, filled by one program at a time."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, text

from casework.matters.paper_fragments import Fragment
from core.errors import InputError, NotFound
from domain.document_tables import Cell, CellState, TableState
from domain.matters import MatterDocument
from storage.casework.document_tables import QUESTION, QUESTIONS, STALE_SECONDS
from storage.tables.document_tables import DocumentTableCellRow, DocumentTableRow

pytest_plugins = ("tests.postgres",)
NOW = datetime.now(UTC)
ASKED = ("Salario", "Causa")


def paper(database, matter_id, name, content):
    document = MatterDocument(
        id=f"d-{name}",
        matter_id=matter_id,
        number=0,
        name=name,
        content_hash=content,
        bytes=9,
        added_by="ana",
        added_at=NOW,
    )
    stored = database.matter_documents.add("ana", document)
    database.matter_documents.keep(stored.id, [Fragment(number=1, page=1, text=f"texto de {name}")], 1, "")
    return stored.id


@pytest.fixture
def matter(database):
    found = database.matters.create("ana", "Despido")
    database.matters.add_member("ana", found.id, "blas")
    return found.id


@pytest.fixture
def papers(database, matter):
    return [paper(database, matter, "carta.pdf", "h1"), paper(database, matter, "nomina.pdf", "h2")]


@pytest.fixture
def table(database, matter, papers):
    return database.document_tables.create("ana", matter, "Cartas", papers, ASKED)


def cell(document_id, question, content="h1", **more):
    return Cell(
        document_id=document_id,
        question=question,
        state=more.pop("state", CellState.ANSWERED),
        content_hash=content,
        filled_at=NOW,
        **more,
    )


def rows(database):
    kinds = (DocumentTableRow, DocumentTableCellRow)
    with database.engines.read() as session:
        return [len(session.scalars(select(kind)).all()) for kind in kinds]


def test_a_table_is_open_to_the_members_of_its_expediente(database, matter, table):
    for person in ("ana", "blas"):
        assert database.document_tables.tables(person, matter) == [table]
        assert database.document_tables.table(person, table.id).questions == ASKED
    assert list(table.documents.values()) == ["Doc 1 · carta.pdf", "Doc 2 · nomina.pdf"]


def test_to_everybody_else_it_does_not_exist(database, matter, papers, table):
    store = database.document_tables
    told = []
    for target, place in ((table.id, matter), ("x", "y")):
        said = []
        for attempt in (
            lambda place=place: store.tables("eva", place),
            lambda place=place: store.create("eva", place, "x", papers, ASKED),
            lambda target=target: store.table("eva", target),
            lambda target=target: store.cells("eva", target),
            lambda target=target: store.passages("eva", target, papers),
            lambda target=target: store.change("eva", target, papers, ASKED),
            lambda target=target: store.resume("eva", target),
            lambda target=target: store.stop("eva", target),
            lambda target=target: store.remove("eva", target),
        ):
            with pytest.raises(NotFound) as refused:
                attempt()
            said.append(str(refused.value))
        told.append(said)
    assert told[0] == told[1]
    assert rows(database) == [1, 0]


def test_documents_of_another_expediente_or_of_a_conversation_cannot_be_chosen(database, matter, papers):
    other = database.matters.create("ana", "Otro").id
    for chosen in ([papers[0]], [], ["x"]):
        with pytest.raises(InputError, match="de este expediente"):
            database.document_tables.create("ana", other, "T", chosen, ASKED)
    with pytest.raises(InputError, match="de este expediente"):
        database.document_tables.create("ana", matter, "T", [papers[0], "x"], ASKED)


@pytest.mark.parametrize(
    ("name", "questions"),
    [
        (" ", ASKED),
        ("n" * 121, ASKED),
        ("T", ()),
        ("T", ("", " \n")),
        ("T", ("p" * (QUESTION + 1),)),
        ("T", tuple(f"p{i}" for i in range(QUESTIONS + 1))),
    ],
    ids=["no name", "long name", "no question", "blank questions", "long question", "many questions"],
)
def test_what_is_blank_or_too_long_is_refused_with_a_sentence(database, matter, papers, name, questions):
    with pytest.raises(InputError, match=r"\.$"):
        database.document_tables.create("ana", matter, name, papers, questions)
    assert rows(database) == [0, 0]


def test_one_program_at_a_time_fills_it_and_another_goes_on_when_that_is_silent(database, table):
    store = database.document_tables
    assert store.take("one", NOW).id == table.id
    assert store.take("two", NOW) is None
    assert store.beat(table.id, "one") and not store.beat(table.id, "two")
    later = datetime.now(UTC) + timedelta(seconds=STALE_SECONDS + 1)
    assert store.take("two", later).id == table.id
    first, _ = table.documents
    assert not store.keep(table.id, "one", cell(first, "Salario"))
    assert store.keep(table.id, "two", cell(first, "Salario"))
    assert len(store.cells("ana", table.id)) == 1


def test_what_is_missing_is_told_by_document_and_filled_cells_are_not_filled_again(database, table, papers):
    store = database.document_tables
    taken = store.take("one", NOW)
    assert [(one.id, asked) for one, asked in store.missing(taken)] == [(one, list(ASKED)) for one in papers]
    store.keep(table.id, "one", cell(papers[0], "Salario"))
    assert [asked for _, asked in store.missing(taken)] == [["Causa"], list(ASKED)]
    store.keep(table.id, "one", cell(papers[0], "Causa", content="an older file"))
    assert store.missing(taken)[0][1] == ["Causa"]


def test_it_is_done_when_nothing_is_left(database, table, papers):
    store = database.document_tables
    store.take("one", NOW)
    assert store.settle(table.id, "one")
    store.take("one", NOW)
    for one, content in zip(papers, ("h1", "h2"), strict=True):
        for asked in ASKED:
            store.keep(table.id, "one", cell(one, asked, content))
    assert not store.settle(table.id, "one")
    assert store.table("ana", table.id).state is TableState.DONE
    assert store.take("one", NOW) is None


def test_once_stopped_no_cell_is_kept_until_it_goes_on(database, table, papers):
    store = database.document_tables
    store.take("one", NOW)
    store.stop("blas", table.id)
    assert not store.keep(table.id, "one", cell(papers[0], "Salario"))
    assert store.take("one", NOW) is None
    assert store.resume("blas", table.id).run_by == "blas"
    assert store.take("two", NOW).id == table.id


def test_cells_that_failed_are_tried_again_when_it_goes_on(database, table, papers):
    store = database.document_tables
    taken = store.take("one", NOW)
    store.keep(table.id, "one", cell(papers[0], "Salario", state=CellState.FAILED, remark="Sin modelo."))
    assert store.missing(taken)[0][1] == ["Causa"]
    store.stop("ana", table.id)
    store.resume("ana", table.id)
    assert store.missing(store.take("one", NOW))[0][1] == list(ASKED)


def test_a_document_or_question_added_later_only_needs_its_own_cells(database, matter, table, papers):
    store = database.document_tables
    store.take("one", NOW)
    for one, content in zip(papers, ("h1", "h2"), strict=True):
        for asked in ASKED:
            store.keep(table.id, "one", cell(one, asked, content))
    store.settle(table.id, "one")
    third = paper(database, matter, "otra.pdf", "h3")
    changed = store.change("ana", table.id, [*papers, third], (*ASKED, "Firma"))
    assert changed.state is TableState.RUNNING
    missing = {one.id: asked for one, asked in store.missing(changed)}
    assert missing == {papers[0]: ["Firma"], papers[1]: ["Firma"], third: [*ASKED, "Firma"]}
    assert len(store.cells("ana", table.id)) == 4
    store.change("ana", table.id, papers[:1], ("Causa",))
    assert [(one.document_id, one.question) for one in store.cells("ana", table.id)] == [(papers[0], "Causa")]


def test_what_a_deleted_document_said_stays_and_no_new_cell_of_it_comes(database, table, papers):
    store = database.document_tables
    store.take("one", NOW)
    store.keep(table.id, "one", cell(papers[0], "Salario", quote="texto de carta.pdf", fragment=1))
    assert store.passages("ana", table.id, papers) == {(papers[0], 1): "texto de carta.pdf"}
    database.matter_documents.remove("ana", papers[0])
    assert store.keep(table.id, "one", cell(papers[0], "Causa"))
    assert [one.question for one in store.cells("ana", table.id)] == ["Salario"]
    assert store.passages("ana", table.id, papers) == {}
    kept = store.change("ana", table.id, papers, ASKED)
    assert kept.documents[papers[0]] == "Doc 1 · carta.pdf"


def test_it_stops_when_the_person_who_set_it_going_leaves_the_expediente(database, matter, table, papers):
    store = database.document_tables
    store.stop("ana", table.id)
    store.resume("blas", table.id)
    store.take("one", NOW)
    database.matters.remove_member("ana", matter, "blas")
    assert not store.keep(table.id, "one", cell(papers[0], "Salario"))
    store.settle(table.id, "one")
    assert store.take("one", NOW) is None
    stopped = store.table("ana", table.id)
    assert stopped.state is TableState.STOPPED and "ya no está en el expediente" in stopped.remark


def test_it_goes_with_its_expediente_and_with_its_owner(database, matter, table, papers):
    store = database.document_tables
    store.take("one", NOW)
    store.keep(table.id, "one", cell(papers[0], "Salario"))
    (copy,) = database.privacy.matters("ana")
    assert [(one.table.id, len(one.cells)) for one in copy.tables] == [(table.id, 1)]
    database.privacy.erase("ana")
    assert store.table("blas", table.id).run_by != "ana"
    database.privacy.erase("blas")
    assert rows(database) == [0, 0]


def test_removing_it_leaves_the_documents(database, matter, table, papers):
    store = database.document_tables
    store.take("one", NOW)
    store.keep(table.id, "one", cell(papers[0], "Salario"))
    store.remove("blas", table.id)
    assert rows(database) == [0, 0]
    assert len(database.matter_documents.documents("ana", matter)) == 2
    if database.engines.engine.dialect.name == "sqlite":
        with database.engines.engine.connect() as connection:
            assert connection.execute(text("PRAGMA foreign_key_check")).all() == []
