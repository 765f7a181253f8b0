"""One's own conversations as work products: the opinion in Word and the certificate of sources."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from hashlib import sha256

from core.clock import spanish_day, today_in_spain
from core.errors import ConfigurationError, InputError, NotFound
from domain.accounts import Permission
from domain.audit import AuditAction
from models.metering import metering
from rag.answers.provenance import provenance
from rag.shared.messages import Message, MessageState
from service.contract.files import FileDocument, file_document
from service.contract.program import Name
from service.members.own import Own, costly
from service.opinions import drafting, letterheads
from service.opinions.certificate import certificate
from service.opinions.drafting import Draft
from service.opinions.formats import FORMATS, Format
from service.opinions.keys import signing_key
from service.opinions.opinion import Consulted, asked_of, compose
from service.opinions.placeholders import fill
from service.opinions.request import AnswerEntry, AnswersDocument, OpinionRequest
from service.opinions.template_check import SUFFIX, examined
from storage.people.audit import head_of

MOST_MESSAGES = 10_000
ONLY_WORD = "Las plantillas del despacho son de Word: pida el dictamen en «docx» o quite la plantilla."
NO_MODEL = "No hay ningún modelo configurado: el dictamen se compone sin él."
GONE = "Esa respuesta ya no está, o no está terminada: vuelva a abrir la consulta."


class OwnOpinions(Own):
    """See `service.opinions`. Raises besides (all methods): NotFound: no such conversation of theirs."""

    def answers(self, conversation_id: str) -> dict[int, str]:
        """The question of each finished answer by the id of its message, the earliest first."""
        return {number: one.question for number, one in self._consulted(conversation_id).items()}

    @costly
    def dictamen(
        self,
        conversation_id: str,
        messages: Collection[int],
        kind: Format = Format.WORD,
        template: str = "",
        draft: Draft | None = None,
    ) -> bytes:
        """The file of the answers with those ids; see `opinion.compose` and `formats`.

        Args:
            template: name of one of the firm, for Word alone; '' for none.
            draft: of `draft`, of the same answers.

        Raises:
            InputError: no answer is chosen, or too many are.
            NotFound: one of them is not there, or not finished.
        """
        program, found = self._program(), self._chosen(conversation_id, messages)
        chosen = list(found.values())
        seals = [sha256(self._certified(number, one)).hexdigest() for number, one in found.items()]
        opinion = compose(chosen, program.database.corpus, today_in_spain(), seals, draft)
        if template and kind is Format.WORD:
            file = fill(letterheads.content(program.home, template), opinion)
            # Once more as it is written out: a template may have been put there by hand.
            examined(f"{template}{SUFFIX}", file)
        else:
            file = FORMATS[kind].write(opinion)
        self._trail.once(
            AuditAction.EXPORTED, conversation_id, what="opinion", answers=len(chosen), format=kind.value
        )
        return file

    def listed(self, conversation_id: Name) -> AnswersDocument:
        """Parts that an opinion of a conversation can be made of."""
        entries = (
            AnswerEntry(id=number, question=one) for number, one in self.answers(conversation_id).items()
        )
        return AnswersDocument(
            conversation=conversation_id, answers=tuple(entries), letterheads=tuple(self.letterheads())
        )

    def document(self, request: OpinionRequest) -> FileDocument:
        """The opinion that a program asks for; see `dictamen`.

        Raises:
            InputError: as `dictamen`; there is no model to draft, or the format takes no template.
            QuotaExceeded: the day's quota is used up.
        """
        if request.letterhead and request.format is not Format.WORD:
            raise InputError(ONLY_WORD)
        if request.draft and self._program().services.principal is None:
            raise InputError(NO_MODEL)
        conversation = request.conversation
        chosen = request.answers or tuple(self._consulted(conversation))
        draft = self.draft(conversation, chosen) if request.draft else None
        data = self.dictamen(conversation, chosen, request.format, request.letterhead, draft)
        return file_document(f"dictamen.{request.format.value}", FORMATS[request.format].media, data)

    def draft(self, conversation_id: str, messages: Collection[int]) -> Draft:
        """The checked draft of a model for an opinion of those answers; see `drafting.draft`.

        It counts as a question.

        Raises:
            ConfigurationError: there is no model.
            QuotaExceeded: the day's quota is used up.
        """
        program, owner = self._program(), self._identity.id
        chosen = list(self._chosen(conversation_id, messages).values())
        model = program.services.principal
        if model is None:
            raise ConfigurationError(NO_MODEL)
        program.database.usage.count(owner)
        self._trail.record(AuditAction.ASKED, conversation_id, what="opinion", answers=len(chosen))
        with metering(owner, program.usage.spend):
            services = program.services
            return asyncio.run(drafting.draft(asked_of(chosen), model, services.prompts, services.reader))

    def certificate(self, conversation_id: str, message_id: int) -> bytes:
        """The signed certificate of the sources of an answer; see `certificate.certificate`.

        Made when it is asked for first, or when an export names it, and the same ever after.

        Raises:
            ConfigurationError: the key cannot be used.
        """
        one = self._consulted(conversation_id).get(message_id)
        if one is None:
            raise NotFound(GONE)
        content = self._certified(message_id, one)
        self._trail.record(AuditAction.EXPORTED, message_id, what="certificate")
        return content

    def sealed(self, message_id: int) -> str:
        """The SHA-256 of the certificate of an answer, for an export to name it.

        Raises:
            ConfigurationError: the key cannot be used.
        """
        question, message = self._program().database.conversations.exchange(self._identity.id, message_id)
        one = _consulted(question.text, message)
        if one is None:
            raise NotFound(GONE)
        return sha256(self._certified(message_id, one)).hexdigest()

    def letterheads(self) -> list[str]:
        """The names of the templates of the firm."""
        return letterheads.names(self._program().home)

    def _certified(self, message_id: int, one: Consulted) -> bytes:
        program, owner = self._program(), self._identity.id
        if (kept := program.database.certificates.kept(owner, message_id)) is not None:
            return kept
        last = next(iter(program.audit.log.entries(limit=1)), None)
        made = certificate(
            one,
            program.database.corpus,
            signing_key(program.home),
            made_on=today_in_spain(),
            model=provenance(one.answer, program.database.conversations.trace(owner, message_id)).model,
            corpus=program.database.corpus.fingerprint(),
            audit_head=head_of(last) if last else "",
        )
        return program.database.certificates.keep(owner, message_id, made)

    def _chosen(self, conversation_id: str, messages: Collection[int]) -> dict[int, Consulted]:
        """Those of the finished answers. Raises NotFound: one of them is not there."""
        found = self._consulted(conversation_id)
        if set(messages) - found.keys():
            raise NotFound(GONE)
        return {number: one for number, one in found.items() if number in messages}

    def _consulted(self, conversation_id: str) -> dict[int, Consulted]:
        """Finished answers by the id of their message."""
        found: dict[int, Consulted] = {}
        question = ""
        messages = self._program().database.conversations.messages(
            self._identity.id, conversation_id, MOST_MESSAGES
        )
        for message in messages:
            if message.role == "user":
                question = message.text
            elif (one := _consulted(question, message)) is not None:
                found[message.id] = one
        return found


def _consulted(question: str, message: Message) -> Consulted | None:
    if message.answer is None or message.state is not MessageState.COMPLETE:
        return None
    asked_on = spanish_day(message.created_at)
    as_of = message.answer.as_of or message.as_of or asked_on
    return Consulted(question=question, answer=message.answer, as_of=as_of, asked_on=asked_on)


class OwnLetterheads(Own):
    """Word templates of the firm, which all opinions may use; see `service.opinions.letterheads`."""

    permission = Permission.ACCOUNTS

    def names(self) -> list[str]:
        return letterheads.names(self._program().home)

    def content(self, name: str) -> bytes:
        return letterheads.content(self._program().home, name)

    def add(self, name: str, contents: bytes) -> str:
        program = self._program()
        stem = letterheads.add(program.home, program.settings, name, contents)
        self._trail.record(AuditAction.CHANGED, stem, what="letterhead")
        return stem

    def remove(self, name: str) -> None:
        program = self._program()
        with self._trail.doing(AuditAction.DELETED, name, what="letterhead"):
            letterheads.remove(program.home, name)
