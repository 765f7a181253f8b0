"""Stems and sparse vectors: what must share a term does, and the numbers are BM25's."""

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest

from index import sparse
from index.sparse import document_vector, label_token, lexical_tokens, query_vector, term_id
from law.norms import Norm
from tests.case_files import listed
from tests.factories import make_chunk
from text.textnorm import STOPWORDS, fold_for_search, stems, words

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "boe"


@pytest.mark.parametrize("group", listed("word_forms"))
def test_inflections_share_one_term(group: str) -> None:
    assert len(set(stems(group))) == 1, stems(group)


@pytest.mark.parametrize(("one", "other"), [("empresa", "empleo"), ("paro", "parto"), ("años", "antes")])
def test_other_words_do_not(one: str, other: str) -> None:
    assert stems(one) != stems(other)


@pytest.mark.parametrize("word", ["trabajo", "empleo", "estado", "estados", "primera", "fin", "parte"])
def test_words_that_laws_are_made_of_are_kept(word: str) -> None:
    assert stems(word)


@pytest.mark.parametrize(
    "text", ["de la que el en", "¿Qué es esto?", "¿Cuántos son?", "", "—…", "TAMBIÉN estaréis"]
)
def test_function_words_leave_nothing(text: str) -> None:
    assert stems(text) == []
    assert document_vector(text) == query_vector(text)
    assert query_vector(text).indices == ()


def test_stems_keep_their_order_and_their_repetitions() -> None:
    assert stems("Días de descanso y más días") == [*stems("día descanso"), *stems("día")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.º y 2.ª", ["1", "y", "2"]),
        ("art. 48.1.a)", ["art", "48", "1", "a"]),
        ("Ley 10/2021", ["ley", "10", "2021"]),
        ("el ﬁn de la oﬁcina", ["el", "fin", "de", "la", "oficina"]),
        ("co\u0301digo", ["codigo"]),
    ],
)
def test_words_are_folded(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_stopwords_are_written_as_they_are_compared() -> None:
    assert {fold_for_search(word) for word in STOPWORDS} == STOPWORDS


def test_a_document_and_a_question_meet_whatever_their_accents() -> None:
    document = document_vector("Las vacaciones del trabajador serán de treinta días.")
    question = query_vector("¿CUÁNTAS VACACIONES TIENEN LOS TRABAJADORES?")

    assert set(question.indices) <= set(document.indices)


def test_document_weights_are_bm25_saturation_with_length_norm() -> None:
    text = "despido despido causa"
    weights = dict(zip(*_parts(document_vector(text)), strict=True))
    norm = 1.2 * (1 - 0.75 + 0.75 * 3 / sparse.AVG_LEN)

    assert weights[term_id(stems("despido")[0])] == pytest.approx(2 * 2.2 / (2 + norm))
    assert weights[term_id(stems("causa")[0])] == pytest.approx(1 * 2.2 / (1 + norm))


def test_longer_documents_weigh_each_term_less() -> None:
    short, long = document_vector("despido"), document_vector("despido " + "relleno " * 400)
    term = term_id(stems("despido")[0])

    assert dict(zip(*_parts(short), strict=True))[term] > dict(zip(*_parts(long), strict=True))[term]


def test_query_weights_are_frequencies_and_synonyms_weigh_half() -> None:
    vector = query_vector(
        "paro y más paro", extra_terms=("desempleo", "prestación por paro"), tokens=("art:5",)
    )
    weights = dict(zip(*_parts(vector), strict=True))

    assert weights == {
        term_id(stems("paro")[0]): 2.0,
        term_id(stems("desempleo")[0]): 0.5,
        term_id(stems("prestación")[0]): 0.5,
        term_id("art:5"): 1.0,
    }


def test_reference_tokens_are_terms_of_their_own() -> None:
    plain, marked = document_vector("artículo 48 bis"), document_vector("artículo 48 bis", ("art:48 bis",))

    assert set(marked.indices) - set(plain.indices) == {term_id("art:48 bis")}


def test_two_terms_with_one_hash_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparse.mmh3, "hash", lambda term, signed: 7)

    vector = query_vector("despido objetivo")

    assert vector.indices == (7,)
    assert vector.values == (2.0,)


def test_term_ids_are_those_of_every_release() -> None:
    assert term_id("art:48 bis") == 2317080170
    assert term_id("trabaj") == 2834428285
    assert all(0 <= term_id(str(number)) < 2**32 for number in range(1000))


@pytest.mark.parametrize(
    ("label", "token"),
    [
        ("38", "art:38"),
        ("48 bis", "art:48 bis"),
        ("única", "art:unica"),
        ("da 3", "da:3"),
        ("dt 2", "dt:2"),
        ("df 1", "df:1"),
        ("dd única", "dd:unica"),
        ("anexo I", "anexo:i"),
    ],
)
def test_a_label_has_one_canonical_token(label: str, token: str) -> None:
    assert label_token(label) == token


def test_a_chunk_answers_to_its_block_its_number_and_its_norm() -> None:
    chunk = make_chunk("BOE-A-0000-1", "48 bis", law="Ley 10/2021")
    named = make_chunk("BOE-A-0000-2", "da 3", law="Ley inventada")
    norm = Norm(id="BOE-A-0000-2", title="Real Decreto 295/2009", law="Ley inventada", number="295/2009")

    assert lexical_tokens(chunk) == ("art:48 bis", "n:10/2021", "norm:BOE-A-0000-1")
    assert lexical_tokens(named, norm) == ("da:3", "n:295/2009", "norm:BOE-A-0000-2")
    assert lexical_tokens(make_chunk("guia", "", law="Guía")) == ("norm:guia",)


def test_threads_stem_alike() -> None:
    vocabulary = [
        f"{stem}{ending}" for stem in ("trabaj", "cotiz", "despid") for ending in ("o", "ar", "aciones")
    ]
    texts = [" ".join(random.Random(seed).choices(vocabulary, k=200)) + f" nuevo{seed}" for seed in range(40)]

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(stems, texts))

    assert together == [stems(text) for text in texts]


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.skipif(not CORPUS.is_dir(), reason="the real law is not at ../shared/boe")
def test_the_average_length_is_that_of_the_corpus() -> None:
    from loading.chunking.chunk import chunk_document, lexical_text
    from loading.formats import boe_xml

    folders = sorted(path for path in CORPUS.iterdir() if path.is_dir())
    lengths = [
        len(stems(lexical_text(chunk, document.norm)))
        for folder in islice(folders, 0, None, 4)
        for document in boe_xml.load(folder)
        for chunk in chunk_document(document)
    ]

    assert sum(lengths) / len(lengths) == pytest.approx(sparse.AVG_LEN, rel=0.2)


def _parts(vector: sparse.SparseVector) -> tuple[tuple[int, ...], tuple[float, ...]]:
    return vector.indices, vector.values
