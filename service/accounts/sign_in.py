"""Signing in and out: who holds a session, and how one is come by."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Sequence
from uuid import uuid4

from domain.accounts import Account, Role
from domain.audit import AuditAction
from rag.errors import InputError
from service.accounts.passwords import one_time
from service.accounts.sessions import WRONG, LoginSessions, SignedIn, hashed
from service.accounts.throttle import SignInRefused, keys, place
from service.accounts.usernames import name_of, username_of

log = logging.getLogger(__name__)

EXPIRED = "Esa contraseña de un solo uso ha caducado: pida otra a quien administre Articulado."
ENDED = "Su sesión ha caducado o se ha cerrado: vuelva a entrar."


class SignIns(LoginSessions):
    """How a session is come by, in the mode that the settings name.

    Raises (all methods): StorageError.
    """

    def sign_in(
        self, username: str, password: str, *, address: str, agent: str, previous_token: str = ""
    ) -> SignedIn:
        """Open a session with a password; the one that the browser had is closed.

        Raises:
            SignInRefused: with the same sentence, after the same work, whatever was wrong; with another one
                when the password is right but was given too long ago.
            Throttled: not now.
        """
        if self.mode == "personal":
            raise SignInRefused(WRONG)
        try:
            known = username_of(username)
        except InputError:
            known = ""
        familiar = self._accounts.is_familiar(known, place(address))
        tried = keys(known or username[:1000], place(address), familiar=familiar)
        with self._throttle.attempt(tried):
            account, stored = (self._accounts.by_username(known) if known else None) or (None, "")
            right = self._passwords.verify(stored, password)
            if account is None or not right or not account.active:
                self._throttle.fail(tried)
                self._failed(account, address)
                raise SignInRefused(WRONG)
            stored = self._renewed(account, stored, password)
        self._throttle.succeed(tried)
        if account.change_by is not None and self._clock() > account.change_by:
            self._failed(account, address)
            raise SignInRefused(EXPIRED)
        opened = self._open(account, address, agent, previous_token)
        if self._stored(account) != stored:
            # The password was changed meanwhile, and its sessions ended before this one was there.
            self._sessions.close(hashed(opened.token))
            raise SignInRefused(WRONG)
        return opened

    def sign_in_subject(
        self,
        issuer: str,
        subject: str,
        username: str,
        name: str,
        roles: Sequence[Role] | None,
        *,
        address: str,
        agent: str,
        previous_token: str = "",
    ) -> SignedIn:
        """Open a session for somebody whom the identity provider vouches for.

        Args:
            roles: what the provider says; None when it says nothing of roles.

        Raises:
            SignInRefused: no account and no role to make one, or it is inactive.
        """
        if self.mode != "oidc" or not issuer or not subject:
            raise SignInRefused("No se puede entrar con un proveedor de identidad.")
        default = (self._settings.default_role,) if self._settings.default_role else ()
        granted = None if roles is None else tuple(roles) or default
        if granted == ():
            raise SignInRefused(
                "Su cuenta del proveedor no da acceso a Articulado: pídalo a quien lo administre."
            )
        person = f"{issuer} {subject}"
        account = self._accounts.by_subject(person)
        if account is None:
            account = self._newcomer(person, username, name, default if granted is None else granted)
        if not account.active:
            self._failed(account, address)
            raise SignInRefused("Su cuenta está desactivada: consulte a quien administre Articulado.")
        return self._open(self._in_step(account, name, granted), address, agent, previous_token)

    def sign_out(self, token: str) -> None:
        """End the session; nothing happens when there is none."""
        closed = self._close(token)
        if closed is not None:
            self._record(closed.account_id, AuditAction.SIGNED_OUT)

    def change_password(self, token: str, current: str, new: str, *, address: str) -> SignedIn:
        """Give the account another password; all its sessions end and a new one is opened.

        Raises:
            InputError: the new one is not good enough.
            SignInRefused, Throttled: the current one is wrong; there is no session.
        """
        found = self._found(token)
        if found is None:
            raise SignInRefused(ENDED)
        account, session = found
        if not self._stored(account):
            raise InputError("Su cuenta no tiene contraseña: entra con su proveedor de identidad.")
        self._passwords.require_good(new, account.username)
        if new == current:
            raise InputError("La contraseña nueva debe ser distinta de la actual.")
        familiar = self._accounts.is_familiar(account.username, place(address))
        tried = keys(account.username, place(address), familiar=familiar)
        with self._throttle.attempt(tried):
            stored = self._stored(account)
            if not self._passwords.verify(stored, current):
                self._throttle.fail(tried)
                self._failed(account, address)
                raise SignInRefused("La contraseña actual no es correcta.")
            replacement = self._passwords.hash(new)
        with self._doing(account.id, AuditAction.PASSWORD_CHANGED, account.id):
            if not self._accounts.set_password(account.id, replacement, replacing=stored):
                raise SignInRefused(ENDED)
        self._throttle.succeed(tried)
        self._sessions.revoke(account.id)
        return self._open(self._accounts.account(account.id), address, session.agent)

    @property
    def needs_setup(self) -> bool:
        """Whether nobody can sign in because there is no account yet."""
        if self.mode == "personal":
            return False
        self._has_accounts = self._has_accounts or self._accounts.count() > 0
        return not self._has_accounts

    @property
    def setup_code(self) -> str:
        """What lets whoever reads the server's log make the first account; '' once there is one."""
        if not self.needs_setup:
            return ""
        with self._setup_lock:
            self._setup_code = self._setup_code or one_time()
            return self._setup_code

    def set_up(
        self, code: str, username: str, name: str, password: str, *, address: str, agent: str
    ) -> SignedIn:
        """Make the first account, an admin's, and open its session.

        Raises:
            SignInRefused, Throttled: the code is wrong, or there is an account already.
            InputError: the user name or the password cannot be used.
        """
        tried = keys("", place(address))
        if not self.needs_setup:
            raise SignInRefused("Articulado ya tiene cuentas: entre con la suya.")
        self._throttle.check(tried)
        if not hmac.compare_digest(code.strip().lower().encode("utf-8", "replace"), self.setup_code.encode()):
            self._throttle.fail(tried)
            self._failed(None, address)
            raise SignInRefused("El código de inicio no es correcto: está en el registro del servidor.")
        known = username_of(username)
        self._passwords.require_good(password, known)
        with self._throttle.turn():
            stored = self._passwords.hash(password)
        own, roles = uuid4().hex, (Role.ADMIN,)
        with self._doing(own, AuditAction.ACCOUNT_ADDED, own, roles=names_of(roles)):
            account = self._accounts.add(
                known, name_of(name, known), roles, stored, first=True, account_id=own
            )
        return self._open(account, address, agent)

    def _stored(self, account: Account) -> str:
        """Its password hash as it is now; '' when it has none or is gone."""
        found = self._accounts.by_username(account.username)
        return found[1] if found and found[0].id == account.id else ""

    def _renewed(self, account: Account, stored: str, password: str) -> str:
        """The hash with today's parameters, kept in the place of the old one."""
        if not self._passwords.is_outdated(stored):
            return stored
        renewed = self._passwords.hash(password)
        self._accounts.set_password(
            account.id,
            renewed,
            must_change=account.must_change,
            change_by=account.change_by,
            replacing=stored,
        )
        return renewed

    def _newcomer(self, person: str, username: str, name: str, granted: Sequence[Role]) -> Account:
        """The account that an admin has made ready under that user name, or a new one."""
        try:
            known = username_of(username)
            found = self._accounts.by_username(known)
            if found is None and not granted:
                raise SignInRefused("No tiene cuenta en Articulado: pídala a quien lo administre.")
            own, roles = (found[0].id, found[0].roles) if found else (uuid4().hex, granted)
            with self._doing(own, AuditAction.ACCOUNT_ADDED, own, roles=names_of(roles)):
                if found is not None:
                    return self._accounts.link(own, person)
                return self._accounts.add(known, _shown(name, known), granted, subject=person, account_id=own)
        except InputError as error:
            raise SignInRefused(str(error)) from error

    def _in_step(self, account: Account, name: str, granted: Sequence[Role] | None) -> Account:
        """The account with the name and the roles that the provider gives."""
        shown = _shown(name, account.name)
        wanted = account.roles if granted is None else tuple(role for role in Role if role in granted)
        if (shown, wanted) == (account.name, account.roles):
            return account
        try:
            with self._doing(account.id, AuditAction.ACCOUNT_CHANGED, account.id, roles=names_of(wanted)):
                return self._accounts.change(account.id, name=shown, roles=wanted)
        except InputError:
            log.warning("the provider takes the last admin's role away; it is kept")
            return account


def names_of(roles: Sequence[Role]) -> str:
    """As the log names them: each once, in one order."""
    return ", ".join(role for role in Role if role in roles)


def _shown(name: str, otherwise: str) -> str:
    """A name from outside, cut rather than refused."""
    return name_of(name[:100], otherwise)
