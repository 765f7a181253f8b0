"""The first account, made with a code that only the server's log shows."""

import hmac
import threading
from dataclasses import dataclass, field
from uuid import uuid4

from domain.accounts import Role
from domain.audit import AuditAction
from domain.auth_settings import AuthSettings
from service.accounts.passwords import Passwords, one_time
from service.accounts.sessions import Sessions, SignedIn
from service.accounts.throttle import SignInRefused, Throttle, keys, place
from service.accounts.trail import Trail, names_of
from service.accounts.usernames import name_of, username_of
from storage.people.accounts import SqlAccountStore


@dataclass
class Setup:
    """Makes the first account, an admin's. Raises (all methods): StorageError."""

    settings: AuthSettings
    accounts: SqlAccountStore
    sessions: Sessions
    throttle: Throttle
    passwords: Passwords
    trail: Trail
    _code: str = ""
    _has_accounts: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def needed(self) -> bool:
        """True while people sign in here and no account exists."""
        if self.settings.auth_mode == "personal":
            return False
        self._has_accounts = self._has_accounts or self.accounts.count() > 0
        return not self._has_accounts

    @property
    def code(self) -> str:
        """The code that makes the first account, one per process; '' once there is an account."""
        if not self.needed:
            return ""
        with self._lock:
            self._code = self._code or one_time()
            return self._code

    def create_admin(
        self, code: str, username: str, name: str, password: str, *, address: str, agent: str
    ) -> SignedIn:
        """Make the first account and open its session.

        Raises:
            SignInRefused, Throttled: the code is wrong, or there is an account already.
            InputError: the user name or the password cannot be used.
        """
        tried = keys("", place(address))
        if not self.needed:
            raise SignInRefused("Articulado ya tiene cuentas: entre con la suya.")
        self.throttle.check(tried)
        if not hmac.compare_digest(code.strip().lower().encode("utf-8", "replace"), self.code.encode()):
            self.throttle.fail(tried)
            self.trail.failed(None, address)
            raise SignInRefused("El código de inicio no es correcto: está en el registro del servidor.")
        known = username_of(username)
        self.passwords.require_good(password, known)
        with self.throttle.turn():
            stored = self.passwords.hash(password)
        own, roles = uuid4().hex, (Role.ADMIN,)
        with self.trail.doing(own, AuditAction.ACCOUNT_ADDED, own, roles=names_of(roles)):
            account = self.accounts.add(
                known, name_of(name, known), roles, stored, first=True, account_id=own
            )
        return self.sessions.on_device(self.sessions.open(account, address=address, agent=agent), "")
