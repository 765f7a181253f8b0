"""Documents to chunks: parts, offsets, what is left out, what is indexed."""

import re
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest

from law.chunks import Chunk
from law.norms import Block, BlockKind, BlockVersion, Document, Norm
from loading.aids.topics import section_type
from loading.chunking.chunk import LIMIT, chunk_document, content_hash, lexical_text
from loading.chunking.cut import cut
from loading.formats import discover, load
from tests.case_files import pairs

NORM = Norm(
    id="BOE-A-2031-1",
    title="Ley 4/2031, de 5 de mayo, de Faros",
    law="Ley de Faros",
    alias="LF",
    rank="Ley",
    number="4/2031",
    url="https://www.boe.es/buscar/act.php?id=BOE-A-2031-1",
)
SENTENCE = "El torrero cuidará de la luz según el art. 48 y cobrará 1.250.000,00 pesetas. "


def document(*texts: str, kind: BlockKind = BlockKind.ARTICLE, **fields: object) -> Document:
    versions = tuple(BlockVersion(valid_from=date(2031 + i, 1, 1), text=text) for i, text in enumerate(texts))
    block = Block(
        **{
            "id": "a7",
            "kind": kind,
            "label": "7",
            "title": "Artículo 7. Torreros.",
            "versions": versions,
            **fields,
        }
    )
    return Document(norm=NORM, blocks=(block,))


def article(apartados: int, sentences: int = 8) -> str:
    lines = [f"{n}. {SENTENCE * sentences}".strip() for n in range(1, apartados + 1)]
    return "\n".join(["Artículo 7. Torreros.", *lines])


def check(text: str, chunks: list[Chunk], limit: int) -> None:
    """Exact slices that together cover the text, each reaching further than the one before."""
    assert all(chunk.text == text[chunk.start : chunk.end] for chunk in chunks)
    assert all(0 < len(chunk.text) <= limit for chunk in chunks)
    assert [chunk.part for chunk in chunks] == list(range(1, len(chunks) + 1))
    for one, two in pairwise(chunks):
        assert one.start < two.start and one.end < two.end
        assert text[one.end : two.start].strip() == ""
    assert chunks[0].start == 0 and chunks[-1].end == len(text.rstrip())


def test_a_short_article_is_one_chunk_that_knows_where_it_is_from() -> None:
    text = "Artículo 7. Torreros.\n1. Uno.\n2. Dos."
    (chunk,) = chunk_document(document(text, path=("TÍTULO I. Luces", "CAPÍTULO II. Gente")))
    assert chunk.id == "BOE-A-2031-1/a7@2031-01-01#1"
    assert (chunk.text, chunk.label, chunk.apartados) == (text, "7", "1-2")
    assert chunk.chapter == "TÍTULO I. Luces > CAPÍTULO II. Gente"
    assert chunk.name == "LF · Artículo 7"
    assert chunk.url == "https://www.boe.es/buscar/act.php?id=BOE-A-2031-1#a7"


def test_a_long_article_is_cut_between_apartados() -> None:
    text = article(9)
    chunks = chunk_document(document(text), limit=2000, overlap=0)
    check(text, chunks, 2000)
    assert len(chunks) > 2
    assert all(re.match(r"\d\. |Artículo", chunk.text) for chunk in chunks)
    assert [chunk.apartados for chunk in chunks] == ["1-3", "4-6", "7-9"]


@pytest.mark.parametrize("limit", [300, 700, 3000])
@pytest.mark.parametrize("overlap", [0, 100, 250])
def test_no_cut_falls_inside_a_reference_or_an_amount(limit: int, overlap: int) -> None:
    text = article(4, sentences=14)
    chunks = chunk_document(document(text), limit=limit, overlap=overlap)
    check(text, chunks, limit)
    for chunk in chunks[1:]:
        assert re.match(r"\d\. |El torrero", chunk.text)
    for chunk in chunks[:-1]:
        assert chunk.text.endswith("pesetas.")


def test_a_part_repeats_whole_sentences_of_the_one_before() -> None:
    text = article(6)
    chunks = chunk_document(document(text), limit=1500, overlap=250)
    check(text, chunks, 1500)
    for one, two in pairwise(chunks):
        repeated = text[two.start : one.end]
        assert 0 < len(repeated) <= 250
        assert repeated.startswith("El torrero")


@pytest.mark.parametrize(
    "text",
    [
        "Corto. " + "palabra " * 900,
        "x" * 5000,
        "A. " + "y" * 4999,
        "Artículo 7. Torreros.\n" + "sin punto " * 700,
        "Uno. " * 900,
        "Fin.\n" * 1200,
    ],
)
def test_cutting_always_advances(text: str) -> None:
    parts = cut(text, 1000, 250)
    assert all(part.end - part.start <= 1000 for part in parts)
    assert all(one.end < two.end and one.start < two.start for one, two in pairwise(parts))
    assert "".join(text[part.fresh : part.end] for part in parts).replace(" ", "").replace(
        "\n", ""
    ) == text.replace(" ", "").replace("\n", "")
    assert len(parts) < 20


