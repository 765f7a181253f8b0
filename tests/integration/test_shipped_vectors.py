"""Vectors that travel with the program: found by their text, never worse than computing them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from loading.aids.shipped_aids import Enrichment
from loading.chunking.chunk import chunk_document
from loading.formats import discover, load
from loading.indexing import shipped_vectors
from loading.indexing.index_sync import embedded_texts, embedding_key
from loading.indexing.passage_vectors import Passages, passage_key
from loading.indexing.shipped_vectors import FILE, PASSAGES, PAST, ShippedVectors, VectorFile
from models.chat import ModelCall
from models.local_embedder import DIMENSIONS, NAME
from rag.answers.passage_selection import meant
from rag.run.consult import consult
from service.program import assembly
from service.program.search_aids import SHIPPED
from tests.conftest import DATA, Maker
from tests.fakes import HashEmbedder, MemoryVectors

VECTORS = {"a" * 64: (0.6, 0.8, 0.0), "b" * 64: (0.0, -1.0, 0.0), "0" * 64: (0.3333, 0.6667, 0.6667)}


class Asked(HashEmbedder):
    """Keeps the texts of each call."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[list[str]] = []

    async def embed_queries(self, texts: Sequence[str]) -> tuple[list[tuple[float, ...]], ModelCall]:
        self.asked.append(list(texts))
        return await super().embed_queries(texts)


def cache_of(folder: Path, behind: MemoryVectors | None = None) -> ShippedVectors:
    return ShippedVectors(behind or MemoryVectors(), (VectorFile(folder / FILE),))


def test_they_come_back_as_unit_vectors_under_their_keys(tmp_path: Path) -> None:
    shipped_vectors.save_vectors(tmp_path / FILE, "modelo", VECTORS)
    back = cache_of(tmp_path).get("modelo", [*VECTORS, "c" * 64])
    assert back.keys() == VECTORS.keys()
    for name, vector in VECTORS.items():
        assert back[name] == pytest.approx(vector, abs=0.005)
        assert np.linalg.norm(back[name]) == pytest.approx(1.0, abs=1e-6)


def test_cosines_hardly_move(tmp_path: Path) -> None:
    given = np.random.default_rng(0).normal(size=(200, DIMENSIONS))
    given /= np.linalg.norm(given, axis=1, keepdims=True)
    keys = [embedding_key(str(number)) for number in range(200)]
    shipped_vectors.save_vectors(
        tmp_path / FILE, "modelo", {key: tuple(v) for key, v in zip(keys, given, strict=True)}
    )
    back = cache_of(tmp_path).get("modelo", keys)
    moved = np.array([back[key] for key in keys])
    assert np.abs(moved @ moved.T - given @ given.T).max() < 0.005


def test_those_of_another_model_or_an_unknown_text_are_not_given(tmp_path: Path) -> None:
    shipped_vectors.save_vectors(tmp_path / FILE, "modelo", VECTORS)
    assert cache_of(tmp_path).get("otro", list(VECTORS)) == {}
    assert cache_of(tmp_path).get("modelo", ["c" * 64, "f" * 64]) == {}
    assert cache_of(tmp_path).get("modelo", []) == {}


def test_a_vector_of_the_cache_goes_before_a_shipped_one(tmp_path: Path) -> None:
    shipped_vectors.save_vectors(tmp_path / FILE, "modelo", VECTORS)
    behind = MemoryVectors()
    both = cache_of(tmp_path, behind)
    both.put("modelo", {"a" * 64: (1.0, 0.0, 0.0)})
    assert both.get("modelo", ["a" * 64]) == {"a" * 64: (1.0, 0.0, 0.0)}
    assert both.remove(["a" * 64]) == 1
    assert both.get("modelo", ["a" * 64])["a" * 64] == pytest.approx((0.6, 0.8, 0.0), abs=0.005)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def other_bytes(path: Path) -> None:
    path.write_bytes(b"esto no es un archivo de vectores")


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    start = data.index(b"vectors.npy") + 40
    data[start : start + 20] = bytes(byte ^ 0xFF for byte in data[start : start + 20])
    path.write_bytes(data)


def without_vectors(path: Path) -> None:
    np.savez(path, model=np.array("modelo"), keys=np.array([1], dtype=np.uint64))


def uneven(path: Path) -> None:
    np.savez(path, model=np.array("modelo"), keys=np.ones(2, np.uint64), vectors=np.ones((1, 3), np.int8))


def of_other_types(path: Path) -> None:
    np.savez(path, model=np.array("modelo"), keys=np.array(["aa"]), vectors=np.ones((1, 3)))


def pickled(path: Path) -> None:
    np.savez(path, model=np.array("modelo"), keys=np.array([{}], dtype=object), vectors=np.ones((1, 3)))


