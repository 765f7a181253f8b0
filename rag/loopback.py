"""Addresses that never leave this machine."""

from ipaddress import ip_address


def is_loopback(host: str | None) -> bool:
    """True if a host, without brackets or port, is this machine: localhost, 127.0.0.0/8 or ::1."""
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False
