"""Addresses: their parts, and those that never leave this machine."""

from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit


def is_loopback(host: str | None) -> bool:
    """True if a host, without brackets or port, is this machine: localhost, 127.0.0.0/8 or ::1."""
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False


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
