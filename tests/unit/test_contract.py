"""Reading a model's output without trusting it."""

import json

import pytest

from rag.answers.contract import (
    Draft,
    DraftError,
    answer_schema,
    extract_array,
    parse_draft,
    partial_answer,
)

# The three worked examples of the prompt contract (S4.10), on an invented matter.
ANSWERED = {
    "answer": "El plazo es de veinte días hábiles.",
    "citations": [
        {"quote": "El plazo es de veinte días hábiles desde la notificación", "source": "X", "page": 45}
    ],
    "confidence": 0.92,
    "refusal": False,
    "notes": None,
}
REFUSED = {
    "answer": "No encontré información sobre visados.",
    "citations": [],
    "confidence": 0.0,
    "refusal": True,
    "notes": "Consulte otro organismo.",
}
UNSURE = ANSWERED | {"confidence": 0.45, "notes": "Puede no aplicarse a este caso."}


@pytest.mark.parametrize("example", [ANSWERED, REFUSED, UNSURE])
def test_the_worked_examples_are_read(example):
    draft = parse_draft(json.dumps(example, ensure_ascii=False))
    assert (draft.confidence, draft.refusal, draft.notes) == (
        example["confidence"],
        example["refusal"],
        example["notes"],
    )


@pytest.mark.parametrize(
    "around",
    ["{}", "```json\n{}\n```", "Claro, aquí está:\n{}\nEspero que sirva.", "Nota {{no}} JSON. {}"],
)
def test_fences_and_prose_around_the_object_are_tolerated(around):
    text = around.replace("{{", "<").replace("}}", ">").replace("{}", json.dumps(ANSWERED))
    assert parse_draft(text).confidence == 0.92


@pytest.mark.parametrize(
    "output",
    [
        "",
        "No lo sé.",
        "[1, 2]",
        '{"answer": "corta", "confidence": 0.5, "refusal": false}',
        json.dumps(ANSWERED | {"confidence": 1.7}),
        json.dumps({k: v for k, v in ANSWERED.items() if k != "refusal"}),
        json.dumps(ANSWERED)[:-20],
        "{" * 5000,
    ],
)
def test_what_does_not_meet_the_contract_is_refused_with_a_reason(output):
    with pytest.raises(DraftError):
        parse_draft(output)


@pytest.mark.parametrize(("page", "read"), [("45", 45), ("p. 4", 4), ("—", None), (None, None), (7, 7)])
def test_a_page_is_a_number_or_nothing(page, read):
    citation = {"quote": "x", "source": "y", "page": page}
    assert parse_draft(json.dumps(ANSWERED | {"citations": [citation]})).citations[0].page == read


def test_the_answer_can_be_shown_while_it_is_being_written():
    whole = json.dumps(ANSWERED, ensure_ascii=False)
    shown = [partial_answer(whole[:end]) for end in range(len(whole))]
    assert shown[0] == ""
    assert shown[40].startswith("El plazo")
    assert all(ANSWERED["answer"].startswith(text) for text in shown)
    assert shown[-1] == ANSWERED["answer"]


@pytest.mark.parametrize(
    ("text", "array"),
    [
        ('["a"]', ["a"]),
        ('Aquí: ["a", "b"] listo', ["a", "b"]),
        ("nada", None),
        ("[roto", None),
        ("[x] [1]", [1]),
    ],
)
def test_the_first_array_of_a_text_is_found(text, array):
    assert extract_array(text) == array


def test_the_schema_for_structured_output_fits_the_contract():
    schema = answer_schema()
    assert set(schema["required"]) == set(Draft.model_fields)
    assert schema["additionalProperties"] is False
