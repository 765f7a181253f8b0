"""Citations as lawyers write them: the cases of tests/cases/citations.md, and what they leave open."""

import re

import pytest

from casework.briefs.finding_names import is_private
from casework.briefs.typed_forms import typed, without_parts
from tests.brief_notation import CATALOGUE, TODAY, provisions_of, read_brief, rulings_of, written
from tests.case_files import listed, pairs


@pytest.mark.parametrize(("text", "expected"), pairs("citations"))
def test_the_citations_of_a_text_are_read_as_the_cases_say(text: str, expected: str) -> None:
    assert provisions_of(text, expected) == expected
    found = read_brief(text, CATALOGUE, TODAY).provisions
    assert all(text[one.start : one.end].split() == one.text.split() for one in found)


def test_a_reglamento_is_no_law_that_was_named_before() -> None:
    *_, one = read_brief(
        "El art. 16 LGSS rige. Téngase en cuenta el art. 7 del Reglamento.", CATALOGUE, TODAY
    ).provisions
    assert (one.norm_id, one.label, one.choices) == (None, "7", ())


@pytest.mark.parametrize(
    "text",
    [
        "Percibe 1.512,40 € y 59,3 horas, del 3-6-2019 al 12'5 por ciento.",
        "Folios 88-131; L4-L5; c/ Carmen 31 1º A; 4391; I.T. del 14-2-2023.",
        "alrededor 30 personas, apartado 4 de la carta, D. Adolfo 2.",
    ],
)
def test_numbers_that_are_of_no_article_stay_as_they_are(text: str) -> None:
    assert typed(text, CATALOGUE) == text
    assert provisions_of(text) == ""


@pytest.mark.parametrize("text", [text for text, _ in pairs("citations")])
def test_the_usual_form_is_as_long_as_what_was_typed(text: str) -> None:
    assert len(without_parts(typed(text, CATALOGUE))) == len(text)


LEFT_OPEN = [
    "Rige el ET. El artículo 12.3 de aquella norma, sin que sepamos de cuál habla.",
    "Rige el ET. El artículo 9, sin que conste de qué ley.",
]


@pytest.mark.parametrize("text", LEFT_OPEN)
def test_what_the_brief_leaves_open_stays_open(text: str) -> None:
    (one,) = (one for one in read_brief(text, CATALOGUE, TODAY).provisions if one.label)
    assert one.norm_id is None


def test_a_back_reference_in_one_breath_is_marked() -> None:
    near = read_brief("Rige el art. 55 ET. Ese precepto lo dice.", CATALOGUE, TODAY).provisions[-1]
    far = read_brief("Rige el art. 55 ET. \n\nEse precepto lo dice.", CATALOGUE, TODAY).provisions[-1]
    assert (near.again, far.again) == (True, False)


def test_words_between_marks_that_only_cite_are_no_quotation() -> None:
    assert (
        read_brief(
            "La referencia a «el artículo 9 del Real Decreto» no se entiende.", CATALOGUE, TODAY
        ).quotations
        == ()
    )


def test_the_name_of_a_norm_repeated_beside_it_is_no_second_citation() -> None:
    assert provisions_of("el art. 45 RGRSS, R.D. 1415/2004, y la LISOS", "RGRSS; LISOS") == "RGRSS 45; LISOS"


@pytest.mark.parametrize(("text", "expected"), pairs("quotations"))
def test_a_quotation_is_of_what_stands_right_behind_it_or_in_its_note(text: str, expected: str) -> None:
    brief = read_brief(text, CATALOGUE, TODAY)
    told = ["; ".join(written(brief.provisions[place]) for place in one.cited) for one in brief.quotations]
    assert "|".join(told) == expected


@pytest.mark.parametrize("text", listed("private_articles"))
def test_an_article_of_what_the_parties_wrote_is_of_no_norm(text: str) -> None:
    found = [one for one in read_brief(f"Rige el ET. Y {text}.", CATALOGUE, TODAY).provisions if one.label]
    assert found and all(map(is_private, found))


@pytest.mark.parametrize(
    "text", ["el Convenio 158 de la OIT, art. 4", "el art. 4 del Estatuto de los Trabajadores"]
)
def test_a_convention_and_a_statute_are_norms(text: str) -> None:
    found = [one for one in read_brief(f"{text}.", CATALOGUE, TODAY).provisions if one.label]
    assert found and not any(map(is_private, found))


_PLAIN = (
    "La STS 123/2024, de 5 de marzo, el art. 48 ET y el n.º 4 del art. 37 del ET. Vid. LGSS, artículo 194."
)


@pytest.mark.parametrize("sign", "\u00ad\u200b\u200c\u200d\u200e\u2060\ufeff", ids=ascii)
def test_signs_that_nobody_sees_within_words_and_numbers_change_no_citation(sign: str) -> None:
    text = re.sub(r"(?<=\w)(?=\w|/)", sign, _PLAIN)
    assert provisions_of(text) == provisions_of(_PLAIN) == "ET 48; ET 37.4; LGSS 194"
    assert rulings_of(text) == rulings_of(_PLAIN) == "STS 123/2024 5-3-2024"
    assert all(text[one.start : one.end] == one.text for one in read_brief(text, CATALOGUE, TODAY).provisions)


@pytest.mark.parametrize(
    "text", [_PLAIN.replace(" ", space) for space in "\u00a0\u2009\u202f\u3000"] + [_PLAIN.replace("/", "∕")]
)
def test_spaces_and_bars_of_word_processors_change_no_citation(text: str) -> None:
    assert (provisions_of(text), rulings_of(text)) == (provisions_of(_PLAIN), rulings_of(_PLAIN))


def test_a_hyphen_that_does_not_break_is_a_hyphen() -> None:
    text = "El art. 1 del Real Decreto{0}ley 6/2019 y la STSJ de Castilla{0}La Mancha 55/2024."
    assert provisions_of(text.format("‑")) == provisions_of(text.format("-")) != ""
    assert rulings_of(text.format("‑")) == rulings_of(text.format("-")) != ""
