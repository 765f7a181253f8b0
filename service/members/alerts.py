"""Watches and news of one person: each door asks whose they are."""

from __future__ import annotations

from domain.accounts import Permission
from domain.alerts import DeliveryProblem, Watch
from domain.audit import AuditAction
from law.norm_names import named_law
from law.norms import Block, Norm
from service.contract.articles import known_block, known_norm
from service.contract.news import Limit, NewsDocument, Unread, news_document
from service.members.own import Own, own
from service.program.confirmation import confirm, send_code
from service.program.mail import checked_address
from storage.alerts.news import SqlNewsStore
from storage.alerts.watches import SqlWatchStore


class OwnWatches(Own):
    """Watches of the person; see `SqlWatchStore`."""

    part = "database.watches"
    watches = own(SqlWatchStore.watches)
    watching = own(SqlWatchStore.watching)
    watch_matter = own(SqlWatchStore.watch_matter, AuditAction.CHANGED, what="watch")
    pause = own(SqlWatchStore.pause, AuditAction.CHANGED, what="watch")
    unwatch = own(SqlWatchStore.unwatch, AuditAction.DELETED, what="watch")
    settings = own(SqlWatchStore.settings)

    def watch_law(self, norm_id: str, label: str = "") -> Watch:
        """Watch a norm or an article of it. Raises NotFound: there is none; see `SqlWatchStore`."""
        program = self._program()
        norm, block = known_norm(program, norm_id), None
        if label:
            norm, block = known_block(program, norm_id, label)
            label = block.label or block.id
        with self._trail.doing(AuditAction.CHANGED, norm_id, what="watch"):
            return program.database.watches.watch_law(self._identity.id, norm_id, label, name_of(norm, block))

    @property
    def can_mail(self) -> bool:
        """True if this installation can send mail."""
        return self._program().deliveries.by_mail

    @property
    def names_cases(self) -> bool:
        """True if a digest names the person's questions and expedientes too."""
        return self._program().settings.alerts_case_names

    def set_settings(self, email: str, *, by_mail: bool) -> None:
        """Replace how the person is told; a new address is sent a code, without which it gets no mail.

        Raises:
            InputError: mail is wanted and the address is none; or, with all stored, as `send_code`.
            DeliveryFailed: all is stored, and the code was not taken.
        """
        program = self._program()
        address = checked_address(email) if by_mail or email.strip() else ""
        before = program.database.watches.settings(self._identity.id)
        with self._trail.doing(AuditAction.CHANGED, "alerts", what="alerts"):
            chosen = program.database.watches.set_settings(self._identity.id, address, by_mail=by_mail)
        is_new = (before.email, before.by_mail) != (address, by_mail)
        if by_mail and is_new and chosen.confirmed_at is None:
            self.send_code()

    def send_code(self) -> None:
        """Send a code to the person's address. Raises InputError, DeliveryFailed: see `confirmation`."""
        program = self._program()
        with self._trail.doing(AuditAction.CHANGED, "alerts", what="code"):
            send_code(program.settings, program.database.addresses, self._identity.id)

    def confirm_address(self, code: str) -> None:
        """Confirm the person's address by the code sent to it. Raises InputError: it is not that one."""
        program = self._program()
        with self._trail.doing(AuditAction.CHANGED, "alerts", what="address"):
            confirm(program.database.addresses, self._identity.id, code)

    def delivery_problem(self) -> DeliveryProblem | None:
        """Why digests do not leave, for who administers the program."""
        return self._allow(Permission.ACCOUNTS).deliveries.problem()


def name_of(norm: Norm, block: Block | None) -> str:
    """«ET · Artículo 38», or the law by its name."""
    if block is None:
        return named_law(norm)
    heading = block.title.split(". ")[0].rstrip(".") or block.label
    return f"{norm.name} · {heading}"


class OwnNews(Own):
    """Changes of the law that touch the person; see `SqlNewsStore`."""

    part = "database.news"
    news = own(SqlNewsStore.news)
    unread = own(SqlNewsStore.unread)
    read = own(SqlNewsStore.read)

    def document(self, limit: Limit = 100, *, unread: Unread = False) -> NewsDocument:
        """See `service.contract.news`."""
        return news_document(self._program().database.news.news(self._identity.id, limit, unread=unread))
