"""Templates of briefs: the files that come with the program, bad ones of a firm, and filling them in."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from calculations.figure_files import read_facts
from casework.templates.fill import LONG, MISSING, fill, given
from casework.templates.template_files import LARGEST_FILE, read_templates
from core.errors import InputError
from service.config import ROOT
from service.contract.templates import UNCOUNTED, count_term

GOOD = """
title = "Modelo"
group = "Grupo"
when = "Para probar."
checked = 2026-11-23
text = "# A {quien}\\n\\nDebe {cuanto} desde el {dia}.\\n\\n{?nota} Nota: {nota}"
[[field]]
name = "quien"
label = "A quién"
[[field]]
name = "cuanto"
label = "Cuánto"
kind = "money"
[[field]]
name = "dia"
label = "Día"
kind = "date"
[[field]]
name = "nota"
label = "Nota"
kind = "long"
required = false
[[source]]
cite = "artículo 59.3 del Estatuto de los Trabajadores"
why = "el plazo"
"""


def shipped():
    return read_templates([ROOT / "data"])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "templates").mkdir()
    return tmp_path


def put(home: Path, text: str, name: str = "modelo.toml") -> Path:
    file = home / "templates" / name
    file.write_text(text, "utf-8")
    return file


def known(home: Path, text: str = GOOD):
    put(home, text)
    return read_templates([home]).known["modelo"]


def test_the_eleven_that_come_with_the_program_can_be_used():
    found = shipped()
    assert found.problems == ()
    assert len(found.known) == 11


@pytest.mark.parametrize("name", sorted(shipped().known))
def test_every_fact_of_a_template_is_used_in_its_text_or_its_term(name):
    one = shipped().known[name]
    used = one.text + str(one.deadline.values if one.deadline else "")
    assert [field.name for field in one.fields if f"{field.name}}}" not in used] == []


@pytest.mark.parametrize("name", sorted(shipped().known))
def test_an_empty_form_gives_a_draft_with_marks_and_the_list_of_what_is_missing(name):
    one = shipped().known[name]
    draft = fill(one, given(one, {}))
    assert draft.missing == tuple(field.label for field in one.fields if field.required)
    assert MISSING in draft.text and "{" not in draft.text


def test_what_is_given_stands_as_a_brief_says_it(home):
    one = known(home)
    facts = given(one, {"quien": " Ana  Ruiz ", "cuanto": "1.250,5", "dia": "05/03/2026", "nota": "a\nb"})
    assert facts == {
        "quien": "Ana Ruiz",
        "cuanto": Decimal("1250.50"),
        "dia": date(2026, 3, 5),
        "nota": "a\nb",
    }
    draft = fill(one, facts)
    assert [one.text for one in draft.paragraphs] == [
        "A ANA RUIZ",
        "Debe 1.250,50 euros desde el 5 de marzo de 2026.",
        "Nota:\na\nb",
    ]
    assert [one.heading for one in draft.paragraphs] == [True, False, False]
    assert draft.missing == ()


def test_what_a_person_writes_is_never_read_as_a_template(home):
    one = known(home)
    evil = "# {cuanto}\n\n{?dia} {nota}"
    draft = fill(one, given(one, {"nota": evil, "cuanto": "3"}))
    assert draft.paragraphs[2].text == "Nota:\n# {cuanto}\n\n{?dia} {nota}"
    assert [one.heading for one in draft.paragraphs] == [True, False, False]


def test_an_optional_paragraph_stands_only_with_its_fact(home):
    one = known(home)
    assert "Nota" not in fill(one, given(one, {})).text


def test_the_paragraphs_that_stand_are_numbered_without_gaps():
    one = shipped().known["demanda-despido"]
    numbered = [
        [part.text.split(".")[0] for part in fill(one, given(one, values)).paragraphs]
        for values in ({}, {"nulidad": "x"})
    ]
    found = [[word for word in words if word.endswith("O") and " " not in word] for words in numbered]
    assert found == [
        ["PRIMERO", "SEGUNDO", "TERCERO", "CUARTO", "QUINTO"],
        ["PRIMERO", "SEGUNDO", "TERCERO", "CUARTO", "QUINTO", "SEXTO"],
    ]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"cuanto": "mil"}, "Cuánto: debe ser un importe, como 1.250,50."),
        ({"cuanto": "1.250,50 por mes"}, "Cuánto: debe ser un importe, como 1.250,50."),
        ({"dia": "31/02/2026"}, "Día: debe ser una fecha que exista, como 31/01/2026."),
        ({"quien": 3}, "A quién: debe ser un texto."),
        ({"nota": "x" * (LONG + 1)}, f"Nota: no puede pasar de {LONG} caracteres."),
        ({"otro": "x"}, "«otro» no es un dato de este modelo."),
    ],
    ids=["words", "more than an amount", "no day", "no text", "too long", "unknown"],
)
def test_what_cannot_be_used_is_told_in_a_sentence(home, values, told):
    with pytest.raises(InputError) as refused:
        given(known(home), values)
    assert str(refused.value) == told


BAD = {
    "no toml": ("title =", "no está bien escrito"),
    "bytes": ("\udcff", "no se puede leer"),
    "empty": ("", "«title» falta o no es válido"),
    "unknown key": (GOOD.replace("[[source]]", 'color = "rojo"\n[[source]]'), "«fields.4.color»"),
    "unknown field in the text": (GOOD.replace("{nota}", "{notas}"), "el texto usa «notas»"),
    "reserved": (GOOD.replace("dia", "ordinal"), "no puede llamarse así"),
    "twice": (GOOD.replace('"dia"', '"quien"'), "está dos veces"),
    "unknown kind": (GOOD.replace('"money"', '"dinero"'), "«fields.2.kind»"),
    "no choices": (GOOD.replace('kind = "money"', 'kind = "choice"'), "y no la tiene"),
    "no source": (GOOD.partition("[[source]]")[0], "«sources» falta"),
    "unknown calculator": (
        f'{GOOD}\n[deadline]\nsays = "x"\ncalculator = "magia"',
        "no existe el cálculo «magia»",
    ),
    "wrong data": (
        f'{GOOD}\n[deadline]\nsays = "x"\ncalculator = "caducidad"\n[deadline.values]\nluna = "llena"',
        "no tiene el dato «luna»",
    ),
    "unknown field in the term": (
        f'{GOOD}\n[deadline]\nsays = "x"\ncalculator = "caducidad"\n[deadline.values]\nfecha = "{{luna}}"',
        "el plazo usa «luna»",
    ),
    "too large": (GOOD + "#" * LARGEST_FILE, "es demasiado grande"),
    "a deep one": ("a = " + "[" * 5000, "no "),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_told_in_one_sentence_and_the_others_are_there(home, name):
    text, told = BAD[name]
    (home / "templates" / "roto.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    put(home, GOOD)
    found = read_templates([home])
    (problem,) = found.problems
    assert problem.startswith("roto.toml: ") and told in problem and "\n" not in problem
    assert list(found.known) == ["modelo"]


def test_the_name_of_a_file_is_a_plain_one(home):
    put(home, GOOD, "Mi modelo.toml")
    assert "letras minúsculas" in read_templates([home]).problems[0]


def test_a_file_of_the_home_takes_the_place_of_a_shipped_one_also_when_it_is_wrong(home):
    put(home, GOOD, "papeleta-despido.toml")
    both = read_templates([ROOT / "data", home])
    assert both.known["papeleta-despido"].title == "Modelo" and len(both.known) == 11
    put(home, "title =", "papeleta-despido.toml")
    both = read_templates([ROOT / "data", home])
    assert "papeleta-despido" not in both.known and len(both.problems) == 1


def test_the_term_is_counted_by_the_calculator_or_says_why_it_is_not():
    known_facts = read_facts([ROOT / "data"])
    one = shipped().known["papeleta-despido"]
    counted = count_term(one, {"fecha_efectos": date(2026, 3, 2), "sede": "Madrid"}, known_facts)
    assert counted.outcome is not None and counted.outcome.name == "caducidad"
    assert count_term(one, {"sede": "Madrid"}, known_facts).problem == UNCOUNTED
    late = {"fecha_efectos": date(2026, 3, 2), "sede": "Atlantis"}
    assert count_term(one, late, known_facts).problem.endswith(".")
    assert count_term(shipped().known["adaptacion-jornada"], {}, known_facts).problem == ""
