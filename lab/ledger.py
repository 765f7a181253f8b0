"""Ledger of acknowledged questions and votes, checked against the database at the end."""

import random
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from domain.accounts import LOCAL_USER
from domain.reviews import Vote
from lab.table import Row
from lab.visitor import Visitor
from rag.shared.messages import MessageState
from service.program import assembly

QUESTIONS = (
    "¿Cuántos días de vacaciones me corresponden al año?",
    "¿Qué plazo tengo para reclamar por despido?",
    "¿Cuánto dura el permiso por nacimiento?",
    "¿Puedo reducir mi jornada para cuidar a un hijo?",
    "¿Qué indemnización corresponde por despido objetivo?",
    "¿Cuándo prescriben las faltas graves?",
)
MOST = 1_000_000
CONVERSATION = re.compile(r"(?:^|&)c=([0-9a-f]+)")
VOTE = re.compile(r"vote-(\d+)")


@dataclass
class Ledger:
    """Questions that pages showed, each with its conversation, and ids of the answers voted for.

    Attributes:
        owners: ids of the accounts that ask.
    """

    owners: Sequence[str] = (LOCAL_USER,)
    asked: list[tuple[str, str]] = field(default_factory=list)
    votes: set[int] = field(default_factory=set)

    async def ask(self, page: Visitor, dice: random.Random) -> None:
        """Ask a new question and wait for the end of its answer. Raises Lost."""
        question = f"{dice.choice(QUESTIONS)} ({dice.randrange(10**9)})"
        await page.send_question(question)
        await page.until(lambda: any(question in text for text in page.texts), 30)
        found = CONVERSATION.search(page.query)
        self.asked.append((found[1] if found else "", question))
        await page.until(lambda: page.still, 60)

    async def vote(self, page: Visitor) -> None:
        """Vote for the latest answer of a page. Raises Lost."""
        latest = max(int(found[1]) for key in page.inputs if (found := VOTE.fullmatch(key)))
        await page.vote(f"vote-{latest}", 1)
        self.votes.add(latest)

    def lost(self, program: assembly.App) -> list[str]:
        """Faults of the database, whatever the answers came to."""
        return [f"{row.name}: {row.value}" for row in self.rows(program, list(MessageState)) if not row.met]

    def rows(self, program: assembly.App, ends: Collection[MessageState]) -> list[Row]:
        """Numbers acknowledged, states of answers, and faults of the database; answers may end in `ends`."""
        talks = program.database.conversations
        held = [(owner, one.id) for owner in self.owners for one in talks.conversations(owner, MOST)]
        messages = [(owner, c, m) for owner, c in held for m in talks.messages(owner, c, MOST)]
        told = Counter((c, m.text) for _, c, m in messages if m.role == "user")
        answers = [(owner, m) for owner, _, m in messages if m.role != "user"]
        votes = [program.database.feedback.feedback(o, m.id) for o, m in answers if m.id in self.votes]
        states = Counter(m.state for _, m in answers)
        faults = {
            "questions lost": sum(not told[one] for one in self.asked),
            "questions twice": sum(count > 1 for count in told.values()),
            "votes lost": sum(vote is None or vote.vote is not Vote.UP for vote in votes),
            "answers without a good end": sum(m.state not in ends for _, m in answers),
        }
        return [
            Row("questions acknowledged", len(self.asked), ""),
            Row("votes acknowledged", len(self.votes), ""),
            *(Row(f"answers: {state}", count, "") for state, count in sorted(states.items())),
            *(Row(kind, count, "", 0) for kind, count in faults.items()),
        ]
