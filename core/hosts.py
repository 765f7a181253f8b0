"""Addresses: their parts, and those that never leave this machine."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

_WRITTEN = re.compile(r"\[([^\[\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5}|(.+)", re.DOTALL)


def address(text: str) -> IPv4Address | IPv6Address | None:
    """The IP address, also with the brackets, port or zone that proxies write; a mapped IPv4 one as IPv4."""
    written = _WRITTEN.fullmatch(text.strip())
    try:
        found = ip_address("".join(filter(None, written.groups())).partition("%")[0] if written else "")
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def is_loopback(host: str | None) -> bool:
    """True if a host, without brackets or port, is this machine: localhost, 127.0.0.0/8 or ::1."""
    found = address(host or "")
    return host == "localhost" or (found is not None and found.is_loopback)


def on_this_machine(url: str) -> bool:
    """True if an address never leaves the machine."""
    return is_loopback(urlsplit(url).hostname)


def server(url: str) -> SplitResult | None:
    """The parts of an address that names a server and no impossible port, else None."""
    try:
        parts = urlsplit(url)
        return parts if parts.hostname and parts.port != 0 else None
    except ValueError:
        return None
