"""Reading a model's output without trusting it."""

import json
import math
import re

import pytest

from loading.enrichment.reply import parsed
from rag.answers.confidence import band
from rag.shared.answer_contract import (
    MODEST,
    Draft,
    DraftError,
    answer_schema,
    extract_array,
    extract_object,
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
        json.dumps({"confidence": 0.5, "refusal": False}),
        json.dumps(ANSWERED)[:-20],
        str(ANSWERED)[:-20],
        '{"answer": "El plazo es de veinte días',
        "{'answer': 'El plazo es de veinte",
        "El plazo es de veinte días hábiles [C1].",
        "Se refiere a {otra cosa} y a {el artículo 5}.",
        "[" + "1" * 5000 + "]",
        "{" * 5000,
    ],
)
def test_what_does_not_meet_the_contract_is_refused_with_a_reason(output):
    with pytest.raises(DraftError):
        parse_draft(output)


ANSWER, QUOTE = ANSWERED["answer"], ANSWERED["citations"][0]["quote"]
DRAFT = json.dumps(REFUSED)
SPANISH = {
    "Respuesta": ANSWER,
    "citas": [{"cita": QUOTE, "fuente": "X", "página": 45, "marca": "C1"}],
    "confianza": 0.92,
    "rechazo": False,
    "notas": None,
}
AS_MEANT = {
    "a draft before it": f"Primero pensé: {DRAFT}\nPero mejor:\n{json.dumps(ANSWERED)}",
    "another object after it": f'{json.dumps(ANSWERED)}\n{{}} {{"ok": true}}',
    "an array around it": json.dumps([ANSWERED]),
    "JSON in a text": json.dumps(json.dumps(ANSWERED)),
    "single quotes": str(ANSWERED),
    "single quotes within prose": f"Aquí tiene: {ANSWERED} Un saludo.",
    "a draft in single quotes before it": f"Primero: {REFUSED}. Luego: {ANSWERED}",
    "trailing commas": json.dumps(ANSWERED).replace("}", ",}"),
    "keys without quotes": re.sub(r'"(\w+)":', r"\1:", json.dumps(ANSWERED)),
    "keys in Spanish": json.dumps(SPANISH),
    "one citation": json.dumps(ANSWERED | {"citations": ANSWERED["citations"][0]}),
    "citations as texts": json.dumps(ANSWERED | {"citations": [QUOTE, {"source": "sin palabras"}]}),
    "a source that is null": json.dumps(ANSWERED | {"citations": [{"quote": QUOTE, "source": None}]}),
    "paragraphs": json.dumps(ANSWERED | {"answer": [ANSWER]}),
    "no refusal": json.dumps({k: v for k, v in ANSWERED.items() if k != "refusal"}),
    "a refusal that is null": json.dumps(ANSWERED | {"refusal": None}),
    "words that it quotes": f"{ANSWER} La ley: «{QUOTE}» (artículo 3) [C1].",
}


@pytest.mark.parametrize("output", AS_MEANT.values(), ids=AS_MEANT.keys())
def test_an_answer_in_another_form_is_read_as_it_is_meant(output):
    draft = parse_draft(output)
    assert draft.answer.startswith(ANSWER)
    assert [one.quote for one in draft.citations] == [QUOTE]
    assert not draft.refusal


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (0.4, 0.4),
        (1, 1.0),
        (90, 0.9),
        ("90 %", 0.9),
        ("0,85", 0.85),
        ("0.5 %", 0.005),
        ("Alta", 0.8),
        ("muy baja", 0.2),
        ("media", MODEST),
        ("falta información", MODEST),
        (1.7, MODEST),
        (-3, MODEST),
        (math.nan, MODEST),
        (True, MODEST),
        (None, MODEST),
    ],
)
def test_a_confidence_is_a_share_a_percentage_or_a_word(said, read):
    assert parse_draft(json.dumps(ANSWERED | {"confidence": said})).confidence == pytest.approx(read)


@pytest.mark.parametrize("word", ["alta", "moderada", "baja"])
def test_a_confidence_in_words_lies_in_its_band(word):
    assert band(parse_draft(json.dumps(ANSWERED | {"confidence": word})).confidence) == word


def test_an_answer_without_its_confidence_has_a_modest_one():
    assert parse_draft(json.dumps({"answer": ANSWER})).confidence == MODEST


@pytest.mark.parametrize(
    ("notes", "read"),
    [(["Una.", "Otra."], "Una. Otra."), ([], None), ("", None), (7, None), ("Una.", "Una.")],
)
def test_notes_in_a_list_are_one_note(notes, read):
    assert parse_draft(json.dumps(ANSWERED | {"notes": notes})).notes == read


def test_a_part_of_a_broken_object_is_not_taken_for_it():
    reply = '{"conclusiones": [{"cuestion": 1, "texto": "Sí."}, {"cuestion": 2, "texto": "No."},], }'
    assert [one["cuestion"] for one in extract_object(reply)["conclusiones"]] == [1, 2]
    with pytest.raises(DraftError):
        extract_object(reply[:-6])


@pytest.mark.parametrize(
    "reply",
    [
        "{'resumen': 'Vacaciones anuales.', 'palabras_clave': ['descanso',], 'preguntas': []}",
        '{resumen: "Vacaciones anuales.", palabras_clave: ["descanso"]}',
        'Pensé en {"resumen": ""}.\n[{"resumen": "Vacaciones anuales.", "palabras_clave": ["descanso"]}]',
    ],
)
def test_whatever_else_asks_for_an_object_reads_it_as_it_is_meant(reply):
    aid = parsed(reply, 5)
    assert (aid.summary, aid.keywords) == ("Vacaciones anuales.", ("descanso",))


HOSTILE = {
    "objects that never close": '{"a":' * 100_000,
    "lists that never close": "[" * 500 + "1," * 400_000,
    "braces and quotes": '{"a" ' * 100_000,
    "braces that begin nothing": "{x" * 300_000,
    "long numbers": '{"a": ' + ('{"b": ' + "1" * 5000 + "} ") * 200,
    "quotes": '{"answer": ' + '"a' * 200_000 + "}",
    "short lists": "[]" * 200_000 + "{",
    "a nesting just within the limits": "{" + '/"{" ' * 24 + "}" * 24,
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_text_takes_no_long_time(text):
    extract_array(text)
    with pytest.raises(DraftError):
        parse_draft(text)


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
        ('No: ["a"]\nDefinitivo: ["b"]', ["b"]),
        ("[3, 0]\n\nEl fragmento [3] trata de ello; el [0], también.", [3, 0]),
        ("El [3] sirve y el [0] ayuda.\n\n[3, 0]", [3, 0]),
        ("El [3] sirve", [3]),
        ("[3, 0]\n\nHe descartado los fragmentos [1], [2] y [4].", [3, 0]),
        ("**[3, 0]**\nSobra [1]", [3, 0]),
        ("['a', 'b',]", ["a", "b"]),
        ("```json\n['a']\n```", ["a"]),
        ("Véase [el artículo 5].", None),
        ('"[\\"a\\"]"', ["a"]),
    ],
)
def test_the_last_array_of_a_text_is_found_that_stands_in_no_sentence(text, array):
    assert extract_array(text) == array


def test_the_schema_for_structured_output_fits_the_contract():
    schema = answer_schema()
    assert set(schema["required"]) == set(Draft.model_fields)
    assert schema["additionalProperties"] is False
