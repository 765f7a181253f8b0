"""Templates of briefs as one person may use them; no value given is logged, or stored by a door here."""

from __future__ import annotations

from collections.abc import Mapping

from casework.matters.rule_cell import Line, answering_sentence, lines_of
from casework.templates.fill import fill, given
from casework.templates.template_types import Draft, Template, TemplateField, Templates
from core.clock import today_in_spain
from core.errors import NotFound
from core.values import Value
from domain.accounts import Permission
from domain.audit import AuditAction
from domain.matters import DocumentState
from law.dates import amount, parse
from service.contract.files import DOCX, file_document
from service.contract.program import Name
from service.contract.template_documents import (
    FilledDocument,
    FillRequest,
    TemplateDocument,
    TemplatesDocument,
    filled_document,
    template_document,
    templates_document,
)
from service.contract.templates import CheckedReference, Counted, checked_sources, count_term, quoting
from service.members.own import Own
from service.opinions.brief_file import brief_file

NO_TEMPLATE = "No existe ese modelo."


class Suggestion(Value):
    """A value for a field, found in a document of the expediente and contradicted by no other.

    Attributes:
        document: name of the document, «Doc 1».
        quote: the sentence with the value, letter by letter.
    """

    value: str
    document: str
    page: int | None
    quote: str


class Prepared(Value):
    """A draft with what goes with it."""

    template: Template
    draft: Draft
    counted: Counted
    sources: tuple[CheckedReference, ...]


class OwnTemplates(Own):
    """Templates of the installation; an expediente is read only if it is open to the person."""

    def templates(self) -> Templates:
        """Templates of the program and of the home, read from the files as they are now."""
        return self._program().templates()

    def problems(self) -> tuple[str, ...]:
        """A sentence for each file that cannot be used; empty for people who may not manage accounts."""
        program = self._program()
        return program.templates().problems if self._identity.may(Permission.ACCOUNTS) else ()

    def template(self, name: str) -> Template:
        """Raises NotFound."""
        found = self.templates().known.get(name)
        if found is None:
            raise NotFound(NO_TEMPLATE)
        return found

    def prepared(self, name: str, values: Mapping[str, object]) -> Prepared:
        """The draft with these values, its term and the state of its provisions today.

        Raises:
            InputError: some values cannot be used.
            NotFound: there is no such template.
        """
        program, template = self._program(), self.template(name)
        facts = given(template, values)
        draft = fill(template, facts, quoting(program))
        return Prepared(
            template=template,
            draft=draft,
            counted=count_term(template, facts, program.facts()),
            sources=checked_sources(program, template, draft.grounds),
        )

    def word(self, made: Prepared) -> bytes:
        """The draft as a Word file; who hands it out records that."""
        self._program()
        return _word(made)

    def listed(self) -> TemplatesDocument:
        """The templates as a document."""
        return templates_document(self.templates().known.values())

    def described(self, name: Name) -> TemplateDocument:
        """A template with its data and the state of its provisions today. Raises NotFound."""
        program, template = self._program(), self.template(name)
        return template_document(template, checked_sources(program, template, template.grounds))

    def filled(self, name: Name, request: FillRequest) -> FilledDocument:
        """The draft and its Word file as a document. Raises as `prepared`."""
        self._program()
        with self._trail.doing(AuditAction.EXPORTED, name, what="template"):
            made = self.prepared(name, request.data)
            file = file_document(f"{name}.docx", DOCX, _word(made))
            return filled_document(made.template, made.draft, made.counted, made.sources, file)

    def suggested(self, name: str, matter_id: str) -> dict[str, Suggestion]:
        """Values for dates and amounts that the documents of an expediente tell without contradiction.

        Raises:
            NotFound: there is no such template, or the expediente is not open to the person.
        """
        program, template = self._program(), self.template(name)
        documents = program.database.matter_documents.documents(self._identity.id, matter_id)
        self._trail.once(AuditAction.READ, matter_id, what="matter")
        read = [
            (one.title, list(lines_of(program.database.matter_documents.fragments(one.id))))
            for one in documents
            if one.state is DocumentState.READ
        ]
        found = {one.name: _suggested(one, read) for one in template.fields if one.asks}
        return {field: value for field, value in found.items() if value is not None}


def _word(made: Prepared) -> bytes:
    return brief_file(made.draft, made.template, made.sources, made.counted, today_in_spain())


def _suggested(field: TemplateField, read: list[tuple[str, list[Line]]]) -> Suggestion | None:
    """The one value that the documents give; None if there is none, several or a doubtful one."""
    found: dict[object, Suggestion] = {}
    for title, lines in read:
        cell = answering_sentence(field.asks, lines)
        if cell is None:
            continue
        # A whole sentence, two that differ or an unreadable value are doubtful: a person must read them.
        value = parse(cell.answer) if field.kind == "date" else amount(cell.answer)
        if cell.rival or cell.answer == cell.quote or value is None:
            return None
        shown = f"{value:%d/%m/%Y}" if field.kind == "date" else f"{value}".replace(".", ",")
        found.setdefault(value, Suggestion(value=shown, document=title, page=cell.page, quote=cell.quote))
    return next(iter(found.values())) if len(found) == 1 else None
