"""Programs that ask to be let in: their ids, and where a browser may go back to.

An id holds what the program said of itself when it registered. Anybody may register anything, so a list of
them would prove no more, and nobody can fill a list that there is not.
"""

from __future__ import annotations

import base64
import re
import secrets
from urllib.parse import urlsplit

from core.errors import InputError
from core.values import Value
from service.accounts.usernames import name_of

LONGEST_NAME, LONGEST_ADDRESS, MOST_ADDRESSES, MOST_BYTES = 80, 300, 10, 900
NAMELESS = "Programa sin nombre"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
ADDRESS = re.compile(r"https?://[!$-;=?A-\[\]_a-z~]+")
"""Visible ASCII but quotation marks, angle brackets, backslash and `#`, which addresses write otherwise."""
NOT_ALLOWED = "redirect_uris must be https or http on a loopback address, without user, fragment or wildcard"
TOO_MUCH = "too many or too long redirect_uris"


class Client(Value):
    """A program, as it describes itself; nothing of it is proven but where the browser goes back to."""

    name: str
    redirects: tuple[str, ...]

    @classmethod
    def registered(cls, name: str, redirects: list[str]) -> Client:
        """A program with those of its addresses that are allowed; some name one of a scheme of their own too.

        Raises:
            InputError: none is left, or there are too many (a sentence for programmers).
        """
        kept = tuple(filter(is_allowed, redirects))
        if not kept:
            raise InputError(NOT_ALLOWED)
        shown = name_of(name[:1000], NAMELESS, 1000)[:LONGEST_NAME].strip()
        made = cls(name=shown, redirects=kept)
        if len(kept) > MOST_ADDRESSES or len(made._written().encode()) > MOST_BYTES:
            raise InputError(TOO_MUCH)
        return made

    @classmethod
    def of(cls, client_id: str) -> Client | None:
        """The program of an id; None for an id that we could not have given."""
        try:
            if len(client_id) > 2 * MOST_BYTES:
                return None
            text = base64.b64decode(client_id, b"-_", validate=True).decode()
            _, name, *redirects = text.split("\n")
            made = cls.registered(name, redirects)
        except (ValueError, InputError):
            return None
        return made if (made.name, list(made.redirects)) == (name, redirects) else None

    def new_id(self) -> str:
        """An id that no other program has."""
        return base64.urlsafe_b64encode(f"{secrets.token_hex(6)}\n{self._written()}".encode()).decode()

    def may_go_back_to(self, address: str) -> bool:
        """True for an address that it registered; on this machine, at any port (RFC 8252)."""
        if not is_allowed(address):
            return False
        return address in self.redirects or _portless(address) in {
            _portless(one) or "" for one in self.redirects
        }

    def _written(self) -> str:
        return "\n".join((self.name, *self.redirects))


def is_allowed(address: str) -> bool:
    """True for an address that a browser may go back to: https, or http on the machine of the browser."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    fits = ADDRESS.fullmatch(address) is not None and len(address) <= LONGEST_ADDRESS
    plain = bool(host) and not set(parts.netloc) & set("@*")
    return fits and plain and (parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK))


def place_of(address: str) -> str:
    """The server of such an address, for people: 'claude.ai', 'este equipo (127.0.0.1)'."""
    parts = urlsplit(address)
    return f"este equipo ({parts.hostname})" if parts.scheme == "http" else parts.netloc


def _portless(address: str) -> str | None:
    """An address on this machine without its port; None for any other."""
    parts = urlsplit(address)
    return parts._replace(netloc=str(parts.hostname)).geturl() if parts.scheme == "http" else None
