"""Quotations are verified letter by letter; markers resolve one to one."""

import random
import unicodedata

import pytest

from rag.answers.quotation_check import bare_paragraphs, cite, normalise_markers, verify
from rag.answers.verbatim import fold_typography, locate, typeset
from rag.shared.answer_contract import DraftCitation
from rag.shared.hits import Context, Hit
from tests.factories import make_chunk
from text.markers import keep_markers, markers

TEXT = (
    "Artículo 7. Descanso inventado.\n"
    "1. Toda persona tendrá derecho a «doce días» de descanso — como mínimo — por cada año de servi-\n"
    "cio, sin que quepa su sustitución por dinero.\n"
    "2. El plazo de la solicitud será de\u00a0quince días."
)


def test_the_quick_folding_is_the_one_with_offsets():
    pieces = [
        *"aeiouñáÁ -\n\t",
        *"\u00a0\u202f\u00ad\u200b\u2010–«»\"'´`\ufeff\u2028\u0301\u0303ﬁ①\u212b\x1c\x85…",
    ]
    pieces += ["a\u0301", "n\u0303", "-\n", "\u00ad\n", " \u00ad ", "\u1100\u1161"]
    dice = random.Random(7)
    for number in range(20_000):
        text = "".join(dice.choices(pieces, k=dice.randrange(14)))
        if number % 2:
            text = unicodedata.normalize("NFC", text)
        assert typeset(text) == fold_typography(text)[0], ascii(text)


def placed(quote: str, text: str) -> tuple[int, int]:
    span = locate(quote, text)
    assert span is not None
    return span


@pytest.mark.parametrize(
    "quote",
    [
        "Toda persona tendrá derecho a «doce días» de descanso",
        'Toda persona tendrá derecho a "doce días" de descanso',
        "derecho a “doce días” de descanso - como mínimo - por cada año",
        "por cada año de servicio, sin que quepa",
        "El plazo de la solicitud será de quince días.",
        "El  plazo\nde la solicitud   será de quince días.",
        "«El plazo de la solicitud será de quince días.»",
        "Toda persona tendra\u0301 derecho",
        "El plazo de la soli\u00adcitud",
    ],
)
def test_a_quote_that_differs_only_in_typography_is_found(quote):
    start, end = placed(quote, TEXT)
    assert TEXT[start] == quote.strip("«» ")[0]
    assert 0 <= start < end <= len(TEXT)


@pytest.mark.parametrize(
    "quote",
    [
        "Toda persona tendrá derecho a «trece días» de descanso",
        "toda persona tendrá derecho",
        "Toda persona tendra derecho",
        "Toda persona tendrá derecho (…) sin que quepa",
        "El plazo será de quince días.",
        "",
        "   ",
    ],
)
def test_a_quote_that_differs_in_a_letter_is_not_found(quote):
    assert locate(quote, TEXT) is None


def test_the_span_found_is_the_original_text():
    start, end = placed("por cada año de servicio, sin", TEXT)
    assert TEXT[start:end] == "por cada año de servi-\ncio, sin"


@pytest.mark.parametrize(
    ("written", "normalised"),
    [
        ("Sí. [C1]", "Sí. [C1]"),
        ("Sí. [Documento 1] y [Documento 10]", "Sí. [C1] y [C10]"),
        ("Sí. [Fuente 2][c3]", "Sí. [C2][C3]"),
        ("Sí. [C1, C12]", "Sí. [C1][C12]"),
        ("Sí. [C1 y C2]", "Sí. [C1][C2]"),
        ("[1] no es marca, ni [Cap. 3]", "[1] no es marca, ni [Cap. 3]"),
    ],
)
def test_markers_are_written_in_one_way(written, normalised):
    assert normalise_markers(written) == normalised


