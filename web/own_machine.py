"""Who is let in without accounts: processes of the same person, and whoever has the key of this start.

Linux tells whose the other end of a local connection is. Where the system does not, the address that is
printed at the start carries the key, and a file of the home holds it for commands.
"""

import hmac
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from urllib.parse import parse_qs

from starlette.requests import HTTPConnection
from starlette.types import Scope

from articulado.clients.client import KEY_FILE
from core.whole_files import written_whole
from web.cookies import PLAIN

TABLES = {4: Path("/proc/net/tcp"), 6: Path("/proc/net/tcp6")}
ESTABLISHED = "01"
LEAST_PERSON = 500
PARAMETER = "clave"
NOT_YOURS = (
    "Este Articulado es de la persona que lo ha iniciado en este equipo. Si es usted, añada a su dirección"
    " «/?clave=» y el texto del archivo «.key» de ARTICULADO_HOME, que sirve también de token."
)

Place = tuple[str, int]
"""Address and port."""


class OwnMachine:
    """The door of the personal mode; `key` is another at each start."""

    def __init__(self) -> None:
        self.key = secrets.token_urlsafe(32)

    def lets_in(self, scope: Scope) -> bool:
        """True for a process of the same person, and for whoever shows the key as cookie or token."""
        if is_own(scope.get("client"), scope.get("server")):
            return True
        connection = HTTPConnection(scope)
        token = connection.headers.get("authorization", "").removeprefix("Bearer ")
        return self._is_key(token) or self._is_key(connection.cookies.get(PLAIN, ""))

    def opens(self, scope: Scope) -> bool:
        """True for the page at the address that was printed."""
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get(PARAMETER, [""])
        return scope["type"] == "http" and scope["path"] == "/" and self._is_key(given[0])

    @contextmanager
    def written(self, home: Path) -> Iterator[None]:
        """The key in a file that only its owner can read, while inside."""
        with written_whole(home / KEY_FILE) as stream:
            stream.write(self.key.encode())
        try:
            yield
        finally:
            (home / KEY_FILE).unlink(missing_ok=True)

    def address(self, server: str) -> str:
        """The address to open: with the key where it will be asked for."""
        return server if tells() or alone() else f"{server}/?{PARAMETER}={self.key}"

    def _is_key(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.key.encode())


def is_own(client: Place | None, server: Place | None) -> bool:
    """True if the connection comes from a process of the same person or of the administrator."""
    if not tells():
        return alone()
    return client is not None and server is not None and owner(client, server) in (0, os.geteuid())


def tells() -> bool:
    """True where the system tells whose a connection is."""
    return TABLES[4].exists()


def alone() -> bool:
    """True where the system tells no connection's owner, but that the machine has one person's account."""
    try:
        import pwd
    except ImportError:
        return False
    people = [one for one in pwd.getpwall() if one.pw_uid >= LEAST_PERSON and not _is_service(one.pw_shell)]
    return not tells() and len(people) <= 1


def _is_service(shell: str) -> bool:
    return shell.endswith(("/false", "/nologin"))


def owner(client: Place, server: Place) -> int | None:
    """Id of the user whose socket is the other end of a connection; None if that is not known.

    The kernel gives a closed socket to the administrator: only an open one counts.
    """
    for version, table in TABLES.items():
        ends = [f"{_as_the_kernel(host, version)}:{port:04X}" for host, port in (client, server)]
        for row in table.read_text("ascii").splitlines()[1:] if table.exists() else ():
            fields = row.split()
            if fields[1:4] == [*ends, ESTABLISHED] and fields[9] != "0":
                return int(fields[7])
    return None


def _as_the_kernel(host: str, version: int) -> str:
    """An address in the table of a version; one of IPv4 is there among those of IPv6 as a mapped one too."""
    try:
        found = ip_address(host)
    except ValueError:
        return "-"
    if version == 6 and isinstance(found, IPv4Address):
        found = IPv6Address(f"::ffff:{host}")
    packed = found.packed if found.version == version else b""
    words = (packed[at : at + 4] for at in range(0, len(packed), 4))
    return "".join(f"{int.from_bytes(word, sys.byteorder):08X}" for word in words) or "-"
