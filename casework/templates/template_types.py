"""Value types of the templates of briefs and of the drafts made from them."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, field_validator

from core.values import Value
from lexicon.paper_fields import FACTS

Kind = Literal["text", "long", "date", "money", "choice", "tick", "seat"]
Given = str | date | Decimal | bool
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,40}$")]
Line = Annotated[str, Field(min_length=1, max_length=600)]


class _Strict(Value):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TemplateField(_Strict):
    """A fact that a template needs.

    Attributes:
        kind: 'seat' is a court whose holidays are known, 'tick' is yes or no.
        required: a draft without it has a mark in its place, and its label is listed as missing.
        choices: of a 'choice'.
        fact: key of the fact of the case that it is (`lexicon.paper_fields.FACTS`); '' for none.
    """

    name: Name
    label: Line
    kind: Kind = "text"
    required: bool = True
    help: str = Field("", max_length=300)
    choices: tuple[Line, ...] = ()
    fact: str = ""

    @field_validator("fact")
    @classmethod
    def _known(cls, fact: str) -> str:
        if fact and fact not in FACTS:
            raise ValueError(f"no es un hecho de un expediente: son {', '.join(FACTS)}")
        return fact


class Reference(_Strict):
    """A provision that a template relies on: its citation, and the rule taken from it."""

    cite: Line
    why: Line


class Deadline(_Strict):
    """The term to file the brief: in words, and the calculator that counts it.

    Attributes:
        values: the calculator's data, each a constant or a field in braces («{fecha}»).
    """

    says: Line
    calculator: str = ""
    values: Mapping[str, str | bool | int] = Field(default_factory=dict)


class Template(_Strict):
    """A template.

    Attributes:
        name: name of its file, without extension.
        group: heading under which it is listed.
        checked: day on which its provisions were read in the official text.
        text: paragraphs separated by blank lines; «# » begins a heading, «{name}» is a field, and a paragraph
            that begins with «{?name}» stands only if the field is given. «{ordinal}» and «{ordinala}» number
            the paragraphs under a heading.
    """

    name: str
    title: Line
    group: Line
    when: Line
    checked: date
    deadline: Deadline | None = None
    fields: tuple[TemplateField, ...] = Field(min_length=1, max_length=60)
    sources: tuple[Reference, ...] = Field(min_length=1, max_length=40)
    enclose: tuple[Line, ...] = ()
    warnings: tuple[Line, ...] = ()
    text: str = Field(min_length=1, max_length=60_000)


class Templates(Value):
    """Usable templates by name, in the order of their groups, and a sentence on each unusable file."""

    known: Mapping[str, Template]
    problems: tuple[str, ...] = ()


class Paragraph(Value):
    """A paragraph of a draft, or a heading of it."""

    text: str
    heading: bool = False


class Draft(Value):
    """A template that was filled in; `missing`: labels of the required fields without a value."""

    title: str
    paragraphs: tuple[Paragraph, ...]
    missing: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The draft as plain text."""
        return "\n\n".join(one.text for one in self.paragraphs)