@pytest.mark.parametrize(
    ("written", "normalised"),
    [
        ("Sí. [Doc 1, p. 2]", "Sí. [D4]"),
        ("Sí. [documento 2] y [C1]", "Sí. [D7] y [C1]"),
        ("Sí.[Doc. 9]", "Sí."),
    ],
)
def test_with_documents_their_markers_are_theirs_and_unknown_ones_are_dropped(written, normalised):
    assert normalise_markers(written, {1: "D4", 2: "D7"}) == normalised


def test_removing_marker_1_leaves_marker_10():
    assert keep_markers("Uno [C1]. Diez [C10].", ["C10"]) == "Uno. Diez [C10]."
    assert markers("b [C10] a [C1] b [C10]") == ["C10", "C1"]


def test_paragraphs_without_a_marker_are_told_but_introductions_are_not():
    answer = "Hay dos casos:\n\nEl primero [C1].\n\nEl segundo."
    assert bare_paragraphs(answer) == ["El segundo."]


def context() -> Context:
    first = make_chunk(id="n/a7#1", norm_id="n", block_id="a7", text=TEXT)
    second = make_chunk(
        id="n/a7#2", norm_id="n", block_id="a7", text="3. Quedan a salvo los pactos mejores que este."
    )
    other = make_chunk(
        id="m/a1#1", norm_id="m", block_id="a1", text="El plazo de la solicitud será de quince días."
    )
    return Context(hits=tuple(Hit(chunk=c, score=1.0) for c in (first, second, other)))


def check(quote: str, marker: str = ""):
    citations, checks = verify([DraftCitation(quote=quote, marker=marker)], context())
    return citations, checks[0]


def test_a_verified_citation_takes_everything_but_the_quote_from_the_chunk():
    citations, done = check("Toda persona tendrá derecho a «doce días»", "C1")
    assert done.verified and citations[0].verified
    assert (citations[0].chunk_id, citations[0].marker) == ("n/a7#1", "C1")


def test_a_fabricated_quote_is_dropped_with_its_reason():
    citations, done = check("Toda persona tendrá derecho a treinta días", "C1")
    assert citations == []
    assert "no está en ninguno de los textos leídos" in done.reason


def test_a_quote_under_the_marker_of_another_article_is_dropped():
    citations, done = check("Toda persona tendrá derecho a «doce días»", "C3")
    assert citations == []
    assert "C3" in done.reason


def test_a_quote_in_another_part_of_the_same_article_moves_to_that_part():
    citations, _ = check("Quedan a salvo los pactos mejores que este.", "C1")
    assert [c.marker for c in citations] == ["C2"]


def test_a_quote_without_marker_in_two_articles_resolves_to_nothing():
    citations, done = check("El plazo de la solicitud será de quince días.")
    assert citations == []
    assert "varios artículos" in done.reason


@pytest.mark.parametrize("marker", ["C9", "C0", "[C99]"])
def test_a_marker_out_of_the_context_is_dropped(marker):
    citations, done = check("Quedan a salvo los pactos mejores que este.", marker)
    assert citations == []
    assert "no existe" in done.reason


@pytest.mark.parametrize("quote", ["doce días", "x" * 501])
def test_a_quote_too_short_or_too_long_is_dropped(quote):
    citations, done = check(quote, "C1")
    assert citations == []
    assert "entre 20 y 500" in done.reason


def test_the_same_quote_twice_is_one_citation():
    draft = DraftCitation(quote="Quedan a salvo los pactos mejores que este.", marker="C2")
    citations, checks = verify([draft, draft], context())
    assert len(citations) == 1
    assert [c.verified for c in checks] == [True, False]


def test_a_citation_says_of_its_source_what_the_chunk_says():
    chunk = make_chunk(
        "N-9",
        "7",
        TEXT,
        since="2020-02-01",
        until="2021-03-31",
        law="Ley 9/2020",
        section="Artículo 7. Descanso inventado.",
        chapter="Capítulo II",
        collection="convenios",
        url="https://www.boe.es/x",
        official=False,
        page=4,
    )
    made = cite("C1", Hit(chunk=chunk, score=1.0), 0, 9)
    shared = set(type(made).model_fields) & set(type(chunk).model_fields)
    assert shared >= {
        "norm_id",
        "block_id",
        "law",
        "section",
        "chapter",
        "collection",
        "url",
        "official",
        "page",
    }
    assert {name: getattr(made, name) for name in shared} == {name: getattr(chunk, name) for name in shared}
    assert (made.article, made.chunk_id, made.verified) == ("7", chunk.id, True)
    assert made.source == "Ley 9/2020, Artículo 7. Descanso inventado"


