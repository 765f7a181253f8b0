"""Addresses of the service, trusted proxies, and the configurations it refuses to start with."""

import re
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import Scope

from core.errors import ConfigurationError
from core.hosts import address, is_loopback
from domain.auth_settings import AuthSettings, Network

LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
PORTS = {"http": "80", "https": "443"}
PERSONAL = "personal"
FORWARDED = frozenset({b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-real-ip"})
"""Headers that proxies add."""


@dataclass(frozen=True)
class Site:
    """Names and origins that are ours.

    Attributes:
        mode: personal, local or oidc.
        public: the origin that people's browsers show (PUBLIC_URL), or '' on this machine only.
        loopback: True if only this machine reaches the server.
        proxies: networks whose X-Forwarded-For is believed.
    """

    mode: str = PERSONAL
    public: str = ""
    loopback: bool = True
    proxies: tuple[Network, ...] = ()

    @property
    def personal(self) -> bool:
        return self.mode == PERSONAL

    @property
    def secure(self) -> bool:
        return self.public.startswith("https://")

    def serves(self, scope: Scope) -> bool:
        """True if the Host header names this service (against DNS rebinding and poisoned links)."""
        host = Headers(scope=scope).get("host", "").lower()
        if self.public and origin_of(f"{self.public.partition(':')[0]}://{host}") == self.public:
            return True
        server = (scope.get("server") or ("",))[0]
        return self._is_local(scope, host) and is_loopback(server)

    def _is_local(self, scope: Scope, host: str) -> bool:
        """True under a name of this machine; without accounts, for nothing that a proxy has passed on."""
        passed_on = self.personal and any(name in FORWARDED for name, _ in scope["headers"])
        return self.loopback and host_name(host) in LOCAL_NAMES and not passed_on

    def is_own_origin(self, scope: Scope) -> bool:
        """True if the Origin header is that of our own pages; False without one."""
        headers = Headers(scope=scope)
        origin, host = headers.get("origin", ""), headers.get("host", "").lower()
        if self.public and origin.lower() == self.public:
            return True
        scheme = scope["scheme"].replace("ws", "http")
        return self._is_local(scope, host) and origin.lower() == f"{scheme}://{host}"

    def origin(self, scope: Scope) -> str:
        """Origin for absolute addresses."""
        return self.public or f"{scope['scheme']}://{Headers(scope=scope).get('host', '')}"

    def client_address(self, scope: Scope) -> str:
        """The client's IP address: the last one before our own proxies, as they report it."""
        peer: str = (scope.get("client") or ("",))[0]
        if not self._is_proxy(peer):
            return peer
        forwarded = ",".join(Headers(scope=scope).getlist("x-forwarded-for"))
        for reported in reversed(forwarded.split(",")):
            found = address(reported)
            if found is None:
                return peer
            if not self._is_proxy(str(found)):
                return str(found)
            peer = str(found)
        return peer

    def _is_proxy(self, peer: str) -> bool:
        found = address(peer)
        return found is not None and any(found in one for one in self.proxies)


def site(chosen: AuthSettings, at: str | None) -> Site:
    """The site for these settings, on a server at that address (None: every interface).

    Raises:
        ConfigurationError: strangers could come in, or passwords would travel in the clear.
    """
    if chosen.auth_mode == PERSONAL:
        require_loopback(at)
        return Site()
    loopback = at is not None and is_loopback(at)
    if not loopback and not chosen.is_https:
        raise ConfigurationError(
            f"AUTH_MODE={chosen.auth_mode} en la dirección «{at or 'todas'}», que otros equipos "
            "alcanzan, necesita PUBLIC_URL con https (por ejemplo https://articulado.bufete.es): sin TLS, "
            "contraseñas y consultas viajarían a la vista. Para probar aquí: --server.address 127.0.0.1."
        )
    return Site(chosen.auth_mode, origin_of(chosen.public_url), loopback, chosen.trusted_networks)


def origin_of(url: str) -> str:
    """An address as browsers write its origin: lower case, no default port."""
    url = url.lower()
    return url.removesuffix(":" + PORTS[url.partition(":")[0]]) if url else ""


def is_resource(asked: str, ours: str) -> bool:
    """True if a program names this address of ours (RFC 8707), with a slash at its end or without."""
    return asked.removesuffix("/") == ours


def require_loopback(at: str | None) -> None:
    """Refuse to serve the personal mode on an address that other machines can reach.

    Raises:
        ConfigurationError: `at` is not a loopback address, or is unset (every interface).
    """
    if at is None or not is_loopback(at):
        raise ConfigurationError(
            f"Articulado solo atiende a este equipo: la dirección «{at or 'todas'}» no es local. "
            "Inícielo desde su carpeta, sin --server.address o con --server.address 127.0.0.1; "
            "para varias personas, con AUTH_MODE=local u oidc."
        )


def host_name(host: str) -> str:
    """The name in a Host header without its port; '' when malformed."""
    match = re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[^:\[\]@/\\?#\s]+)(?::\d{1,5})?", host)
    return match[1].strip("[]").lower() if match else ""
