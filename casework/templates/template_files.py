"""Reader of the template files: one that is wrong is told in a sentence, and the others are there."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from calculations.catalogue import CALCULATORS
from casework.templates.fill import OPTIONAL, ORDINALS, PLACE
from casework.templates.template_types import Deadline, Template, Templates
from core.errors import InputError

FOLDER = "templates"
LARGEST_FILE = 200_000
_STEM = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")
WRITTEN = "{file}: no está bien escrito ({why}); corrija esa línea."
UNREADABLE = "{file}: no se puede leer; compruebe que es texto UTF-8 y que no está dañado."
TOO_LARGE = "{file}: es demasiado grande para un modelo; acórtelo."
NAMED = "{file}: el nombre del archivo solo puede tener letras minúsculas sin tilde, cifras y guiones."
INCOMPLETE = "{file}: «{where}» falta o no es válido ({why}); compárelo con un modelo de los que vienen."


def read_templates(folders: Iterable[Path]) -> Templates:
    """The templates of these folders, each with `templates` inside.

    A file of a later folder takes the place of one of the same name in an earlier one, also when it is wrong:
    a firm that changed a template must not get the old one in silence.
    """
    files: dict[str, Path] = {}
    for folder in folders:
        files |= {file.name: file for file in sorted((folder / FOLDER).glob("*.toml"))}
    known: list[Template] = []
    problems: list[str] = []
    for _, file in sorted(files.items()):
        try:
            known.append(_template(file))
        except InputError as error:
            problems.append(str(error))
    known.sort(key=lambda one: (one.group, one.title))
    return Templates(known={one.name: one for one in known}, problems=tuple(problems))


def _template(file: Path) -> Template:
    if not _STEM.fullmatch(file.stem):
        raise InputError(NAMED.format(file=file.name))
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise InputError(TOO_LARGE.format(file=file.name))
        tables: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise InputError(WRITTEN.format(file=file.name, why=error)) from error
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(UNREADABLE.format(file=file.name)) from error
    renamed = {"field": "fields", "source": "sources"}
    values = {renamed.get(key, key): value for key, value in tables.items()}
    try:
        found = Template.model_validate({**values, "name": file.stem})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(one + 1 if isinstance(one, int) else one) for one in first["loc"]) or "text"
        raise InputError(INCOMPLETE.format(file=file.name, where=where, why=first["type"])) from error
    if problem := next(_problems(found), ""):
        raise InputError(f"{file.name}: {problem}")
    return found


def _problems(one: Template) -> Iterator[str]:
    """Contradictions of a template, in Spanish."""
    names = [field.name for field in one.fields]
    yield from (f"el dato «{name}» está dos veces; quite uno." for name in names if names.count(name) > 1)
    yield from (
        f"el dato «{name}» no puede llamarse así; cámbiele el nombre." for name in ORDINALS if name in names
    )
    used = {*PLACE.findall(one.text), *OPTIONAL.findall(one.text)}
    unknown = sorted(used - {*names} - ORDINALS.keys())
    yield from (
        f"el texto usa «{name}», que no es ninguno de sus datos; añádalo o quítelo." for name in unknown
    )
    for field in one.fields:
        if field.kind == "choice" and not field.choices:
            yield f"el dato «{field.name}» se elige de una lista y no la tiene; añada choices."
    if one.deadline is not None and one.deadline.calculator:
        yield from _problems_of_term(one.deadline, {*names})


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
