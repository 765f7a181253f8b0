"""Evaluation cases: one JSON object a line, as design.md defines them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rag.errors import InputError


class Relevant(BaseModel):
    """An article that answers: grade 2 = the answer, 1 = helps."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    norm: str
    article: str
    grade: int = Field(1, ge=1, le=3)


class Case(BaseModel):
    """A question; an empty `relevant` means that it must be refused."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    question: str = Field(min_length=1)
    relevant: tuple[Relevant, ...] = ()
    category: str = "general"
    as_of: date | None = None

    @property
    def answerable(self) -> bool:
        return bool(self.relevant)


def read_cases(path: Path) -> list[Case]:
    """The cases of a file.

    Raises:
        InputError: no such file, no case in it, or a line that is no case (the message says which).
    """
    try:
        lines = path.read_text("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as UTF-8 text.") from error
    cases = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            cases.append(Case.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "line"
            raise InputError(f"{path.name}, line {number}: {where}: {first['msg']}") from None
    if not cases:
        raise InputError(f"{path.name} holds no case.")
    return cases
