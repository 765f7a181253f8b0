"""Writs that one would sign: clean prose whatever is typed, their grounds, and what does not agree."""

import random
import re
from datetime import date
from pathlib import Path

import pytest

from casework.templates.conditions import read_condition
from casework.templates.fill import MISSING, SUM, Quoted, fill, given
from casework.templates.template_files import read_templates
from casework.templates.template_types import Kind
from casework.templates.written_values import in_words, sum_of
from core.errors import InputError
from service.config import ROOT
from tests.case_files import FOLDER, pairs

TEMPLATES = read_templates([ROOT / "data"]).known
SECTIONS = re.findall(
    r"(?m)^## ((?:Fundamentos de|Lo que no concuerda en) (\S+))$", (FOLDER / "writs.md").read_text("utf-8")
)
AWKWARD = {
    "text": "  Ana, de la Casa «X».. ",
    "phrase": "Indefinido, a tiempo completo.",
    "name": "MARÍA DE LA PEÑA LÓPEZ",
    "company": "talleres del norte, s.l.",
    "long": "Primero: lo dijo el 3.º día.\nsegundo {nombre} # no;",
    "date": "05/03/2026",
    "money": "1.250,50",
    "seat": "Madrid",
    "tick": "sí",
}
"""A value of each kind that is hard to put into a sentence."""


def facts_of(text: str) -> dict[str, str]:
    """«campo = valor; otro = valor» as the values of a form."""
    return dict(one.split(" = ", 1) for one in re.split(r"; (?=[a-z_]+ = )", text))


def drafted(name, values):
    return fill(TEMPLATES[name], given(TEMPLATES[name], values))


@pytest.mark.parametrize(
    ("kind", "section"),
    [("name", "Personas y lugares"), ("company", "Empresas"), ("phrase", "Dentro de una frase")],
)
def test_names_are_put_in_their_case(kind: Kind, section):
    assert [in_words(text, kind) for text, _ in pairs("writs", section)] == [
        read for _, read in pairs("writs", section)
    ]


@pytest.mark.parametrize(("text", "total"), pairs("writs", "Importes que se suman"))
def test_the_amounts_of_a_list_are_added(text, total):
    assert str(sum_of(text) or "") == total


@pytest.mark.parametrize(
    ("section", "name", "text", "read"),
    [(*one, *pair) for one in SECTIONS for pair in pairs("writs", one[0])],
)
def test_grounds_and_disagreements_follow_from_the_facts(section, name, text, read):
    draft = drafted(name, facts_of(text))
    if section.startswith("Fundamentos"):
        titles = [one.title for one in draft.grounds]
        assert (read.removeprefix("no ") in titles) is not read.startswith("no ")
    else:
        assert [one for one in draft.disagreements if not read or read in one] or draft.disagreements == ()
        assert bool(draft.disagreements) is bool(read)


@pytest.mark.parametrize("name", sorted(TEMPLATES))
@pytest.mark.parametrize("seed", range(12))
def test_the_prose_is_clean_whatever_is_given_and_whatever_is_missing(name, seed):
    draw, template = random.Random(seed), TEMPLATES[name]
    fields = [one for one in template.fields if seed == 0 or draw.random() < 0.7]
    values = {one.name: draw.choice(one.choices) if one.choices else AWKWARD[one.kind] for one in fields}
    draft = drafted(name, values)
    marks = draft.text.count(MISSING)
    assert marks == 0 if seed == 0 else marks > 0 or not draft.missing or "exigible" not in values
    for one in draft.paragraphs:
        said = one.text.replace("{nombre} # no", "x")
        assert not re.search(r"\.\.|[a-zñ]{6}\.,|»\.,|\s[,.;:]|[,;:][,.;]|  |\{|\}|\(\)|«»", said), said
        assert one.heading or not re.search(r"^(?:\w+O|\w+A|[IVX]+)\.?\s*$", said), said
        assert one.heading or said == said.strip() != "", said
        assert not re.search(r"(?<![:.]\w)(?<=[a-zñ]{4}\. )[a-zñáéíóú]", said), said
    assert "MARÍA" not in draft.text.replace("DE MARÍA DE LA PEÑA LÓPEZ", "")
    assert "talleres del norte" not in draft.text


def test_a_ground_quotes_the_law_of_the_facts_and_cites_what_is_not_at_hand():
    asked = []

    def quote(ground, on):
        asked.append((ground.cite, on))
        return Quoted("Palabras de «entonces»", past=True) if "55.1" in ground.cite else None

    values = {"tipo": "despido verbal o tácito", "fecha_efectos": "05/03/2020"}
    one = TEMPLATES["demanda-despido"]
    said = next(
        part.text
        for part in fill(one, given(one, values), quote).paragraphs
        if "Despido sin forma" in part.text
    )
    assert said.endswith(
        "Dice el artículo 55.1 del ET, en la redacción entonces vigente: “Palabras de «entonces»”."
    )
    assert ("artículo 55.1 del ET", date(2020, 3, 5)) in asked
    assert "(artículos 63 y 65.1 de la LRJS)." in drafted("papeleta-despido", {}).text


def test_every_field_that_a_shared_row_looks_at_is_one_of_a_template_that_takes_it():
    known = {name: {field.name for field in one.fields} for name, one in TEMPLATES.items()}
    looked = {
        field.removeprefix(SUM)
        for one in TEMPLATES.values()
        for row in (*one.grounds, *one.agreements)
        for text in row.when
        for field in read_condition(text).fields
    }
    assert looked - set().union(*known.values()) == set()
    on = {(name, row.on) for name, one in TEMPLATES.items() for row in one.grounds if row.on}
    assert [(name, field) for name, field in sorted(on) if field not in known[name]] == []


@pytest.mark.parametrize("text", ["", "Tipo = x", "!tipo = x", "tipo =", "tipo es x", "tipo = "])
def test_a_condition_that_is_not_understood_is_told(text):
    with pytest.raises(InputError, match="no se entiende"):
        read_condition(text)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('rules = ["nada"]', "no hay ningún archivo «nada» de fundamentos"),
        ('next = "nada"', "el modelo «nada», que sigue a este, no existe"),
        ('text = "Debe {nota}."', "el texto usa «nota», que puede faltar, fuera de {?nota}"),
        ('text = "{?a es b} x"', "no se entiende"),
        ('text = "{?tipo = c} x"', "no es ninguna opción de «tipo»"),
    ],
)
def test_a_wrong_row_of_a_template_is_told(tmp_path: Path, line, told):
    good = {
        "title": '"M"', "group": '"G"', "when": '"W"', "checked": "2026-11-23", "text": '"{tipo}"',
    } | {line.split(" = ")[0]: line.split(" = ", 1)[1]}  # fmt: skip
    fields = """
[[field]]
name = "tipo"
label = "Tipo"
kind = "choice"
choices = ["a", "b"]
[[field]]
name = "nota"
label = "Nota"
required = false
[[source]]
cite = "artículo 59.3 del ET"
why = "x"
"""
    (tmp_path / "templates").mkdir()
    text = "\n".join(f"{key} = {value}" for key, value in good.items()) + fields
    (tmp_path / "templates" / "m.toml").write_text(text, "utf-8")
    (problem,) = read_templates([tmp_path]).problems
    assert told in problem
