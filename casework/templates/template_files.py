"""Reader of the template files: one that is wrong is told in a sentence, and the others are there."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from calculations.catalogue import CALCULATORS
from casework.templates.conditions import Condition, read_condition
from casework.templates.fill import GROUNDS, INLINE, OPTIONAL, ORDINALS, PLACE
from casework.templates.template_types import Deadline, Template, Templates
from core.errors import InputError

FOLDER, RULES = "templates", "rules"
LARGEST_FILE = 200_000
_STEM = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")
WRITTEN = "{file}: no está bien escrito ({why}); corrija esa línea."
UNREADABLE = "{file}: no se puede leer; compruebe que es texto UTF-8 y que no está dañado."
TOO_LARGE = "{file}: es demasiado grande para un modelo; acórtelo."
NAMED = "{file}: el nombre del archivo solo puede tener letras minúsculas sin tilde, cifras y guiones."
NO_RULES = "{file}: no hay ningún archivo «{name}» de fundamentos; corrija «rules»."
NO_NEXT = "{file}.toml: el modelo «{name}», que sigue a este, no existe; corrija «next»."
INCOMPLETE = "{file}: «{where}» falta o no es válido ({why}); compárelo con un modelo de los que vienen."


def read_templates(folders: Iterable[Path]) -> Templates:
    """The templates of these folders, each with `templates` inside.

    A file of a later folder takes the place of one of the same name in an earlier one, also when it is wrong:
    a firm that changed a template must not get the old one in silence.
    """
    files: dict[str, Path] = {}
    rules: dict[str, Path] = {}
    for folder in folders:
        files |= {file.name: file for file in sorted((folder / FOLDER).glob("*.toml"))}
        rules |= {file.stem: file for file in sorted((folder / FOLDER / RULES).glob("*.toml"))}
    known: list[Template] = []
    problems: list[str] = []
    for _, file in sorted(files.items()):
        try:
            known.append(_template(file, rules))
        except InputError as error:
            problems.append(str(error))
    names = {one.name for one in known}
    problems += (
        NO_NEXT.format(file=one.name, name=one.next) for one in known if one.next and one.next not in names
    )
    known.sort(key=lambda one: (one.group, one.title))
    return Templates(known={one.name: one for one in known}, problems=tuple(problems))


def _template(file: Path, rules: Mapping[str, Path]) -> Template:
    """The template of a file, with the grounds and agreements that it shares. Raises InputError."""
    if not _STEM.fullmatch(file.stem):
        raise InputError(NAMED.format(file=file.name))
    values = _tables(file)
    names = values.get("rules", [])
    for name in names if isinstance(names, list) else []:
        if name not in rules:
            raise InputError(NO_RULES.format(file=file.name, name=name))
        shared = _tables(rules[name])
        values |= {key: [*values.get(key, ()), *shared.get(key, ())] for key in ("grounds", "agreements")}
    try:
        found = Template.model_validate({**values, "name": file.stem})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(one + 1 if isinstance(one, int) else one) for one in first["loc"]) or "text"
        raise InputError(INCOMPLETE.format(file=file.name, where=where, why=first["type"])) from error
    try:
        problem = next(_problems(found), "")
    except InputError as error:
        problem = f"{error}."
    if problem:
        raise InputError(f"{file.name}: {problem}")
    return found


def _tables(file: Path) -> dict[str, Any]:
    """The contents of a file, its lists by the names of their rows. Raises InputError."""
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise InputError(TOO_LARGE.format(file=file.name))
        tables: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise InputError(WRITTEN.format(file=file.name, why=error)) from error
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(UNREADABLE.format(file=file.name)) from error
    renamed = {"field": "fields", "source": "sources", "ground": "grounds", "agree": "agreements"}
    return {renamed.get(key, key): value for key, value in tables.items()}


def _problems(one: Template) -> Iterator[str]:
    """Contradictions of a template, in Spanish."""
    names = [field.name for field in one.fields]
    yield from (f"el dato «{name}» está dos veces; quite uno." for name in names if names.count(name) > 1)
    yield from (
        f"el dato «{name}» no puede llamarse así; cámbiele el nombre." for name in ORDINALS if name in names
    )
    conditions = [read_condition(text) for found in (OPTIONAL, INLINE) for text in _written(found, one.text)]
    used = {*PLACE.findall(one.text), *(name for each in conditions for name in each.fields)}
    unknown = sorted(used - {*names} - {*ORDINALS, GROUNDS})
    yield from (
        f"el texto usa «{name}», que no es ninguno de sus datos; añádalo o quítelo." for name in unknown
    )
    yield from _bare(one)
    rows = (*(row.when for row in one.grounds), *(row.when for row in one.agreements))
    shared = [read_condition(text) for when in rows for text in when]
    for condition in (*conditions, *shared):
        yield from _problems_of_condition(condition, one)
    for field in one.fields:
        if field.kind == "choice" and not field.choices:
            yield f"el dato «{field.name}» se elige de una lista y no la tiene; añada choices."
    if one.deadline is not None and one.deadline.calculator:
        yield from _problems_of_term(one.deadline, {*names})


def _written(form: re.Pattern[str], text: str) -> list[str]:
    """The conditions of the optional parts of a text."""
    return [one for found in form.finditer(text) for one in found[1].split(";")]


def _bare(one: Template) -> Iterator[str]:
    """Optional facts whose sentence stands without them: it would say nothing."""
    optional = {field.name for field in one.fields if not field.required}
    for paragraph in re.split(r"\n\s*\n", one.text):
        plain = paragraph
        while INLINE.search(plain):
            plain = INLINE.sub(lambda found: _unless(found[1], found[2]), plain)
        found = OPTIONAL.match(plain.strip())
        plain = _unless(found[1], plain) if found else plain
        for name in sorted(optional.intersection(PLACE.findall(plain))):
            yield f"el texto usa «{name}», que puede faltar, fuera de {{?{name}}}; póngalo dentro."


def _unless(conditions: str, text: str) -> str:
    """The text without the places of the facts that its conditions look at."""
    known = {name for each in conditions.split(";") for name in read_condition(each).fields}
    return PLACE.sub(lambda place: "" if place[1] in known else place[0], text)


def _problems_of_condition(condition: Condition, one: Template) -> Iterator[str]:
    """A shared row may look at a fact that is not asked for here; a choice must be one of the field's."""
    field = next((field for field in one.fields if field.name == condition.name), None)
    if field is None or condition.sign != "=" or field.kind != "choice":
        return
    for value in sorted({*condition.values} - {*field.choices}):
        yield f"una condición usa «{value}», que no es ninguna opción de «{field.name}»; corríjala."


def _problems_of_term(term: Deadline, names: set[str]) -> Iterator[str]:
    calculator = CALCULATORS.get(term.calculator)
    if calculator is None:
        yield f"no existe el cálculo «{term.calculator}»; los que hay son {', '.join(CALCULATORS)}."
        return
    for name in sorted(term.values.keys() - calculator.params.model_fields.keys()):
        yield f"el cálculo «{calculator.name}» no tiene el dato «{name}»; quítelo."
    for name in sorted(
        {name for value in term.values.values() for name in PLACE.findall(str(value))} - names
    ):
        yield f"el plazo usa «{name}», que no es ninguno de sus datos; añádalo o quítelo."
