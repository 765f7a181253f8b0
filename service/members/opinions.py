"""One's own conversations as work products: the opinion in Word and the certificate of sources."""

from __future__ import annotations

from collections.abc import Collection

from domain.audit import AuditAction
from rag.answers.provenance import provenance
from rag.clock import spanish_day, today_in_spain
from rag.errors import NotFound
from rag.types import Message, MessageState
from service.members.own import Own
from service.opinions.certificate import certificate
from service.opinions.formats import FORMATS, Format
from service.opinions.keys import signing_key
from service.opinions.opinion import Consulted, compose
from storage.people.audit import head_of

MOST_MESSAGES = 10_000
GONE = "Esa respuesta ya no está, o no está terminada: vuelva a abrir la consulta."


class OwnOpinions(Own):
    """See `service.opinions`. Raises besides (all methods): NotFound: no such conversation of theirs."""

    def answers(self, conversation_id: str) -> dict[int, str]:
        """The question of each finished answer by the id of its message, the earliest first."""
        return {number: one.question for number, one in self._consulted(conversation_id).items()}

    def dictamen(self, conversation_id: str, messages: Collection[int], kind: Format = Format.WORD) -> bytes:
        """The file of the answers with those ids; see `opinion.compose` and `formats`.

        Raises:
            InputError: there is no such answer, or there are too many.
        """
        program, found = self._program(), self._consulted(conversation_id)
        chosen = [one for number, one in found.items() if number in messages]
        file = FORMATS[kind].write(compose(chosen, program.corpus, today_in_spain()))
        self._trail.once(
            AuditAction.EXPORTED, conversation_id, what="opinion", answers=len(chosen), format=kind.value
        )
        return file

    def certificate(self, conversation_id: str, message_id: int) -> bytes:
        """The signed certificate of the sources of an answer; see `certificate.certificate`.

        Raises:
            ConfigurationError: the key cannot be used.
        """
        program = self._program()
        one = self._consulted(conversation_id).get(message_id)
        if one is None:
            raise NotFound(GONE)
        key = signing_key(program.home)
        self._trail.record(AuditAction.EXPORTED, message_id, what="certificate")
        [last] = program.audit.log.entries(limit=1)
        trace = program.conversations.trace(self._identity.id, message_id)
        return certificate(
            one,
            program.corpus,
            key,
            made_on=today_in_spain(),
            model=provenance(one.answer, trace).model,
            corpus=program.corpus.fingerprint(),
            audit_head=head_of(last),
        )

    def _consulted(self, conversation_id: str) -> dict[int, Consulted]:
        """Finished answers by the id of their message."""
        found: dict[int, Consulted] = {}
        question = ""
        messages = self._program().conversations.messages(self._identity.id, conversation_id, MOST_MESSAGES)
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
