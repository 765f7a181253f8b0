"""Signing in, with a password or through the identity provider, and changing one's password."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from core.errors import InputError
from core.values import Value
from domain.accounts import Account, Role
from domain.audit import AuditAction
from domain.auth_settings import AuthSettings
from service.accounts.passwords import Passwords
from service.accounts.sessions import WRONG, Sessions, SignedIn
from service.accounts.throttle import Keys, SignInRefused, Throttle, keys, place
from service.accounts.trail import Trail, announced, names_of
from service.accounts.usernames import name_of, username_of
from storage.people.accounts import SqlAccountStore

log = logging.getLogger(__name__)

EXPIRED = "Esa contraseña de un solo uso ha caducado: pida otra a quien administre Articulado."
UNVERIFIED = (
    "Su organización no ha comprobado su dirección de correo: consulte a quien administre Articulado."
)
ENDED = "Su sesión ha caducado o se ha cerrado: vuelva a entrar."


class Person(Value):
    """A person whom the identity provider vouches for; `roles` is None when it is not asked about roles.

    Attributes:
        verified: False if the user name is an address that the provider has not seen them read: it gives them
            no account.
    """

    issuer: str
    subject: str
    username: str
    name: str
    roles: tuple[Role, ...] | None = None
    verified: bool = True

    @property
    def key(self) -> str:
        """Issuer and subject, which identify a person for good."""
        return f"{self.issuer} {self.subject}"


@dataclass(frozen=True)
class SignIn:
    """Opens sessions in the mode that the settings name. Raises (all methods): StorageError."""

    settings: AuthSettings
    accounts: SqlAccountStore
    sessions: Sessions
    throttle: Throttle
    passwords: Passwords
    trail: Trail
    clock: Callable[[], datetime]

    def by_password(
        self,
        username: str,
        password: str,
        *,
        address: str,
        agent: str,
        previous_token: str = "",
        device: str = "",
    ) -> SignedIn:
        """Open a session with a password; the one that the browser had is closed.

        Args:
            device: token of the browser, see `SignedIn`.

        Raises:
            SignInRefused: wrong name, password or account, always with the same sentence after the same
                work; with another sentence for a right one-time password that has expired.
            Throttled: too many failures, or too many people at once.
        """
        if self.settings.auth_mode == "personal":
            raise SignInRefused(WRONG)
        try:
            known = username_of(username)
        except InputError:
            known = ""
        tried = self._keys(known, address, device, typed=username)
        with self.throttle.attempt(tried):
            account, stored = (self.accounts.by_username(known) if known else None) or (None, "")
            right = self.passwords.verify(stored, password)
            if account is None or not right or not account.active:
                raise self._wrong(tried, account, address, WRONG)
            stored = self._renewed(account, stored, password)
        self.throttle.succeed(tried)
        if account.change_by is not None and self.clock() > account.change_by:
            self.trail.failed(account, address)
            raise SignInRefused(EXPIRED)
        opened = self.sessions.open(account, address=address, agent=agent, previous_token=previous_token)
        if self._stored(account) != stored:
            # The password was changed meanwhile, and its sessions ended before this one was there.
            self.sessions.close(opened.token)
            raise SignInRefused(WRONG)
        return self.sessions.on_device(opened, device if tried.is_of_device else "")

    def by_provider(self, person: Person, *, address: str, agent: str, previous_token: str = "") -> SignedIn:
        """Open a session for a person of the identity provider; the account takes their name and roles.

        Raises:
            SignInRefused: no account and no role to make one, or it is inactive.
        """
        if self.settings.auth_mode != "oidc" or not person.issuer or not person.subject:
            raise SignInRefused("No se puede entrar con un proveedor de identidad.")
        default = (self.settings.default_role,) if self.settings.default_role else ()
        granted = None if person.roles is None else person.roles or default
        if granted == ():
            raise SignInRefused(
                "Su cuenta del proveedor no da acceso a Articulado: pídalo a quien lo administre."
            )
        account = self.accounts.by_subject(person.key)
        if account is None:
            account = self._newcomer(person, default if granted is None else granted)
        if not account.active:
            self.trail.failed(account, address)
            raise SignInRefused("Su cuenta está desactivada: consulte a quien administre Articulado.")
        account = self._in_step(account, person.name, granted)
        return self.sessions.open(account, address=address, agent=agent, previous_token=previous_token)

    def change_password(
        self, token: str, current: str, new: str, *, address: str, device: str = ""
    ) -> SignedIn:
        """Replace the account's password; all its sessions end, with its devices, and a new one is opened.

        Args:
            device: token of the browser, see `SignedIn`.

        Raises:
            InputError: the new one is not good enough, or the account has none.
            SignInRefused, Throttled: the current one is wrong, or there is no session.
        """
        found = self.sessions.find(token)
        if found is None:
            raise SignInRefused(ENDED)
        account, session = found
        if not self._stored(account):
            raise InputError("Su cuenta no tiene contraseña: entra con su proveedor de identidad.")
        self.passwords.require_good(new, account.username)
        if new == current:
            raise InputError("La contraseña nueva debe ser distinta de la actual.")
        tried = self._keys(account.username, address, device)
        with self.throttle.attempt(tried):
            stored = self._stored(account)
            if not self.passwords.verify(stored, current):
                raise self._wrong(tried, account, address, "La contraseña actual no es correcta.")
            replacement = self.passwords.hash(new)
        with self.trail.doing(account.id, AuditAction.PASSWORD_CHANGED, account.id):
            if not self.accounts.set_password(account.id, replacement, replacing=stored):
                raise SignInRefused(ENDED)
        self.throttle.succeed(tried)
        self.sessions.end_all(account.id)
        opened = self.sessions.open(self.accounts.account(account.id), address=address, agent=session.agent)
        return self.sessions.on_device(opened, "")

    def _keys(self, username: str, address: str, device: str, *, typed: str = "") -> Keys:
        """The keys of an attempt; `typed` stands in for a user name that cannot be one."""
        here = place(address)
        return keys(
            username or typed[:1000],
            here,
            device=self.sessions.known_device(username, device),
            known=self.accounts.knows_address(here),
        )

    def _wrong(self, tried: Keys, account: Account | None, address: str, text: str) -> SignInRefused:
        """Count and record a failure; the error to raise."""
        self.throttle.fail(tried)
        self.trail.failed(account, address)
        return SignInRefused(text)

    def _stored(self, account: Account) -> str:
        """Its password hash as it is now; '' when it has none or is gone."""
        found = self.accounts.by_username(account.username)
        return found[1] if found and found[0].id == account.id else ""

    def _renewed(self, account: Account, stored: str, password: str) -> str:
        """The stored hash, replaced by one with today's parameters if it is outdated."""
        if not self.passwords.is_outdated(stored):
            return stored
        renewed = self.passwords.hash(password)
        self.accounts.set_password(
            account.id,
            renewed,
            must_change=account.must_change,
            change_by=account.change_by,
            replacing=stored,
        )
        return renewed

    def _newcomer(self, person: Person, granted: Sequence[Role]) -> Account:
        """The account that an admin has made ready under that user name, or a new one."""
        if not person.verified:
            raise SignInRefused(UNVERIFIED)
        try:
            known = username_of(person.username)
            found = self.accounts.by_username(known)
            if found is None and not granted:
                raise SignInRefused("No tiene cuenta en Articulado: pídala a quien lo administre.")
            own, roles = (found[0].id, found[0].roles) if found else (uuid4().hex, granted)
            detail = {"provider": "yes", "roles": names_of(roles)} | announced(roles)
            with self.trail.doing(own, AuditAction.ACCOUNT_ADDED, own, **detail):
                if found is not None:
                    return self.accounts.link(own, person.key)
                name = _shown(person.name, known)
                return self.accounts.add(known, name, granted, subject=person.key, account_id=own)
        except InputError as error:
            raise SignInRefused(str(error)) from error

    def _in_step(self, account: Account, name: str, granted: Sequence[Role] | None) -> Account:
        """The account with the name and the roles that the provider gives."""
        shown = _shown(name, account.name)
        wanted = account.roles if granted is None else tuple(role for role in Role if role in granted)
        if (shown, wanted) == (account.name, account.roles):
            return account
        detail = {"provider": "yes", "roles": names_of(wanted)} | announced(wanted, account.roles)
        try:
            with self.trail.doing(account.id, AuditAction.ACCOUNT_CHANGED, account.id, **detail):
                return self.accounts.change(account.id, name=shown, roles=wanted)
        except InputError:
            log.warning("the provider takes the last admin's role away; it is kept")
            return account


def _shown(name: str, otherwise: str) -> str:
    """A name from outside, cut rather than refused."""
    return name_of(name[:100], otherwise)
