"""Addresses of the service, trusted proxies, and the configurations it refuses to start with."""

import ipaddress
import re
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import Scope

from core.errors import ConfigurationError
from core.hosts import is_loopback
from domain.auth_settings import AuthSettings, Network

LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
PORTS = {"http": "80", "https": "443"}
PERSONAL = "personal"


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
        return self.loopback and host_name(host) in LOCAL_NAMES and is_loopback(server)

    def is_own_origin(self, scope: Scope) -> bool:
        """True if the Origin header is that of our own pages; False without one."""
        headers = Headers(scope=scope)
        origin, host = headers.get("origin", ""), headers.get("host", "").lower()
        if self.public and origin.lower() == self.public:
            return True
        scheme = scope["scheme"].replace("ws", "http")
        return self.loopback and host_name(host) in LOCAL_NAMES and origin.lower() == f"{scheme}://{host}"

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
            address = reported.strip()
            if not is_address(address):
                return peer
            if not self._is_proxy(address):
                return address
            peer = address
        return peer

    def _is_proxy(self, address: str) -> bool:
        return is_address(address) and any(ipaddress.ip_address(address) in one for one in self.proxies)


def site(chosen: AuthSettings, address: str | None) -> Site:
    """The site for these settings, on a server at `address` (None: every interface).

    Raises:
        ConfigurationError: strangers could come in, or passwords would travel in the clear.
    """
    if chosen.auth_mode == PERSONAL:
        require_loopback(address)
        return Site()
    loopback = address is not None and is_loopback(address)
    if not loopback and not chosen.is_https:
        raise ConfigurationError(
            f"AUTH_MODE={chosen.auth_mode} en la dirección «{address or 'todas'}», que otros equipos "
            "alcanzan, necesita PUBLIC_URL con https (por ejemplo https://articulado.bufete.es): sin TLS, "
            "contraseñas y consultas viajarían a la vista. Para probar aquí: --server.address 127.0.0.1."
        )
    return Site(chosen.auth_mode, origin_of(chosen.public_url), loopback, chosen.trusted_networks)


def origin_of(url: str) -> str:
    """An address as browsers write its origin: lower case, no default port."""
    url = url.lower()
    return url.removesuffix(":" + PORTS[url.partition(":")[0]]) if url else ""


def require_loopback(address: str | None) -> None:
    """Refuse to serve the personal mode on an address that other machines can reach.

    Raises:
        ConfigurationError: `address` is not a loopback address, or is unset (every interface).
    """
    if address is None or not is_loopback(address):
        raise ConfigurationError(
            f"Articulado solo atiende a este equipo: la dirección «{address or 'todas'}» no es local. "
            "Inícielo desde su carpeta, sin --server.address o con --server.address 127.0.0.1; "
            "para varias personas, con AUTH_MODE=local u oidc."
        )


def is_address(text: str) -> bool:
    """True for an IP address."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def host_name(host: str) -> str:
    """The name in a Host header without its port; '' when malformed."""
    match = re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[^:\[\]@/\\?#\s]+)(?::\d{1,5})?", host)
    return match[1].strip("[]").lower() if match else ""
