"""The ledger of acknowledged questions and votes, checked against the database at the end."""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field

from benchmarks.table import Row
from benchmarks.visitor import Visitor
from domain.accounts import LOCAL_USER
from domain.reviews import Vote
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
    """Questions, votes and deletions that pages acknowledged.

    Attributes:
        asked: account to the questions shown on its pages, each with its conversation.
        votes: ids of the answers that were voted for.
        deleted: ids of conversations.
    """

    asked: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    votes: set[int] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)

    async def ask(self, page: Visitor, dice: random.Random, account: str = LOCAL_USER) -> str:
        """Ask a new question and wait for the end of its answer; the conversation's id.

        Raises:
            Lost: the page ended or did not answer.
        """
        question = f"{dice.choice(QUESTIONS)} ({dice.randrange(10**9)})"
        await page.send_question(question)
        await page.until(lambda: any(question in text for text in page.texts), 30)
        found = CONVERSATION.search(page.query)
        conversation = found[1] if found else ""
        self.asked[account].append((conversation, question))
        await page.until(lambda: page.still, 60)
        return conversation

    async def vote(self, page: Visitor) -> None:
        """Vote for the latest answer of a page. Raises Lost."""
        latest = max(int(found[1]) for key in page.inputs if (found := VOTE.fullmatch(key)))
        await page.vote(f"vote-{latest}", 1)
        self.votes.add(latest)

    def rows(self, program: assembly.App, ends: Collection[MessageState]) -> list[Row]:
        """Numbers acknowledged, states of answers, and faults of the database; answers may end in `ends`."""
        faults: Counter[str] = Counter()
        states: Counter[MessageState] = Counter()
        for account, asked in self.asked.items():
            held = [one.id for one in program.database.conversations.conversations(account, MOST)]
            messages = [
                (c, m) for c in held for m in program.database.conversations.messages(account, c, MOST)
            ]
            told = Counter((c, m.text) for c, m in messages if m.role == "user")
            answers = [m for _, m in messages if m.role != "user"]
            states.update(m.state for m in answers)
            votes = [program.database.feedback.feedback(account, m.id) for m in answers if m.id in self.votes]
            faults["questions lost"] += sum(not told[one] for one in asked if one[0] not in self.deleted)
            faults["questions twice"] += sum(count > 1 for count in told.values())
            faults["votes lost"] += sum(vote is None or vote.vote is not Vote.UP for vote in votes)
            faults["deleted, still there"] += len(self.deleted.intersection(held))
            faults["answers without a good end"] += sum(m.state not in ends for m in answers)
        questions = [one for asked in self.asked.values() for one in asked]
        return [
            Row("questions acknowledged", len(questions), "", 1, at_least=True),
            Row("  in conversations", len({conversation for conversation, _ in questions}), ""),
            Row("  of them deleted", len(self.deleted), ""),
            Row("votes acknowledged", len(self.votes), ""),
            *(Row(f"answers: {state}", count, "") for state, count in sorted(states.items())),
            *(Row(kind, count, "", 0) for kind, count in faults.items()),
        ]
