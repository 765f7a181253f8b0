"""A template filled in: what is given stands as text, what is required and missing as a mark. Pure functions.

What a person writes is put in once and never read again as a template: braces in it stay braces.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from functools import partial
from typing import NamedTuple

from casework.templates.conditions import hold
from casework.templates.template_types import Draft, Given, Ground, Kind, Paragraph, Template, TemplateField
from casework.templates.written_values import in_words, sum_of
from core.errors import InputError
from law.dates import amount, parse
from text.textnorm import visible

PLACE = re.compile(r"\{([a-z][a-z0-9_]*)\}")
OPTIONAL = re.compile(r"^\{\?([^{}]+)\}\s*", re.M)
INLINE = re.compile(r"\{\?([^{}]+)\}((?:(?!\{\?).)*?)\{/\}", re.S)
ORDINALS = {"ordinal": "O", "ordinala": "A"}
"""Places that number the paragraphs under a heading, «PRIMERO» or «PRIMERA», whichever of them stand."""
GROUNDS, SUM = "fundamentos", "suma_"
"""The place of the grounds, and the beginning of the name of a fact: the amounts that a long field lists."""
STEMS = ["PRIMER", "SEGUND", "TERCER", "CUART", "QUINT", "SEXT", "SÉPTIM", "OCTAV", "NOVEN", "DÉCIM"]
MISSING = "[…]"
SHORT, LONG = 300, 8000
_AMOUNT = re.compile(r"\s*(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d{1,2})?\s*(?:€|euros?)?\s*")
_WHOLE_WORD = re.compile(r"(?:[^\W\d_]{5,}|[\d»”)])\.$")
"""The end of a sentence: a full stop after a shorter word may be that of an abbreviation, «3.º izq.»."""

_TWICE = re.compile(r"(?<!\.)\.\.$")


class Quoted(NamedTuple):
    """Words of a provision, letter by letter; `past` tells that today's are others."""

    words: str
    past: bool = False


Quote = Callable[[Ground, date | None], Quoted | None]
"""The words that a ground quotes in force on a day, today if it has none; None where they are not at hand."""


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


def fill(template: Template, facts: Mapping[str, Given], quote: Quote = lambda _ground, _on: None) -> Draft:
    """The draft with these facts (see `given`)."""
    sums = {
        f"{SUM}{one.name}": sum_of(str(facts[one.name]))
        for one in template.fields
        if one.kind == "long" and one.name in facts
    }
    known = {**facts, **{name: value for name, value in sums.items() if value is not None}}
    grounds = tuple(one for one in template.grounds if hold(one.when, known))
    kinds: dict[str, Kind] = {one.name: one.kind for one in template.fields}
    told = {name: in_words(value, kinds.get(name, "text")) for name, value in known.items()}
    return Draft(
        title=template.title,
        paragraphs=tuple(_paragraphs(template, known, told, grounds, quote)),
        missing=tuple(one.label for one in template.fields if one.required and one.name not in facts),
        disagreements=tuple(_filled(one.says, told) for one in template.agreements if hold(one.when, known)),
        grounds=grounds,
    )


def _paragraphs(
    template: Template,
    known: Mapping[str, Given],
    told: Mapping[str, str],
    grounds: tuple[Ground, ...],
    quote: Quote,
) -> Iterator[Paragraph]:
    number = 0
    for part in re.split(r"\n\s*\n", template.text.strip()):
        text = part.strip()
        while INLINE.search(text):
            text = INLINE.sub(lambda found: found[2] if hold(found[1].split(";"), known) else "", text)
        optional = OPTIONAL.match(text)
        if optional and not hold(optional[1].split(";"), known):
            continue
        text = text[optional.end() :] if optional else text
        if text == f"{{{GROUNDS}}}":
            for place, one in enumerate(grounds, start=1):
                said = quote(one, _day_of(known.get(one.on)))
                yield Paragraph(text=f"{_roman(place)}. {one.title}. {_argued(one, told, said)}")
            continue
        heading = text.startswith("# ")
        text = " ".join(text.removeprefix("# ").split()) if heading else _unwrapped(text)
        number = 0 if heading else number + bool(ORDINALS.keys() & {*PLACE.findall(text)})
        numbered = {name: _ordinal(number, ending) for name, ending in ORDINALS.items()}
        loud = heading and PLACE.sub("", text).isupper()
        words = {name: value.upper() for name, value in told.items()} if loud else told
        yield Paragraph(text=_filled(text, {**words, **numbered}, heading=heading), heading=heading)


def _argued(ground: Ground, told: Mapping[str, str], said: Quoted | None) -> str:
    """A ground in our words, then the provision: its own words, or else its citation."""
    words = _filled(" ".join(ground.says.split()), told)
    if said is None:
        return f"{words[:-2]}; {ground.cite})." if words.endswith(").") else f"{words[:-1]} ({ground.cite})."
    article = "el" if ground.cite.startswith("art") else "la"
    past = ", en la redacción entonces vigente" if said.past else ""
    marks = "“{}”" if "«" in said.words else "«{}»"
    return f"{words} Dice {article} {ground.cite}{past}: {marks.format(said.words)}."


def _day_of(value: Given | None) -> date | None:
    return value if isinstance(value, date) else None


def _roman(number: int) -> str:
    tens, ones = divmod(number, 10)
    return "X" * tens + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[ones]


def _filled(text: str, told: Mapping[str, str], *, heading: bool = False) -> str:
    """The text with the values in its places, as sentences: no full stop twice, none missing at the end."""
    shown = PLACE.sub(partial(_put, told), text).replace(": \n", ":\n")
    lines = shown.rsplit("\n", 2)
    listed = len(lines) > 1 and lines[-2][-1:] not in ".!?"
    open_end = text.endswith("}") and (shown[-1].isalnum() or shown[-1] in ")»”%€")
    return f"{shown}." if open_end and not listed and not heading else shown


def _put(told: Mapping[str, str], place: re.Match[str]) -> str:
    value = told.get(place[1], MISSING)
    before, after = place.string[: place.start()], place.string[place.end() : place.end() + 1]
    if after == "." or (after in (",", ";") and _WHOLE_WORD.search(value)):
        value = value.rstrip(".")
    if before.endswith(": ") and "\n" in value:
        return f"\n{value}"
    opens = not before or before.endswith((". ", "\n"))
    return value[:1].upper() + value[1:] if opens else value


def _ordinal(number: int, ending: str) -> str:
    """'PRIMERO' or 'PRIMERA'; '11.º' after the tenth."""
    return (
        f"{STEMS[number - 1]}{ending}"
        if 0 < number <= len(STEMS)
        else f"{number}.{'º' if ending == 'O' else 'ª'}"
    )


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
    text = _TWICE.sub(".", text.rstrip(",;: "))
    if len(text) > limit:
        raise ValueError(f"no puede pasar de {limit} caracteres")
    if field.kind == "choice" and text not in field.choices:
        raise ValueError("elija una de las opciones")
    return (text if field.kind == "long" else " ".join(text.split())) or None


def _day(value: object) -> date:
    day = value if isinstance(value, date) else parse(str(value))
    if day is None:
        raise ValueError("debe ser una fecha que exista, como 31/01/2026")
    return day


def _money(value: object) -> Decimal:
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return Decimal(value)
    found = amount(str(value)) if _AMOUNT.fullmatch(str(value)) else None
    if found is None:
        raise ValueError("debe ser un importe, como 1.250,50")
    return found
