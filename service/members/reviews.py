"""The review queue as one reviewer may use it."""

from core.errors import InputError
from domain.accounts import Permission
from domain.audit import AuditAction
from service.members.own import Own, own, shared
from storage.chat.reviews import SqlReviewStore

NO_REVIEWER = "Esa persona no puede revisar respuestas: elija otra."


class OwnReviews(Own):
    """The review queue as one reviewer sees it; see `SqlReviewStore`."""

    permission, part = Permission.REVIEW, "database.reviews"
    queue = own(SqlReviewStore.queue, AuditAction.READ, target="queue")
    matters = shared(SqlReviewStore.matters)
    people = shared(SqlReviewStore.people)
    beside = shared(SqlReviewStore.beside)
    cited_norms = shared(SqlReviewStore.cited_norms)
    item = own(SqlReviewStore.item, AuditAction.READ, what="answer")
    answer_trace = own(SqlReviewStore.answer_trace, AuditAction.READ, what="answer")
    judge = own(
        SqlReviewStore.judge,
        AuditAction.JUDGED,
        lambda message_id, verdict, **_more: {"verdict": verdict.value},
    )
    withdraw = own(SqlReviewStore.withdraw, AuditAction.JUDGED, verdict="withdrawn")
    cases = shared(SqlReviewStore.cases)
    save_case = own(
        SqlReviewStore.save_case,
        AuditAction.CHANGED,
        lambda message_id, case, **_more: {"what": "case", "case": case.id},
    )
    remove_case = own(SqlReviewStore.remove_case, AuditAction.DELETED, what="case")

    def reviewers(self) -> list[str]:
        """Account ids of those who may review; of nobody in the personal mode."""
        return self._program().accounts.allowed(self.permission)

    def assign(self, message_id: int, person: str) -> None:
        """Give an answer to somebody who may review, or with '' to nobody.

        Raises:
            Forbidden: it is given to somebody else by a person who is no admin.
            InputError: the person may not review, or somebody else has it and the person is no admin.
        """
        program, own_id = self._program(), self._identity.id
        admin = self._identity.may(Permission.ACCOUNTS)
        if admin or person not in ("", own_id):
            self._allow(Permission.ACCOUNTS)
        if person and not program.accounts.may(person, self.permission):
            raise InputError(NO_REVIEWER)
        held_by = () if admin else set(self.reviewers()) - {own_id}
        with self._trail.doing(AuditAction.ASSIGNED, message_id, person=person or "none"):
            program.database.reviews.assign(own_id, message_id, person, held_by)
