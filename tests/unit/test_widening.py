"""Quotations that would say something else without the words beside them; false quotation marks."""

import pytest

from rag.answers.quotation_check import REPEATED, verify
from rag.answers.quoted_words import without_false_marks, without_seals
from rag.shared.answer_contract import DraftCitation
from rag.shared.hits import Context, Hit
from tests.factories import make_chunk

YEAR = (
    "6. El trabajador tendrá derecho a treinta días de salario inventado cuando lleve un año en la empresa."
)
PAYS = "7. La empresa abonará la indemnización inventada en el plazo de diez días naturales."
SICK = "5. No procede el despido de quien esté de baja por razón del servicio, salvo que la empresa cierre."
TEXT = (
    "Artículo 55. Forma y efectos del despido inventado.\n"
    "4. El despido será improcedente si no se prueba la causa o falla la forma inventada.\n"
    f"{SICK}\n"
    f"{YEAR}\n"
    f"{PAYS}"
)


def cited(quote: str, text: str = TEXT) -> tuple[str, str]:
    """The quotation as it is shown, or the reason why it is not."""
    hits = (Hit(chunk=make_chunk(text=text), score=1.0),)
    citations, checks = verify([DraftCitation(quote=quote, marker="C1")], Context(hits=hits))
    return (citations[0].quote if citations else ""), checks[0].reason


def test_a_quotation_that_begins_inside_a_word_is_none() -> None:
    shown, reason = cited("procedente si no se prueba la causa o falla la forma")
    assert not shown
    assert "no está en ninguno de los textos leídos" in reason


@pytest.mark.parametrize(
    ("quote", "whole"),
    [
        (
            "procede el despido de quien esté de baja",
            SICK,
        ),
        (
            "tendrá derecho a treinta días de salario inventado",
            YEAR,
        ),
        (
            "de quien esté de baja por razón del servicio",
            SICK,
        ),
        ("abonará la indemnización inventada en el plazo", PAYS),
    ],
    ids=["negation before", "condition after", "both", "subject before"],
)
def test_a_quotation_grows_to_its_sentence(quote: str, whole: str) -> None:
    assert cited(quote) == (whole, "")


def test_a_quotation_whose_condition_does_not_fit_is_refused() -> None:
    long = (
        "Artículo 1. Regla.\nSe pagarán veinte días de salario inventado "
        + "cada año " * 200
        + "salvo pacto."
    )
    shown, reason = cited("Se pagarán veinte días de salario", long)
    assert not shown
    assert "negación" in reason


def test_a_heading_is_no_support() -> None:
    shown, reason = cited("Forma y efectos del despido inventado")
    assert not shown
    assert "rúbrica" in reason


def test_two_quotations_that_grow_into_one_count_once() -> None:
    hits = (Hit(chunk=make_chunk(text=TEXT), score=1.0),)
    drafts = [
        DraftCitation(quote=quote, marker="C1")
        for quote in ("procede el despido de quien esté de baja", "quien esté de baja por razón del servicio")
    ]
    citations, checks = verify(drafts, Context(hits=hits))
    assert len(citations) == 1
    assert [check.reason for check in checks] == ["", REPEATED]


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("Dice que «la empresa abonará la indemnización inventada» sin más.", True),
        ("Dice que «la empresa abonará siempre el doble de lo pactado» sin más.", False),
        ("Dice que “la empresa abonará siempre el doble de lo pactado” sin más.", False),
        ('Dice que "la empresa abonará siempre el doble de lo pactado" sin más.', False),
        ("El «contrato de obra inventado» ya no existe.", True),
    ],
)
def test_marks_around_words_that_no_source_has_are_taken_off_and_told(answer: str, kept: bool) -> None:
    shown, lost = without_false_marks(answer, {"C1": [TEXT]})
    assert (shown == answer) is kept
    assert bool(lost) is not kept
    if lost:
        assert not set('«»“”"') & set(shown)
        assert lost[0] in shown


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("El plazo vence [C1]. ✔ Cita comprobada letra por letra", "El plazo vence [C1]."),
        ("Cita com✔probada letra por letra: el plazo", ": el plazo"),
        ("Vence [C1] (⚠ Compruébelo: no consta.) mañana", "Vence [C1] mañana"),
        ("⚠ Atención: el plazo vence mañana [C1].", "Atención: el plazo vence mañana [C1]."),
        ("Lo dice la ley [1], y [C2] también", "Lo dice la ley, y [C2] también"),
    ],
)
def test_seals_of_the_program_are_taken_off_and_the_words_of_the_answer_stay(written: str, left: str) -> None:
    assert without_seals(written).strip() == left
