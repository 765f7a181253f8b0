"""Templates of briefs as one person may use them; the values given are neither stored nor logged."""

from __future__ import annotations

from collections.abc import Mapping

from casework.templates.fill import fill, given
from casework.templates.template_types import Draft, Template, Templates
from core.clock import today_in_spain
from core.errors import NotFound
from core.values import Value
from domain.accounts import Permission
from domain.audit import AuditAction
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
from service.contract.templates import CheckedReference, Counted, checked_sources, count_term
from service.members.own import Own
from service.opinions.brief_file import brief_file

NO_TEMPLATE = "No existe ese modelo."


class Prepared(Value):
    """A draft with what goes with it."""

    template: Template
    draft: Draft
    counted: Counted
    sources: tuple[CheckedReference, ...]


class OwnTemplates(Own):
    """Templates of the installation."""

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
        return Prepared(
            template=template,
            draft=fill(template, facts),
            counted=count_term(template, facts, program.facts()),
            sources=checked_sources(program, template),
        )

    def word(self, name: str, values: Mapping[str, object]) -> bytes:
        """The same draft as a Word file. Raises as `prepared`."""
        self._program()
        with self._trail.doing(AuditAction.EXPORTED, name, what="template"):
            return _word(self.prepared(name, values))

    def listed(self) -> TemplatesDocument:
        """The templates as a document."""
        return templates_document(self.templates().known.values())

    def described(self, name: Name) -> TemplateDocument:
        """A template with its data and the state of its provisions today. Raises NotFound."""
        program, template = self._program(), self.template(name)
        return template_document(template, checked_sources(program, template))

    def filled(self, name: Name, request: FillRequest) -> FilledDocument:
        """The draft and its Word file as a document. Raises as `prepared`."""
        self._program()
        with self._trail.doing(AuditAction.EXPORTED, name, what="template"):
            made = self.prepared(name, request.data)
            file = file_document(f"{name}.docx", DOCX, _word(made))
            return filled_document(made.template, made.draft, made.counted, made.sources, file)


def _word(made: Prepared) -> bytes:
    return brief_file(made.draft, made.template, made.sources, made.counted, today_in_spain())
