"""Documents by name, their numbers on a day, their text."""

from datetime import UTC, date, datetime

import pytest

from law.document_records import DocumentRecord
from law.norms import BlockKind
from loading.chunking.chunk import chunk_document
from rag.tools.tool_calls import ToolFailure
from rag.tools.tool_documents import Library
from tests.databases import new_database
from tests.factories import make_block, make_norm, make_version
from tests.queries import statements

TODAY = date(2024, 6, 1)
PREAMBLE = "Exposición de motivos inventada. " * 10


def save(database, document):
    database.corpus_writer.save(document, chunk_document(document), {})


@pytest.fixture
def database(tmp_path):
    opened = new_database(tmp_path / "x.db")
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def corpus(database):
    save(
        database,
        make_norm(
            "N-1",
            make_block("", PREAMBLE, id="pr", kind=BlockKind.PREAMBLE, title="Preámbulo", position=0),
            make_block("", "TÍTULO I", id="t1", kind=BlockKind.HEADING, title="TÍTULO I", position=1),
            make_block(
                "1",
                make_version("Artículo 1. Prueba.\nAntes.", since="2001-01-01", until="2009-12-31"),
                make_version("Artículo 1. Prueba.\nAhora.", since="2010-01-01"),
                position=2,
            ),
            make_block("2", "Artículo 2. Prueba.\nNuevo.", since="2015-01-01", position=3),
            make_block("3", "Artículo 3. Prueba.\nSiempre.", position=4),
            law="Ley de la Prueba Única",
            alias="LPU",
            aliases=("Ley de Pruebas",),
            number="7/2001",
        ),
    )
    return database.corpus


@pytest.fixture
def library(corpus, database):
    return Library(corpus, database.documents)


@pytest.mark.parametrize(
    "name",
    [
        "Ley_de_la_Prueba_Unica.md",
        "ley_de_la_prueba_unica.md",
        "Ley_de_la_Prueba_Unica",
        "N-1",
        "n-1",
        "LPU",
        "lpu.md",
        "Ley de la Prueba Única",
        "ley de la prueba unica",
        "Ley de Pruebas",
        "Ley 7/2001",
        "Ley inventada N-1",
    ],
)
def test_a_document_is_found_by_any_of_its_names(library, name):
    assert library.find(name).norm.id == "N-1"


def test_an_exact_name_needs_its_extension(library):
    assert library.find("Ley_de_la_Prueba_Unica.md", exact=True).norm.id == "N-1"
    with pytest.raises(
        ToolFailure, match=r"con su extensión\. Nombres parecidos: Ley_de_la_Prueba_Unica\.md"
    ):
        library.find("Ley_de_la_Prueba_Unica", exact=True)


def test_norms_with_one_law_name_are_called_by_their_ids(database, library):
    for norm_id in ("N-2", "N-3"):
        save(database, make_norm(norm_id, law="Ley Repetida", title=f"Título de {norm_id}"))
    assert {entry.file_name for entry in library.entries()} >= {"N-2.md", "N-3.md"}
    with pytest.raises(ToolFailure, match=r"ambiguo.*N-2\.md \(N-2\), N-3\.md \(N-3\)"):
        library.find("Ley Repetida")


def test_an_unknown_document_has_at_most_five_similar_names(database, library):
    for number in range(2, 10):
        save(database, make_norm(f"N-{number}", law=f"Reglamento parecido {number}"))
    with pytest.raises(ToolFailure) as caught:
        library.find("Reglamento parecido")
    assert str(caught.value).count(".md") == 5
    with pytest.raises(ToolFailure, match=r"^No existe el documento «zzzz»\.$"):
        library.find("zzzz")


def test_names_that_are_not_found_do_not_read_the_corpus_again(database):
    library = Library(database.corpus, database.documents)
    library.find("LPU")
    with statements(database) as asked:
        for name in ("Ley Fantasma", "otra.md", "LPX"):
            with pytest.raises(ToolFailure):
                library.find(name)
    assert asked.reading("norms", "documents", "chunks", "block_versions") == []


def test_the_name_of_a_file_is_known_as_soon_as_it_is_recorded(database):
    library = Library(database.corpus, database.documents)
    with pytest.raises(ToolFailure):
        library.find("contrato.pdf")
    when = datetime(2030, 1, 1, tzinfo=UTC)
    record = DocumentRecord(norm_id="N-1", file_name="contrato.pdf", loaded_at=when)
    document = database.corpus.document("N-1")
    database.corpus_writer.update(document, chunk_document(document), record)
    assert library.find("contrato.pdf").norm.id == "N-1"


def test_a_new_norm_is_known_at_once(database, library):
    with pytest.raises(ToolFailure):
        library.find("Nueva")
    save(database, make_norm("N-9", law="Nueva"))
    assert library.find("Nueva").norm.id == "N-9"


@pytest.mark.parametrize(
    ("day", "texts"),
    [
        (date(2005, 1, 1), ["Antes.", "Siempre."]),
        (date(2012, 1, 1), ["Ahora.", "Siempre."]),
        (TODAY, ["Ahora.", "Nuevo.", "Siempre."]),
    ],
)
def test_numbers_are_those_of_the_chunks_in_force_that_day(library, day, texts):
    view = library.view("N-1", day)
    assert [chunk.text.split("\n")[1] for chunk in view.chunks] == texts
    assert [view.outline.numbers[chunk.id] for chunk in view.chunks] == list(range(1, len(texts) + 1))
    assert ("Antes." in view.text, "Ahora." in view.text) == ("Antes." in texts, "Ahora." in texts)


def test_the_header_is_number_0_and_holds_the_preamble(library):
    view = library.view("N-1", TODAY)
    assert view.outline.numbers["N-1/pr@2000-01-01#1"] == 0
    assert PREAMBLE in view.header and view.header.startswith("Ley inventada N-1\n\nIdentificador: N-1")
    assert view.item(0).chunk_id == "Ley_de_la_Prueba_Unica_chunk_0000"


def test_the_text_is_everything_in_force_once_in_reading_order(library):
    view = library.view("N-1", TODAY)
    assert view.text == "\n\n".join(
        [
            view.header,
            "TÍTULO I",
            "Artículo 1. Prueba.\nAhora.",
            "Artículo 2. Prueba.\nNuevo.",
            "Artículo 3. Prueba.\nSiempre.",
        ]
    )
    for passage in view.passages:
        assert view.lines[passage.line - 1] == passage.text.split("\n")[0]


def test_an_amendment_shows_at_once(database, library):
    assert "Siempre." in library.view("N-1", TODAY).text
    save(database, make_norm("N-1", make_block("1", "Artículo 1. Prueba.\nOtro texto.")))
    assert library.view("N-1", TODAY).text.endswith("Otro texto.")


@pytest.mark.parametrize(
    "chunk_id", ["Ley_de_la_Prueba_Unica_chunk_0002", "N-1/a2@2015-01-01#1", "LPU_chunk_0002"]
)
def test_a_chunk_is_found_by_either_id(library, chunk_id):
    assert library.chunk(chunk_id, TODAY).id == "N-1/a2@2015-01-01#1"


@pytest.mark.parametrize(
    "chunk_id", ["", "Ley_de_la_Prueba_Unica_chunk_0004", "LPU_chunk_0000", "otra_chunk_0001"]
)
def test_a_chunk_that_is_not_there_is_told(library, chunk_id):
    with pytest.raises(ToolFailure):
        library.chunk(chunk_id, TODAY)
