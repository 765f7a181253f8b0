"""`templates`, `template` and `fill`: the templates of briefs, and a draft of one."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Annotated, Any

from pydantic import Field

from calculations.outcome import Outcome
from casework.briefs.findings import State
from casework.templates.template_types import Draft, Paragraph, Template, TemplateField
from core.values import Value
from service.contract.files import FileDocument
from service.contract.templates import CheckedReference, Counted

LONGEST, MOST = 8000, 60


class TemplateEntry(Value):
    """A template in the list: `when` says what it serves for."""

    name: str
    title: str
    group: str
    when: str


class TemplatesDocument(Value):
    """All templates, in the order of their groups."""

    templates: tuple[TemplateEntry, ...]


class CheckedProvision(Value):
    """A provision that a template relies on (`cite`, `why`), and what the corpus says of it today."""

    cite: str
    why: str
    state: State
    said: str
    url: str


class TemplateDocument(TemplateEntry):
    """A template with the data that it takes.

    Attributes:
        checked: day on which its provisions were read in the official text.
        deadline: the term to file, in words; '' if there is none.
    """

    checked: date
    deadline: str
    fields: tuple[TemplateField, ...]
    sources: tuple[CheckedProvision, ...]
    enclose: tuple[str, ...]
    warnings: tuple[str, ...]


class FillRequest(Value):
    """Data by name of field: texts as a person writes them («31/01/2025», «1.850,50»), or true for a tick."""

    data: Annotated[
        Mapping[str, Annotated[str, Field(max_length=LONGEST)] | bool | int | None], Field(max_length=MOST)
    ] = Field(default_factory=dict)


class DraftDocument(Value):
    """A draft of a template.

    Attributes:
        missing: labels of the required fields without a value; the text has «[…]» there.
        disagreements: sentences about facts that contradict each other.
        deadline: the term to file, in words; '' if there is none.
        term: the term counted; None, and `problem` says why, if it cannot be.
    """

    name: str
    title: str
    paragraphs: tuple[Paragraph, ...]
    missing: tuple[str, ...]
    disagreements: tuple[str, ...]
    deadline: str
    term: Outcome | None
    problem: str
    sources: tuple[CheckedProvision, ...]
    enclose: tuple[str, ...]
    warnings: tuple[str, ...]


class FilledDocument(DraftDocument):
    """A draft, and the same as a Word file with a control sheet."""

    file: FileDocument


def templates_document(known: Iterable[Template]) -> TemplatesDocument:
    """The list of these templates."""
    return TemplatesDocument(templates=tuple(TemplateEntry(**_entry(one)) for one in known))


def template_document(template: Template, sources: Sequence[CheckedReference]) -> TemplateDocument:
    """The document of a template, with its provisions as they were checked."""
    return TemplateDocument(
        **_entry(template),
        **_around(template, sources),
        checked=template.checked,
        fields=template.fields,
    )


def filled_document(
    template: Template,
    draft: Draft,
    counted: Counted,
    sources: Sequence[CheckedReference],
    file: FileDocument,
) -> FilledDocument:
    """The document of a template that was filled in; `file` is its Word file."""
    return FilledDocument(
        **_around(template, sources),
        name=template.name,
        title=draft.title,
        paragraphs=draft.paragraphs,
        missing=draft.missing,
        disagreements=draft.disagreements,
        term=counted.outcome,
        problem=counted.problem,
        file=file,
    )


def _entry(template: Template) -> dict[str, str]:
    return {name: getattr(template, name) for name in TemplateEntry.model_fields}


def _around(template: Template, sources: Sequence[CheckedReference]) -> dict[str, Any]:
    """Fields common to a template and a draft of it."""
    return {
        "deadline": template.deadline.says if template.deadline else "",
        "sources": tuple(
            CheckedProvision(**one.reference.model_dump(), state=one.state, said=one.said, url=one.url)
            for one in sources
        ),
        "enclose": template.enclose,
        "warnings": template.warnings,
    }
