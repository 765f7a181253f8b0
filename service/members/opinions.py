"""One's own conversations as work products: the opinion in Word and the certificate of sources."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from hashlib import sha256

from core.clock import spanish_day, today_in_spain
from core.errors import ConfigurationError, InputError, NotFound
from domain.accounts import Permission
from domain.audit import AuditAction
from law import dates
from loading.formats.encoding import one_line
from models.metering import metering
from rag.answers.provenance import provenance
from rag.shared.messages import Message, MessageState
from service.contract.files import FileDocument, file_document
from service.contract.program import Name
from service.members.facts import OwnFacts
from service.members.own import Own, costly
from service.opinions import drafting, letterheads
from service.opinions.background import Case, with_facts
from service.opinions.certificate import certificate
from service.opinions.drafting import Draft
from service.opinions.formats import FORMATS, Format
from service.opinions.grounds import Consulted
from service.opinions.keys import signing_key
from service.opinions.opinion import asked_of, compose
from service.opinions.placeholders import fill
from service.opinions.request import AnswerEntry, AnswersDocument, OpinionRequest
from service.opinions.template_check import SUFFIX, examined
from storage.people.audit import head_of
from text.textnorm import visible

MOST_MESSAGES = 10_000
ONLY_WORD = "Las plantillas del despacho son de Word: pida el dictamen en «docx» o quite la plantilla."
NO_MODEL = "No hay ningún modelo configurado: el dictamen se compone sin él."
NO_NAME = "Escriba el nombre de quien firma el dictamen."
LONGEST_NAME = 120
GONE = "Esa respuesta ya no está, o no está terminada: vuelva a abrir la consulta."


class OwnOpinions(Own):
    """See `service.opinions`. Raises besides (all methods): NotFound: no such conversation of theirs."""

    def answers(self, conversation_id: str) -> dict[int, Consulted]:
        """Each finished answer with its question by the id of its message, the earliest first."""
        return self._consulted(conversation_id)

    @costly
    def dictamen(
        self,
        conversation_id: str,
        messages: Collection[int],
        kind: Format = Format.WORD,
        template: str = "",
        draft: Draft | None = None,
        *,
        accepted: Collection[int] = (),
        signer: str | None = None,
    ) -> bytes:
        """The file of the answers with those ids; see `opinion.compose` and `formats`.

        A signed one is recorded with its SHA-256, by which the log tells who signed this very file and when.

        Args:
            template: name of one of the firm, for Word alone; '' for none.
            draft: of `draft`, of the same answers.
            accepted: ids of the answers that the person takes for the conclusions.
            signer: the person's name, which counts in the personal mode alone: an account has its own. None
                for a draft.

        Raises:
            InputError: no answer is chosen, or too many are; it is signed without a name or a conclusion.
            NotFound: one of them is not there, or not finished.
        """
        program, found = self._program(), self._chosen(conversation_id, messages, accepted)
        chosen = list(found.values())
        name = "" if signer is None else self.signer(signer)
        seals = [sha256(self._certified(number, one)).hexdigest() for number, one in found.items()]
        opinion = compose(
            chosen,
            program.database.corpus,
            today_in_spain(),
            seals=seals,
            draft=draft,
            case=self._case(conversation_id),
            signer=name,
        )
        if template and kind is Format.WORD:
            file = fill(letterheads.content(program.home, template), opinion)
            # Once more as it is written out: a template may have been put there by hand.
            examined(f"{template}{SUFFIX}", file)
        else:
            file = FORMATS[kind].write(opinion)
        told = {"answers": len(chosen), "format": kind.value}
        if name:
            told |= {"what": "signed opinion", "hash": sha256(file).hexdigest()}
            self._trail.record(AuditAction.EXPORTED, conversation_id, **told)
        else:
            self._trail.once(AuditAction.EXPORTED, conversation_id, what="opinion", **told)
        return file

    def signer(self, name: str = "") -> str:
        """The name that the person signs with; of an account its own, whatever is given.

        Raises:
            Forbidden: they may not sign, or a program asks in their name.
            InputError: nobody is named.
        """
        program = self._allow(Permission.SIGN)
        own = self._identity.name if program.accounts.mode != "personal" else visible(name)
        if not (told := one_line(own)[:LONGEST_NAME]):
            raise InputError(NO_NAME)
        return told

    def _case(self, conversation_id: str) -> Case | None:
        """The expediente of a conversation with the facts that its papers tell."""
        database, owner = self._program().database, self._identity.id
        matter_id = database.conversations.conversation(owner, conversation_id).matter_id
        if matter_id is None:
            return None
        return Case(
            name=database.matters.matter(owner, matter_id).name,
            papers={one.title: one.name for one in database.matter_documents.documents(owner, matter_id)},
            sheet=OwnFacts(self._allow, self._identity, self._trail).sheet(matter_id),
        )

    def listed(self, conversation_id: Name) -> AnswersDocument:
        """Parts that an opinion of a conversation can be made of."""
        entries = (
            AnswerEntry(id=number, question=one.question)
            for number, one in self.answers(conversation_id).items()
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
        accepted, kind = request.conclusions, request.format
        draft = self.draft(conversation, chosen, accepted) if request.draft else None
        data = self.dictamen(conversation, chosen, kind, request.letterhead, draft, accepted=accepted)
        return file_document(f"dictamen.{kind.value}", FORMATS[kind].media, data)

    def draft(self, conversation_id: str, messages: Collection[int], accepted: Collection[int] = ()) -> Draft:
        """The checked draft of a model for an opinion of those answers; see `drafting.draft`.

        It counts as a question.

        Raises:
            ConfigurationError: there is no model.
            QuotaExceeded: the day's quota is used up.
        """
        program, owner = self._program(), self._identity.id
        chosen = list(self._chosen(conversation_id, messages, accepted).values())
        model = program.services.principal
        if model is None:
            raise ConfigurationError(NO_MODEL)
        program.database.usage.count(owner)
        self._trail.record(AuditAction.ASKED, conversation_id, what="opinion", answers=len(chosen))
        with metering(owner, program.usage.spend):
            services = program.services
            asked = with_facts(asked_of(chosen), self._case(conversation_id))
            return asyncio.run(drafting.draft(asked, model, services.prompts, services.reader))

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

    def _chosen(
        self, conversation_id: str, messages: Collection[int], accepted: Collection[int]
    ) -> dict[int, Consulted]:
        """Those of the finished answers. Raises NotFound: one of them is not there."""
        found = self._consulted(conversation_id)
        if set(messages) - found.keys() or set(accepted) - set(messages):
            raise NotFound(GONE)
        return {
            number: one.model_copy(update={"accepted": number in accepted})
            for number, one in found.items()
            if number in messages
        }

    def _consulted(self, conversation_id: str) -> dict[int, Consulted]:
        """Finished answers by the id of their message, with who found them right."""
        found: dict[int, Consulted] = {}
        question = ""
        program, owner = self._program(), self._identity.id
        messages = program.database.conversations.messages(owner, conversation_id, MOST_MESSAGES)
        right = program.database.reviews.found_right(owner, conversation_id)
        names = program.accounts.names() if program.accounts.mode != "personal" else {}
        for message in messages:
            if message.role == "user":
                question = message.text
            elif (one := _consulted(question, message)) is not None:
                if (verdict := right.get(message.id)) is not None and (name := names.get(verdict.reviewer)):
                    by = f"{name} el {dates.spelled(spanish_day(verdict.created_at))}"
                    one = one.model_copy(update={"reviewed": by})
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
