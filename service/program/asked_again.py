"""Watched questions asked again after a change of the law, and how their citations differ."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from domain.alerts import CitedWording, Difference, DueQuestion
from law.events import LawEvent
from models.metering import Spend, metering
from rag.run.consult import consult
from rag.run.conversation_store import ConversationStore
from rag.shared.cited_answer import Answer
from rag.shared.state import Services
from service.program.matters import Matters


class Answering(Protocol):
    """Answerer of questions: the part of `service.program.assembly.App` that is used here."""

    papers: Matters

    @property
    def conversations(self) -> ConversationStore: ...

    @property
    def services(self) -> Services:
        """Raises IndexUnavailable."""
        ...


def ask_again(program: Answering, spend: Spend, due: DueQuestion) -> Answer:
    """The answer that a question would get now in its conversation; it is stored and shown nowhere.

    `spend` is told what a model takes for it, as its owner's. Raises as `rag.run.consult.consult`.
    """
    before = program.services.profile.history_answer_messages
    history = program.conversations.history(due.owner, due.conversation_id, due.message_id, before)
    papers = program.papers.papers(due.owner, due.conversation_id)
    with metering(due.owner, spend):
        found = asyncio.run(
            consult(due.question, program.services, as_of=due.as_of, history=history, papers=papers)
        )
    return found.answer


def differences(
    before: Sequence[CitedWording], now: Sequence[CitedWording], events: Iterable[tuple[int, LawEvent]]
) -> Mapping[int, Difference]:
    """How citations differ, by the event that the difference follows from, the first that fits.

    What differs in an article that no event is about is not told: a model may cite otherwise each time, and
    that is no change of the law.
    """
    known = list(events)
    was, is_now = ({(one.norm_id, one.block_id): one for one in cited} for cited in (before, now))
    differ = {place: Difference.ADDED for place in is_now.keys() - was.keys()}
    differ |= {place: Difference.DROPPED for place in was.keys() - is_now.keys()}
    differ |= {
        place: Difference.REWORDED
        for place in was.keys() & is_now.keys()
        if _reworded(was[place], is_now[place])
    }
    found: dict[int, Difference] = {}
    for (norm_id, block_id), difference in sorted(differ.items()):
        about = (
            event_id
            for event_id, event in known
            if event.norm_id == norm_id and (not event.block_id or block_id in (event.block_id, event.cited))
        )
        event_id = next(about, None)
        if event_id is not None:
            found.setdefault(event_id, difference)
    return found


def _reworded(before: CitedWording, now: CitedWording) -> bool:
    """True if they are not the same text; one that is only named has no hash to compare."""
    other_text = bool(before.sha256 and now.sha256) and before.sha256 != now.sha256
    return other_text or before.since != now.since