def test_a_heading_is_never_a_part_of_its_own() -> None:
    text = "Artículo 7. Torreros.\n1. " + SENTENCE * 20
    chunks = chunk_document(document(text), limit=1000, overlap=0)
    assert len(chunks[0].text) > 500


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (BlockKind.ARTICLE, "Artículo 7. Torreros.\n(Derogado)"),
        (BlockKind.ARTICLE, "Artículo 7. (Suprimido)."),
        (BlockKind.ARTICLE, "Artículos 7 a 9.\n(Sin contenido)"),
        (BlockKind.HEADING, "TÍTULO I\nDe los faros"),
        (BlockKind.SIGNATURE, "Dado en Madrid.\nJUAN CARLOS R."),
        (BlockKind.PREAMBLE, "A todos los que la presente vieren y entendieren."),
    ],
)
def test_blocks_without_substance_give_no_chunk(kind: BlockKind, text: str) -> None:
    assert chunk_document(document(text, kind=kind)) == []


def test_every_wording_has_its_own_chunks_and_its_own_heading() -> None:
    old, new = chunk_document(
        document("Artículo 7. Viejo rubro.\nAntes.", "Artículo 7. Rubro nuevo.\nDespués.")
    )
    assert (old.section, new.section) == ("Artículo 7. Viejo rubro.", "Artículo 7. Rubro nuevo.")
    assert old.id != new.id and old.content_hash != new.content_hash


def test_the_lexical_text_names_the_norm_and_the_dense_text_does_not() -> None:
    attributes = {"summary": "Resumen.", "keywords": "luz, mar", "questions": "¿Quién? | ¿Cuándo?"}
    (chunk,) = chunk_document(document("Artículo 7. Torreros.\nTexto.", attributes=attributes))
    assert (chunk.keywords, chunk.questions) == (("luz", "mar"), ("¿Quién?", "¿Cuándo?"))
    lexical = lexical_text(chunk, NORM)
    assert all(word in lexical for word in ("Ley de Faros", "4/2031", "LF", "Torreros", "Resumen."))
    assert chunk.headed == "Artículo 7. Torreros.\nTexto."


def test_the_hash_changes_with_what_is_indexed_and_with_nothing_else() -> None:
    (chunk,) = chunk_document(document("Artículo 7. Torreros.\nTexto."))
    assert chunk.content_hash == content_hash(chunk, NORM)
    assert (
        content_hash(chunk.model_copy(update={"position": 9, "valid_to": date(2040, 1, 1)}), NORM)
        == chunk.content_hash
    )
    assert content_hash(chunk.model_copy(update={"questions": ("¿Qué?",)}), NORM) != chunk.content_hash


def test_an_address_of_its_own_wins_and_other_sites_get_no_anchor() -> None:
    (own,) = chunk_document(document("Artículo 7. T.\nTexto.", attributes={"url": "https://example.org/7"}))
    assert own.url == "https://example.org/7"
    (annex,) = chunk_document(document("ANEXO I\nTabla.", id="df~1", kind=BlockKind.ANNEX, label="anexo I"))
    assert annex.url.endswith("#df")


@pytest.mark.parametrize(("headings", "expected"), pairs("fragments", "Materia, por sus encabezamientos"))
def test_the_subject_follows_from_the_headings(headings: str, expected: str) -> None:
    chapter, _, section = headings.rpartition(" > ")
    assert section_type(section, chapter, "") == expected


@pytest.mark.corpus
def test_every_real_chunk_is_an_exact_slice_within_the_limit(boe: Path) -> None:
    seen: set[str] = set()
    for path in discover([boe]):
        (found,) = load(path)
        wordings = {(b.id, v.valid_from): v.text for b in found.blocks for v in b.versions}
        for chunk in chunk_document(found):
            assert chunk.id not in seen
            seen.add(chunk.id)
            assert chunk.text == wordings[chunk.block_id, chunk.valid_from][chunk.start : chunk.end]
            assert 0 < len(chunk.text) <= LIMIT
    assert len(seen) > 7000


def test_only_the_last_wording_has_the_pages_of_its_file() -> None:
    texts = ("Artículo 1. Uno.\nAntes.", "Artículo 1. Uno.\nAhora.")
    made = chunk_document(document(*texts, attributes={"pages": "0:7"}))
    assert [chunk.page for chunk in made] == [None, 7]
