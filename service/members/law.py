"""The corpus as one person may search, read and check it."""

from casework.briefs.findings import CitationReport
from casework.briefs.ruling_state import Paper, likely
from casework.matters.paper_reading import as_paper
from core.progress import OnProgress, unheard
from domain.accounts import Permission
from domain.audit import AuditAction
from service.contract import articles, tools, verification
from service.contract import search as searches
from service.contract.citations import (
    CitationsRequest,
    CommentedDocument,
    CommentedRequest,
    citations,
    commented,
    in_margin,
    text_of,
)
from service.contract.files import FileDocument
from service.members.matters import OwnPapers
from service.members.own import Own, costly, made_by
from service.opinions.verification import NAME, CertificateDocument, CertificateRequest, check


class OwnLaw(Own):
    """See `service.contract`; everybody who may read may use all of it."""

    permission = Permission.READ

    search = made_by(searches.search, "corpus")
    tool = costly(made_by(tools.tool, "corpus"))
    norms = made_by(articles.norms)
    norm = made_by(articles.norm)
    named = made_by(articles.named)
    article = made_by(articles.article)
    article_of = made_by(articles.article_of)
    diff = made_by(articles.diff)
    verify = costly(made_by(verification.verify))

    @costly
    def citations(self, request: CitationsRequest, tell: OnProgress = unheard) -> CitationReport:
        """See `citations.citations`; the text of the brief is stored nowhere."""
        program, papers = self._program(), self._papers(request.matter)
        with self._trail.doing(AuditAction.SEARCHED, "citations", characters=len(request.text)):
            return citations(program, request, tell, papers)

    def _papers(self, matter: str) -> list[Paper]:
        """The papers of an expediente that is open to the person, who needs what its own doors need."""
        if not matter:
            return []
        stored = self._allow(OwnPapers.permission).database.matter_documents
        found = stored.documents(self._identity.id, matter)
        self._trail.once(AuditAction.READ, matter, what="matter")
        return likely(as_paper(f"{one.title}, «{one.name}»", stored.fragments(one.id)) for one in found)

    def brief(self, name: str, contents: bytes) -> str:
        """See `citations.text_of`; the file is removed once it has been read."""
        program = self._program()
        with self._trail.doing(AuditAction.READ, "brief", bytes=len(contents)):
            return text_of(program.settings, name, contents)

    def in_margin(self, name: str, contents: bytes, report: CitationReport) -> FileDocument:
        """See `citations.in_margin`; neither file is kept."""
        program = self._program()
        with self._trail.doing(AuditAction.READ, "brief", bytes=len(contents)):
            return in_margin(program.settings, name, contents, report)

    @costly
    def commented(self, request: CommentedRequest, tell: OnProgress = unheard) -> CommentedDocument:
        """See `citations.commented`; neither file is kept."""
        program, contents = self._program(), request.data
        with self._trail.doing(AuditAction.EXPORTED, "citations", bytes=len(contents)):
            return commented(program, program.settings, request, tell, self._papers(request.matter))

    @costly
    def given_certificate(self, request: CertificateRequest) -> CertificateDocument:
        """The same of a certificate that comes as text."""
        return self.certificate(NAME, request.content, request.text)

    def certificate(self, name: str, contents: bytes, text: str = "") -> CertificateDocument:
        """See `opinions.verification.check`; neither file is kept."""
        program = self._program()
        with self._trail.doing(AuditAction.READ, "certificate", bytes=len(contents)):
            return check(program.home, name, contents, text)
