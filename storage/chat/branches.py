"""Branches of a conversation: questions that follow the same one are versions of each other.

A question that does not say what it follows, as before there were versions, follows the one before it.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

from sqlalchemy import select
from sqlalchemy.orm import Session

from storage.tables.conversations import ConversationRow, MessageRow

USER = "user"
NONE = 0
"""The message before the first question of a branch: there is none."""


class Branches:
    """The questions of a conversation as they follow each other. All numbers are ids of questions."""

    def __init__(self, shown: int | None, found: Sequence[tuple[int, int | None]]) -> None:
        """Wire it.

        Args:
            shown: `ConversationRow.shown`.
            found: each question with what it follows, as stored, by their ids.
        """
        before = chain((NONE,), (one for one, _ in found))
        self._follows: Mapping[int, int] = {
            one: last if follows is None else follows
            for (one, follows), last in zip(found, before, strict=False)
        }
        self._last = shown if shown in self._follows else max(self._follows, default=NONE)
        self._versions: dict[int, list[int]] = {}
        for one, follows in self._follows.items():
            self._versions.setdefault(follows, []).append(one)

    @property
    def last(self) -> int:
        """The last question of the branch that is shown; NONE before the first one."""
        return self._last

    def __contains__(self, question: int) -> bool:
        return question in self._follows

    def shown(self) -> list[int]:
        """The branch that is shown, oldest first."""
        return self._up_to(self._last)

    def before(self, message: int) -> list[int]:
        """Messages before a question, oldest first; before any other message, the branch that is shown."""
        if message in self:
            return self._up_to(self._follows[message])
        return [one for one in self.shown() if one < message]

    def follows(self, question: int) -> int:
        """The question that it follows, or NONE."""
        return self._follows[question]

    def versions(self, question: int) -> tuple[int, ...]:
        """All versions of a question, oldest first; () when it is the only one."""
        found = self._versions[self._follows[question]] if question in self else ()
        return tuple(found) if len(found) > 1 else ()

    def newest_after(self, question: int) -> int:
        """The newest question of the branches with this one: itself when none follows it."""
        after = {question}
        for one, follows in self._follows.items():
            if follows in after:
                after.add(one)
        return max(after)

    def _up_to(self, question: int) -> list[int]:
        branch: list[int] = []
        # What comes later cannot be followed: a damaged copy must not lead in circles.
        while question in self._follows and (not branch or question < branch[-1]):
            branch.append(question)
            question = self._follows[question]
        return branch[::-1]


def branches_of(session: Session, conversation: ConversationRow) -> Branches:
    """Those of a conversation."""
    return all_branches(session, [conversation])[conversation.id]


def all_branches(session: Session, conversations: Sequence[ConversationRow]) -> dict[str, Branches]:
    """Those of several conversations by id, read at once."""
    found: dict[str, list[tuple[int, int | None]]] = {one.id: [] for one in conversations}
    query = select(MessageRow.conversation_id, MessageRow.id, MessageRow.follows).order_by(MessageRow.id)
    questions = query.where(MessageRow.conversation_id.in_(found), MessageRow.role == USER)
    for conversation, question, follows in session.execute(questions).tuples():
        found[conversation].append((question, follows))
    return {one.id: Branches(one.shown, found[one.id]) for one in conversations}
