"""Rules on a fragment: flags, amounts and dates, keywords. Every text is invented."""

import pytest

from law.norms import BlockKind
from loading.aids import keywords
from loading.aids.amounts_and_days import MAX_VALUES, amounts, days
from loading.aids.flags import flags
from loading.chunking.chunk import chunk_document
from loading.enrichment.attribute_rules import with_terms, with_values
from tests.factories import make_block, make_norm


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Se pedirá en el plazo de quince días hábiles.", ("plazo",)),
        ("La prórroga será de dos meses.", ("plazo",)),
        ("Durará 24 meses.", ("plazo",)),
        ("Fecha de firma: 05/04/2031", ("plazo",)),
        ("Podrán pedirlo los mayores de 16 años.", ()),
        ("Quien tenga 18 años de edad.", ()),
        ("Una multa de 7.500 euros.", ("importe",)),
        ("Importe total: 2.450.000,00 EUR", ("importe",)),
        ("Hasta 5 millones de euros.", ("importe",)),
        ("El euro es la moneda.", ()),
        ("El 5 % del total", ("porcentaje",)),
        ("el 60 por ciento de la base", ("porcentaje",)),
        ("el uno por mil", ("porcentaje",)),
        ("Conforme al artículo 45.1 d) de esta ley", ("remision",)),
        ("según la Ley Inventada 3/2030", ()),
        ("según la Ley 3/2030", ("remision",)),
        ("la disposición adicional segunda", ("remision",)),
        ("lo previsto en el apartado anterior", ("remision",)),
        ("Artículo 12. Vacaciones.\nSerán retribuidas.", ()),
        ("Artículo 12. Vacaciones.\nComo dice el artículo 13.", ("remision",)),
        ("Quedan derogadas cuantas normas se opongan.", ("derogado",)),
        ("(Suprimido)", ("derogado",)),
        ("Entidad avalista: Banco Inventado", ("aval",)),
        ("El valor avalado y los avales", ("aval",)),
        ("La garantía definitiva será del 5 %", ("porcentaje", "aval")),
        ("La garantía de los derechos", ()),
        ("La cavalgada y la evaluación", ()),
    ],
)
def test_flags_say_what_a_fragment_holds(text, expected):
    assert flags(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2.450.000,00 EUR y 30 €", ("2450000.00", "30.00")),
        ("una multa de 7.501 euros, o de 7.501 euros", ("7501.00",)),
        ("5 millones de euros", ("5000000.00",)),
        ("3 mil euros", ("3000.00",)),
        ("1.549.586,78 EUR", ("1549586.78",)),
        ("el artículo 45.1 y 20 días", ()),
        ("", ()),
    ],
)
def test_amounts_are_normalised_to_euros(text, expected):
    assert amounts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Del 26/03/2031 al 5 de mayo de 2032", ("2031-03-26", "2032-05-05")),
        ("el 31/02/2031", ()),
        ("el 26/03/2031 y otra vez el 26/03/2031", ("2031-03-26",)),
        ("Ley 3/2030, de 2 de enero", ()),
    ],
)
def test_dates_are_normalised_to_iso(text, expected):
    assert days(text) == expected


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
