"""The corpus as one person may search, read and check it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TypeVar

from domain.accounts import Permission
from domain.audit import AuditAction
from rag.briefs.findings import CitationReport
from rag.types import Block, Norm
from service.contract import articles
from service.contract.articles import (
    ArticleDocument,
    DiffDocument,
    DiffRequest,
    NormDocument,
    NormsDocument,
)
from service.contract.citations import CitationsRequest, citations, text_of
from service.contract.program import Program
from service.contract.search import SearchDocument, SearchRequest, search
from service.contract.tools import ToolDocument, ToolRequest, tool
from service.contract.verification import StoredAnswer, VerificationDocument, verify
from service.members.own import Own
from service.opinions.verification import CertificateDocument, check

Document = TypeVar("Document")


class OwnLaw(Own):
    """See `service.contract`; everybody who may read may use all of it."""

    permission = Permission.READ

    def search(self, request: SearchRequest) -> SearchDocument:
        """See `search.search`."""
        return self._searched(lambda program: search(program, request))

    def tool(self, request: ToolRequest) -> ToolDocument:
        """See `tools.tool`."""
        return self._searched(lambda program: tool(program, request))

    def norms(self, offset: int = 0, limit: int = 100) -> NormsDocument:
        return articles.norms(self._program(), offset, limit)

    def norm(self, norm_id: str) -> NormDocument:
        """Raises NotFound."""
        return articles.norm(self._program(), norm_id)

    def named(self, text: str) -> tuple[Norm, Block]:
        """See `articles.named`."""
        return articles.named(self._program(), text)

    def article(self, reference: str, as_of: date | None = None) -> ArticleDocument:
        """See `articles.article`."""
        return articles.article(self._program(), reference, as_of)

    def article_of(self, norm_id: str, label: str, as_of: date | None = None) -> ArticleDocument:
        """See `articles.article_of`."""
        return articles.article_of(self._program(), norm_id, label, as_of)

    def diff(self, request: DiffRequest) -> DiffDocument:
        """See `articles.diff`."""
        return articles.diff(self._program(), request)

    def verify(self, stored: StoredAnswer) -> VerificationDocument:
        """See `verification.verify`."""
        return verify(self._program(), stored)

    def citations(self, request: CitationsRequest) -> CitationReport:
        """See `citations.citations`; the text of the brief is stored nowhere."""
        program = self._program()
        with self._trail.doing(AuditAction.SEARCHED, "citations", characters=len(request.text)):
            return citations(program, request)

    def brief(self, name: str, contents: bytes) -> str:
        """See `citations.text_of`; the file is removed once it has been read."""
        program = self._program()
        with self._trail.doing(AuditAction.READ, "brief", bytes=len(contents)):
            return text_of(program.settings, name, contents)

    def certificate(self, name: str, contents: bytes, text: str = "") -> CertificateDocument:
        """See `opinions.verification.check`; neither file is kept."""
        program = self._program()
        with self._trail.doing(AuditAction.READ, "certificate", bytes=len(contents)):
            return check(program.home, name, contents, text)

    def _searched(self, made: Callable[[Program], Document]) -> Document:
        program = self._program()
        self._trail.once(AuditAction.SEARCHED, "corpus")
        return made(program)