def test_the_checks_follow_the_drafts_with_their_reasons():
    good = DraftCitation(quote="Quedan a salvo los pactos mejores que este.", marker="C2")
    bad = DraftCitation(quote="Quedan a salvo los pactos peores que este.", marker="C2")
    citations, checks = verify([bad, good, good], context())
    assert [c.marker for c in citations] == ["C2"]
    assert [(c.marker, c.chunk_id, c.verified, c.reason) for c in checks] == [
        ("C2", "", False, "el texto citado no está en ninguno de los textos leídos"),
        ("C2", "n/a7#2", True, ""),
        ("C2", "n/a7#2", False, "repetida"),
    ]


@pytest.mark.parametrize(("size", "right"), [(17, False), (20, True), (500, True), (503, False)])
def test_a_quote_has_twenty_to_five_hundred_characters(size, right):
    text = "ab " * 200
    hits = (Hit(chunk=make_chunk(text=text), score=1.0),)
    citations, _ = verify([DraftCitation(quote=text[:size], marker="C1")], Context(hits=hits))
    assert bool(citations) is right


def test_a_marker_just_past_the_context_is_dropped():
    citations, done = check("Quedan a salvo los pactos mejores que este.", "C4")
    assert citations == [] and done.reason == "la marca C4 no existe en el contexto"


def twice() -> Context:
    parts = [
        make_chunk(id=f"n/a7#{n}", norm_id="n", block_id="a7", text="Regla común. " + TEXT) for n in (1, 2)
    ]
    return Context(hits=tuple(Hit(chunk=c, score=1.0) for c in parts))


@pytest.mark.parametrize(("marker", "chunk_id"), [("C2", "n/a7#2"), ("C1", "n/a7#1"), ("", "n/a7#1")])
def test_a_quote_in_two_parts_of_an_article_is_of_the_part_named_else_of_the_first(marker, chunk_id):
    citations, _ = verify([DraftCitation(quote="El plazo de la solicitud será", marker=marker)], twice())
    assert [c.chunk_id for c in citations] == [chunk_id]


def test_a_quote_that_occurs_twice_is_located_where_it_first_stands():
    assert locate("la norma manda", "Aquí la norma manda, y allí la norma manda.") == (5, 19)


@pytest.mark.parametrize(
    ("text", "start"),
    [("premio, sobre mio, el mio", 14), ("mio", 0), ("demio mio", 6), ("lamio la mio", 9), ("tamio", None)],
)
def test_a_quote_is_located_where_it_stands_as_whole_words(text, start):
    assert locate("mio", text) == (None if start is None else (start, start + 3))


def test_every_character_of_a_folded_text_knows_where_it_came_from():
    text = "«a»  b\u00adc\n d-\ne"
    folded, offsets = fold_typography(text)
    assert folded == '"a" bc de'
    assert offsets == [0, 1, 2, 3, 5, 7, 8, 10, 13]


def test_letters_around_a_quote_are_no_marks_of_its_own():
    assert locate("Xerez es ciudad", "Aquí Xerez es ciudad") == (5, 20)
    assert locate("Jerez con X", "Jerez con X") == (0, 11)


def test_a_span_that_ends_in_an_accent_of_its_own_holds_it():
    text = "Así lo pidio\u0301\u0323 la parte"
    start, end = placed("Así lo pidió\u0323", text)
    assert text[start:end] == "Así lo pidio\u0301\u0323"
    whole = "lo pidio\u0301"
    assert locate("lo pidió", whole) == (0, len(whole))
