"""The program in this process, with the operations of the clients."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Self

from articulado.operations import Day, Json
from core.errors import InputError
from core.progress import OnProgress, unheard
from core.values import Value
from domain.accounts import LOCAL
from domain.audit import AuditAction
from models.metering import metering
from rag.run.consult import consult
from rag.run.runs import askable
from rag.shared.cited_answer import AnswerLength
from rag.shared.messages import MessageState
from service.config import chosen
from service.contract import articles, citations, evaluations, search, tools, verification
from service.contract.answers import NEW, AnswerDocument, AskRequest, answer_document
from service.contract.news import news_document
from service.contract.program import dumped, request
from service.contract.template_documents import FillRequest
from service.members.member import Member
from service.opinions.request import OpinionRequest
from service.opinions.verification import NAME, CertificateRequest, check
from service.program.assembly import App, build

DOOR = "python"
EMPTY_CORPUS = "El corpus está vacío: se carga el corpus de demostración (resúmenes no oficiales)."


class Articulado:
    """The engine as a library: `Articulado(home).ask("…")`; closed with `with`.

    It holds the index of its home, which no other process may have open. An empty home gets the demo corpus.

    Raises (all methods): ArticuladoError and its kinds, whose text is one Spanish sentence.
    """

    def __init__(self, home: Path | str | None = None, **settings: Any) -> None:
        """Wire the program on a home; None: that of the settings.

        Args:
            settings: any of `service.config.Settings`, before those of environment and `.env`.

        Raises:
            ConfigurationError, StorageError: a setting or the database cannot be used.
        """
        folder = {} if home is None else {"articulado_home": Path(home)}
        self._wire(build(chosen(**folder, **settings)), DOOR, logging.getLogger(__name__).warning)

    @classmethod
    def over(cls, program: App, door: str, notice: Callable[[str], object]) -> Self:
        """One over a program that is wired already; `notice` is told when the demo corpus is loaded."""
        made = cls.__new__(cls)
        made._wire(program, door, notice)
        return made

    def _wire(self, program: App, door: str, notice: Callable[[str], object]) -> None:
        self.program = program
        self._door = door
        self._notice = notice
        self._member = Member(program, LOCAL, door=door)

    def search(
        self,
        query: str,
        *,
        mode: str = "hybrid",
        limit: int = 10,
        collection: str | None = None,
        as_of: Day = None,
    ) -> Json:
        """See `service.contract.search.search`."""
        given = {"query": query, "mode": mode, "limit": limit, "collection": collection, "as_of": as_of}
        with self._doing(AuditAction.SEARCHED, "search"):
            return dumped(search.search(self._filled(), request(search.SearchRequest, **given)))

    def ask(
        self, question: str, *, as_of: Day = None, agent: bool = False, conversation: str | None = None
    ) -> Json:
        """An answer with its verified citations; `conversation` is the id of one, or 'new'."""
        with self._doing(AuditAction.ASKED, "ask", conversation or ""):
            question = askable(question)
            given = {"as_of": as_of, "agent": agent, "conversation": conversation}
            asked, program = request(AskRequest, question=question, **given), self._filled()
            if asked.conversation:
                return dumped(self._kept(asked, asked.conversation))
            toolbox, length = program.toolbox if agent else None, self._length()
            services, day = program.services, asked.as_of
            done = asyncio.run(consult(question, services, as_of=day, toolbox=toolbox, length=length))
            return dumped(answer_document(done.answer, done.trace))

    def _kept(self, asked: AskRequest, conversation: str) -> AnswerDocument:
        kept, owner = self.program.database.conversations, LOCAL.id
        if conversation == NEW:
            conversation = kept.create(owner, asked.question).id
        start, length = self.program.runs.start, self._length()
        current = start(owner, conversation, asked.question, asked.as_of, agent=asked.agent, length=length)
        current.done.wait()
        if current.state is not MessageState.COMPLETE or current.answer is None or current.trace is None:
            raise InputError(current.text or "La respuesta no se completó.")
        return answer_document(current.answer, current.trace, conversation)

    def _length(self) -> AnswerLength:
        """How much an answer is to say, as the owner of the home has chosen."""
        return self.program.database.preferences.read(LOCAL.id).length

    def norms(self, offset: int = 0, limit: int = 100) -> Json:
        """See `service.contract.articles.norms`."""
        return dumped(articles.norms(self._filled(), offset, limit))

    def norm(self, norm_id: str) -> Json:
        """See `service.contract.articles.norm`."""
        return dumped(articles.norm(self._filled(), norm_id))

    def article(self, reference: str, as_of: Day = None) -> Json:
        """See `service.contract.articles.article`."""
        return dumped(articles.article(self._filled(), reference, _on(as_of)))

    def article_of(self, norm_id: str, label: str, as_of: Day = None) -> Json:
        """See `service.contract.articles.article_of`."""
        return dumped(articles.article_of(self._filled(), norm_id, label, _on(as_of)))

    def diff(self, article: str, since: Day = None, until: Day = None) -> Json:
        """See `service.contract.articles.diff`."""
        days = {"from": since, "to": until}
        return dumped(articles.diff(self._filled(), request(articles.DiffRequest, article=article, **days)))

    def news(self, limit: int = 100, *, unread: bool = False) -> Json:
        """See `service.contract.news`."""
        program = self._filled()
        program.database.news.match(datetime.now(UTC))
        return dumped(news_document(program.database.news.news(LOCAL.id, limit, unread=unread)))

    def verify(self, answer: Mapping[str, Any]) -> Json:
        """See `service.contract.verification.verify`; `answer` is a document of `ask`."""
        stored = request(verification.StoredAnswer, **answer)
        return dumped(verification.verify(self._filled(), stored))

    def citations(self, text: str, as_of: Day = None) -> Json:
        """See `service.contract.citations.citations`."""
        given = request(citations.CitationsRequest, text=text, as_of=as_of)
        with self._doing(AuditAction.SEARCHED, "citations"):
            return dumped(citations.citations(self._filled(), given))

    def certificate(self, certificate: str, text: str = "") -> Json:
        """See `service.opinions.verification.check`."""
        given = request(CertificateRequest, certificate=certificate, text=text)
        with self._doing(AuditAction.READ, "certificate"):
            return dumped(check(self.program.home, NAME, given.content, given.text))

    def tool(self, calls: str, *, question: str = "", as_of: Day = None) -> Json:
        """See `service.contract.tools.tool`."""
        asked = request(tools.ToolRequest, calls=calls, question=question, as_of=as_of)
        with self._doing(AuditAction.SEARCHED, "tool"):
            return dumped(tools.tool(self._filled(), asked))

    def answers(self, conversation: str) -> Json:
        """See `service.opinions.request.AnswersDocument`."""
        return dumped(self._member.opinions.listed(conversation))

    def opinion(
        self,
        conversation: str,
        answers: Sequence[int] = (),
        *,
        format: str = "docx",
        letterhead: str = "",
        draft: bool = False,
    ) -> Json:
        """An opinion as a file, see `service.opinions.request.OpinionRequest`; `content` is base64."""
        given = {"conversation": conversation, "answers": tuple(answers), "format": format}
        asked = request(OpinionRequest, **given, letterhead=letterhead, draft=draft)
        return dumped(self._member.opinions.document(asked))

    def templates(self) -> Json:
        """See `service.contract.template_documents`."""
        return dumped(self._member.templates.listed())

    def template(self, name: str) -> Json:
        """See `service.contract.template_documents.TemplateDocument`."""
        self._filled()
        return dumped(self._member.templates.described(name))

    def fill(self, name: str, data: Mapping[str, Any]) -> Json:
        """See `service.contract.template_documents.FilledDocument`."""
        self._filled()
        return dumped(self._member.templates.filled(name, request(FillRequest, data=data).data))

    def evaluate(
        self,
        cases: Sequence[Mapping[str, Any]],
        *,
        aids: str = "all",
        name: str = "api",
        sha256: str = "",
        save: bool = False,
        tell: OnProgress | None = None,
    ) -> Json:
        """The figures of questions with known answers; see `service.contract.evaluations.EvaluateRequest`."""
        given = {"cases": cases, "aids": aids, "name": name, "sha256": sha256, "save": save}
        asked, tell = request(evaluations.EvaluateRequest, **given), tell or unheard
        with self._doing(AuditAction.EVALUATED, "evaluate"):
            program = self._filled()
            if not save:
                return evaluations.measure(program, asked.dataset, asked.aids, tell)
            runner = program.evaluations
            return evaluations.followed(runner, runner.start(LOCAL.id, asked.dataset, asked.aids), tell)

    def reindex(self, *, tell: OnProgress | None = None) -> Json:
        """The counts of an index rebuilt from the database."""
        with self._doing(AuditAction.CHANGED, "reindex"):
            return dumped(self.program.keeper.reindex(on_progress=tell or unheard))

    def health(self) -> Json:
        """Readiness of each thing that an answer needs, by name."""
        program = self._filled()
        _ = program.services  # which opens the index
        return {**program.readiness.state()}

    def _filled(self) -> App:
        """The program, with the demo corpus if it had none."""
        if not self.program.database.corpus.norms():
            self._notice(EMPTY_CORPUS)
            self.program.load_demo()
        return self.program

    @contextmanager
    def _doing(self, action: AuditAction, command: str, target: str = "") -> Iterator[None]:
        """Record an act before it begins, and its use of models. Raises StorageError: it cannot be."""
        self.program.audit.by(LOCAL, self._door).record(action, target, command=command)
        with metering(LOCAL.id, self.program.usage.spend):
            yield

    def close(self) -> None:
        """Stop what is under way and let go of index and database."""
        self.program.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _OnDay(Value):
    as_of: date | None


def _on(day: Day) -> date | None:
    return request(_OnDay, as_of=day).as_of
