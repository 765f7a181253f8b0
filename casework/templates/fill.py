"""A template filled in: what is given stands as text, what is required and missing as a mark. Pure functions.

What a person writes is put in once and never read again as a template: braces in it stay braces.
"""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import partial

from calculations.written_amounts import euros
from casework.templates.template_types import Draft, Given, Paragraph, Template, TemplateField
from core.errors import InputError
from law.dates import amount, parse, spelled
from text.textnorm import visible

PLACE = re.compile(r"\{([a-z][a-z0-9_]*)\}")
OPTIONAL = re.compile(r"^\{\?([a-z][a-z0-9_]*)\}\s*", re.M)
ORDINALS = {"ordinal": "O", "ordinala": "A"}
"""Places that number the paragraphs under a heading, «PRIMERO» or «PRIMERA», whichever of them stand."""
STEMS = ["PRIMER", "SEGUND", "TERCER", "CUART", "QUINT", "SEXT", "SÉPTIM", "OCTAV", "NOVEN", "DÉCIM"]
MISSING = "[…]"
SHORT, LONG = 300, 8000
_AMOUNT = re.compile(r"\s*(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d{1,2})?\s*(?:€|euros?)?\s*")


def given(template: Template, values: Mapping[str, object]) -> dict[str, Given]:
    """The facts as a person or a program wrote them, read by their kinds; empty ones are left out.

    Raises:
        InputError: some cannot be used; all problems are told.
    """
    fields = {field.name: field for field in template.fields}
    problems = [f"«{name[:60]}» no es un dato de este modelo" for name in values.keys() - fields.keys()]
    found: dict[str, Given] = {}
    for name, field in fields.items():
        try:
            value = _read(field, values.get(name))
        except ValueError as error:
            problems.append(f"{field.label}: {error}")
            continue
        if value is not None:
            found[name] = value
    if problems:
        raise InputError(f"{'; '.join(sorted(problems))}.")
    return found


def fill(template: Template, facts: Mapping[str, Given]) -> Draft:
    """The draft with these facts (see `given`)."""
    paragraphs = []
    number = 0
    for part in re.split(r"\n\s*\n", template.text.strip()):
        text = part.strip()
        optional = OPTIONAL.match(text)
        if optional:
            if not facts.get(optional[1]):
                continue
            text = text[optional.end() :]
        heading = text.startswith("# ")
        text = " ".join(text.removeprefix("# ").split()) if heading else _unwrapped(text)
        number = 0 if heading else number + bool(ORDINALS.keys() & {*PLACE.findall(text)})
        told = {name: fact_in_words(value) for name, value in facts.items()}
        told |= {name: _ordinal(number, ending) for name, ending in ORDINALS.items()}
        shown = PLACE.sub(partial(_put, told), text)
        paragraphs.append(Paragraph(text=shown, heading=heading))
    missing = tuple(one.label for one in template.fields if one.required and one.name not in facts)
    return Draft(title=template.title, paragraphs=tuple(paragraphs), missing=missing)


def _put(told: Mapping[str, str], match: re.Match[str]) -> str:
    return told.get(match[1], MISSING)


def _ordinal(number: int, ending: str) -> str:
    """'PRIMERO' or 'PRIMERA'; '11.º' after the tenth."""
    return (
        f"{STEMS[number - 1]}{ending}"
        if 0 < number <= len(STEMS)
        else f"{number}.{'º' if ending == 'O' else 'ª'}"
    )


def fact_in_words(value: Given) -> str:
    """A fact as a brief says it: '5 de mayo de 2031', '1.250,00 euros'."""
    if isinstance(value, bool):
        return "sí" if value else "no"
    if isinstance(value, date):
        return spelled(value)
    if isinstance(value, Decimal):
        return f"{euros(value).removesuffix(' €')} euros"
    return value


def _unwrapped(text: str) -> str:
    """Lines of a file joined, but for those that begin an item of a list."""
    return re.sub(r"\n(?!\s*(?:[-•—]|\w{1,2}\)|\d{1,2}\.) )\s*", " ", text)


def _read(field: TemplateField, value: object) -> Given | None:
    """A value by its kind, None for none. Raises ValueError: it is of another kind."""
    if field.kind == "tick":
        return True if value is True or value == "sí" else None
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if field.kind == "date":
        return _day(value)
    if field.kind == "money":
        return _money(value)
    if not isinstance(value, str):
        raise ValueError("debe ser un texto")
    limit = LONG if field.kind == "long" else SHORT
    text = "\n".join(" ".join(line.split()) for line in visible(value).strip().splitlines())
    if len(text) > limit:
        raise ValueError(f"no puede pasar de {limit} caracteres")
    if field.kind == "choice" and text not in field.choices:
        raise ValueError("elija una de las opciones")
    return text if field.kind == "long" else " ".join(text.split())


def _day(value: object) -> date:
    day = value if isinstance(value, date) else parse(str(value))
    if day is None:
        raise ValueError("debe ser una fecha, como 31/01/2026")
    return day


def _money(value: object) -> Decimal:
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return Decimal(value)
    found = amount(str(value)) if _AMOUNT.fullmatch(str(value)) else None
    if found is None:
        raise ValueError("debe ser un importe, como 1.250,50")
    return found
