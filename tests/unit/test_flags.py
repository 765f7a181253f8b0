"""Rules on a fragment: flags, amounts and dates, keywords. Every text is invented."""

import pytest

from law.norms import BlockKind
from loading.aids import keywords
from loading.aids.amounts_and_days import MAX_VALUES, amounts, days
from loading.aids.flags import flags
from loading.chunking.chunk import chunk_document
from loading.enrichment.attribute_rules import with_terms, with_values
from tests.case_files import pairs
from tests.factories import make_block, make_norm


@pytest.mark.parametrize(("text", "expected"), pairs("fragments", "Marcas"))
def test_flags_say_what_a_fragment_holds(text, expected):
    assert "; ".join(flags(text)) == expected


@pytest.mark.parametrize(("text", "expected"), [*pairs("fragments", "Importes en euros"), ("", "")])
def test_amounts_are_normalised_to_euros(text, expected):
    assert "; ".join(amounts(text)) == expected


@pytest.mark.parametrize(("text", "expected"), pairs("fragments", "Fechas"))
def test_dates_are_normalised_to_iso(text, expected):
    assert "; ".join(days(text)) == expected


def test_only_some_values_are_kept_of_a_long_list():
    assert len(amounts(" ".join(f"{n} euros," for n in range(1, 40)))) == MAX_VALUES


def test_values_become_attributes_beside_those_that_are_there():
    block = with_values(make_block("1", "Son 30 € el 01/02/2031.", attributes={"url": "x"}))
    assert dict(block.attributes) == {"url": "x", "importes": "30.00", "fechas": "2031-02-01"}
    plain = make_block("1", "Nada.")
    assert with_values(plain) is plain


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["Ley", "artículo", "vacaciones"], ("vacaciones",)),
        (["vacaciones anuales", "Vacaciones anuales", "anuales vacaciones"], ("vacaciones anuales",)),
        (["  despido\nimprocedente. "], ("despido improcedente",)),
        (["x" * 80, "una expresión que tiene demasiadas palabras para ser clave"], ()),
        (["<b>paro</b>", "[C1] baja"], ("‹b›paro‹/b›", "(C1) baja")),
        (["a, b finiquito"], ("a  b finiquito",)),
        (["", "...", "de la"], ()),
    ],
)
def test_keywords_lose_noise_repetitions_and_marks(given, expected):
    assert keywords.cleaned(given, 8) == expected


@pytest.mark.parametrize(("collection", "most"), [("normativa", 8), ("criterios_inss", 12)])
def test_norms_have_eight_keywords_and_criteria_twelve(collection, most):
    words = [f"asunto{'abcdefghijklmnopqrst'[n]} laboral" for n in range(20)]
    assert len(keywords.cleaned(words, keywords.limit(collection))) == most


def test_keywords_by_rule_are_what_a_section_says_and_others_do_not():
    own, other = keywords.by_rule(
        [
            "El arrendador revisará la caldera comunitaria. La caldera comunitaria tendrá seguro.",
            "El arrendador cobrará la renta mensual. La renta mensual se ingresará en la cuenta bancaria.",
        ]
    )
    assert own[0] == "caldera comunitaria"
    assert "renta mensual" in other
    assert "arrendador" not in (*own[:2], *other[:2])


def test_terms_describe_a_fragment_and_are_no_search_aid():
    bare = make_block("", "La renta mensual se paga.", id="b", kind=BlockKind.SECTION, title="RENTA")
    document = make_norm("N-1", bare)
    (block,) = with_terms(document.blocks, document.norm)
    assert "renta mensual" in block.attributes["terminos"]
    (chunk,) = chunk_document(document.model_copy(update={"blocks": (block,)}))
    assert chunk.keywords == ()
