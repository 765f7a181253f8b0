"""Evaluation cases: one JSON object a line, as design.md defines them."""

import hashlib
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from core.errors import InputError
from models.chat import Turn
from text.refused_values import problem


def _several(value: object) -> object:
    return (value,) if isinstance(value, str) else value


class Relevant(BaseModel):
    """An article that answers: grade 2 = the answer, 1 = helps."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    norm: str
    article: str
    grade: int = Field(default=1, ge=1, le=3)


class Fact(BaseModel):
    """A fact that a right answer tells.

    Attributes:
        any_of: strings of the wording that applies, one of which is in a right quotation.
        also: other ways of saying it.
        source: the provisions that say it.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    fact: str
    any_of: tuple[str, ...] = Field(min_length=1)
    also: tuple[str, ...] = ()
    source: tuple[Relevant, ...] = ()

    @property
    def strings(self) -> tuple[str, ...]:
        return (*self.any_of, *self.also)


class Case(BaseModel):
    """A question; without `relevant` and `facts` it must be refused, unless `expect` says otherwise.

    Attributes:
        as_of: the day chosen by the reader; `expected_as_of` is the one that the question itself must give.
        history: the turns before the question.
        territory: comunidad autónoma or municipality that understanding must find in the question.
        expect: 'warned' = no law of the day asked about is loaded: a refusal is right, and so is an answer
            that says so and is not sure.
        must_contain: word sequences of the right wording, each required in a chunk of the final context and
            in a quotation of the answer.
        must_not_contain: word sequences of another wording, which no quotation may have.
        corpus: corpus the case was written for: 'demo' runs on any corpus, 'boe' needs the real law.
        facts: what a right answer tells, the first of them first.
        forbidden: strings that only a wrong answer has, of another wording for example.
        yes_no: the direct answer to a question that wants one, which the first of its facts decides.
        surplus: articles that the answer must not cite or name.
        must_cite: the answer itself must cite one of the articles of the best grade.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    question: str = Field(min_length=1)
    relevant: tuple[Relevant, ...] = ()
    category: str = "general"
    as_of: date | None = None
    history: tuple[Turn, ...] = ()
    territory: str = ""
    corpus: Literal["", "demo", "boe"] = ""
    expect: Literal["answered", "refused", "warned"] | None = None
    expected_as_of: date | None = None
    must_contain: Annotated[tuple[str, ...], BeforeValidator(_several)] = ()
    must_not_contain: Annotated[tuple[str, ...], BeforeValidator(_several)] = ()
    facts: tuple[Fact, ...] = ()
    forbidden: tuple[str, ...] = ()
    yes_no: Literal["sí", "no"] | None = None
    surplus: tuple[Relevant, ...] = ()
    must_cite: bool = False

    @property
    def answerable(self) -> bool:
        if self.expect is not None:
            return self.expect == "answered"
        return bool(self.relevant or self.facts)

    @property
    def told(self) -> bool:
        """True if its measure is the answer, and not only what would be read for it."""
        quoted = self.facts or self.must_contain or self.must_not_contain
        said = self.forbidden or self.surplus or self.must_cite or self.yes_no
        return bool(quoted or said) or not self.answerable

    @property
    def wanted(self) -> tuple[Relevant, ...]:
        """The articles that answer: its labels, else the sources of its facts."""
        return self.relevant or tuple(source for fact in self.facts for source in fact.source)

    @property
    def norms(self) -> frozenset[str]:
        """The norms asked about."""
        return frozenset(one.norm for one in self.wanted)


@dataclass(frozen=True)
class Dataset:
    """The cases of a file; `content_hash` is the SHA-256 of its bytes."""

    name: str
    content_hash: str
    cases: tuple[Case, ...]


def read_dataset(path: Path) -> Dataset:
    """The cases of a file, with its name and hash.

    Raises:
        InputError: the file is missing, not UTF-8 or without cases, or has an invalid line (the message
            says which).
    """
    try:
        raw = path.read_bytes()
        lines = raw.decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: no se puede leer; debe ser un archivo de texto UTF-8.") from error
    cases = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            cases.append(Case.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"]))
            raise InputError(f"{path.name}, línea {number}: {problem(where, first)}.") from None
    if not cases:
        raise InputError(f"{path.name}: no contiene ningún caso; escriba uno por línea.")
    return Dataset(path.stem, hashlib.sha256(raw).hexdigest(), tuple(cases))


def dataset_files(*folders: Path) -> dict[str, Path]:
    """Name to file of the `.jsonl` sets in these folders; of two with the same name, the last folder's."""
    found = (path for folder in folders for path in sorted(folder.glob("*.jsonl")))
    return {path.stem: path for path in found}
