"""The readable form of `ask`: the day of the law applied, and what each question of a text has of its own."""

from datetime import date

from commands.output import print_answer
from rag.shared.cited_answer import Answer, Part


def printed(answer: Answer) -> str:
    return print_answer(answer.model_dump(mode="json"))


def test_the_day_whose_law_was_applied_is_printed() -> None:
    answer = Answer(answer="Treinta días.", confidence=0.8, refusal=False, as_of=date(2022, 5, 10))
    assert "Se aplica la normativa vigente a 10/05/2022" in printed(answer)


def test_each_question_of_a_text_is_printed_with_its_day_and_its_notes() -> None:
    parts = (
        Part(
            question="¿Qué indemnización?", answer="Veinte días.", as_of=date(2019, 5, 3), notes="Nota suya."
        ),
        Part(question="¿Y el paro?", answer="Un tercio.", as_of=date(2026, 6, 1)),
    )
    answer = Answer(
        answer="Las dos.",
        confidence=0.8,
        refusal=False,
        as_of=date(2019, 5, 3),
        notes="De todas.",
        parts=parts,
    )
    text = printed(answer)
    assert "De todas." in text
    assert (
        "Pregunta 1. ¿Qué indemnización?\nSe aplica la normativa vigente a 03/05/2019\nNota suya.\n\n"
        "Pregunta 2. ¿Y el paro?\nSe aplica la normativa vigente a 01/06/2026\n"
    ) in text
    assert text.count("Se aplica la normativa") == 2