@pytest.mark.parametrize(
    "damage", [cut, empty, other_bytes, flipped, without_vectors, uneven, of_other_types, pickled]
)
def test_a_damaged_file_counts_as_missing_and_the_log_says_so(
    tmp_path: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    damage(shipped_vectors.save_vectors(tmp_path / FILE, "modelo", VECTORS))
    assert cache_of(tmp_path).get("modelo", list(VECTORS)) == {}
    assert "vectors.npz is damaged" in caplog.text


def test_a_folder_without_vectors_is_no_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert cache_of(tmp_path).get("modelo", list(VECTORS)) == {}
    assert caplog.text == ""


def test_with_them_nothing_is_embedded(
    make_program: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make_program([DATA])
    texts = [
        t for batch in first.database.corpus.all_chunks() for chunk in batch for t in embedded_texts(chunk)
    ]
    made = HashEmbedder().embed_passages(texts)
    shipped_vectors.save_vectors(
        tmp_path / FILE, HashEmbedder().name, dict(zip(map(embedding_key, texts), made, strict=True))
    )
    monkeypatch.setattr(assembly, "DEMO", tmp_path)
    embedder = HashEmbedder()
    second = make_program(embedder=embedder)

    _, index = second.loading.ingest([DATA])

    assert embedder.embedded == []
    assert index.dense == index.from_cache > 0


def test_every_question_of_the_shipped_aids_has_a_shipped_vector() -> None:
    aids = Enrichment(SHIPPED)
    asked = {
        embedding_key(question): question
        for file in SHIPPED.glob("*.jsonl")
        for aid in aids.of(file.stem).values()
        for question in aid.questions
    }
    found = cache_of(SHIPPED).get(NAME, list(asked))
    assert len(asked) > 10_000
    assert [question for key, question in asked.items() if key not in found] == []


def test_every_passage_of_the_demo_has_a_shipped_vector() -> None:
    documents = [one for path in discover([assembly.DEMO]) for one in load(path)]
    chunks = [chunk for one in documents for chunk in chunk_document(one)]
    passages = {text for chunk in chunks if chunk.valid_to is None for text in meant(chunk)}
    found = Passages(VectorFile(assembly.DEMO / PASSAGES)).get(NAME, list(passages))
    assert len(passages) > 500
    assert passages - found.keys() == set()


async def test_an_answer_embeds_only_the_passages_that_do_not_ship(
    make_program: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assembly, "DEMO", tmp_path)
    embedder = Asked()
    program = make_program([DATA], embedder=embedder)
    question = "¿Cuántos días de vacaciones corresponden?"
    computed = await consult(question, program.services)
    (asked,) = [texts for texts in embedder.asked if len(texts) > 2]
    vectors = await HashEmbedder().embed_queries(asked[2:])
    by_key = dict(zip(map(passage_key, asked[2:]), vectors[0], strict=True))
    shipped_vectors.save_vectors(tmp_path / PASSAGES, embedder.name, by_key)

    again = Asked()
    other = await consult(question, make_program([DATA], embedder=again).services)

    embedded = {text for texts in again.asked for text in texts}
    assert asked[1] in embedded, "the one passage that does not ship"
    assert not embedded & set(asked[2:])
    assert other.answer.answer == computed.answer.answer


async def test_vectors_of_earlier_wordings_save_their_making_and_change_no_answer(
    make_program: Maker, tmp_path: Path
) -> None:
    embedder = Asked()
    program = make_program([DATA], embedder=embedder)
    question = "¿Cuántos días de vacaciones corresponden?"
    computed = await consult(question, program.services)
    (asked,) = [texts for texts in embedder.asked if len(texts) > 2]
    vectors, _ = await HashEmbedder().embed_queries(asked[2:])
    by_key = dict(zip(map(passage_key, asked[2:]), vectors, strict=True))
    shipped_vectors.save_vectors(tmp_path / PAST, embedder.name, by_key, fine=True)
    embedder.asked.clear()

    passages = Passages(program.vectors, VectorFile(tmp_path / PAST))
    again = await consult(question, replace(program.services, passages=passages))

    assert [asked[0], asked[1]] in embedder.asked, "the one passage that does not ship"
    assert not {text for texts in embedder.asked for text in texts} & set(asked[2:])
    assert again.answer.answer == computed.answer.answer


@pytest.mark.parametrize(
    "path",
    [
        *(folder / name for folder in (assembly.DEMO, SHIPPED) for name in (FILE, PASSAGES)),
        SHIPPED / PAST,
    ],
    ids=["demo", "demo-passages", "norms", "norms-passages", "norms-past"],
)
def test_the_shipped_files_are_of_the_local_model(path: Path) -> None:
    with np.load(path, allow_pickle=False) as stored:
        assert str(stored["model"]) == NAME
        assert stored["vectors"].shape == (len(stored["keys"]), DIMENSIONS)
        assert list(stored["keys"]) == sorted(set(stored["keys"].tolist()))
