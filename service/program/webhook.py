"""One signed POST to the webhook of the installation, and to nowhere else.

The name is resolved here and the connection made to the address that was judged, so that a name which
changes its mind in between leads nowhere. No redirect is followed and no proxy is asked.
"""

import hashlib
import hmac
import http.client
import json
import socket
import time
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any
from urllib.parse import urlsplit

from core.errors import DeliveryFailed
from domain.alert_settings import AlertsSettings
from service.program.mail import trusted

SECONDS = 20
MOST_READ = 4096
AWAY = "No se pudo conectar con el webhook ({kind})."
ANSWERED = "El webhook respondió {status}."
PRIVATE = (
    "El webhook está en una red privada, y no se le envía nada: si es suyo, ponga "
    "ALERTS_WEBHOOK_PRIVATE=true."
)


def post(chosen: AlertsSettings, body: Mapping[str, Any]) -> None:
    """Send a body as JSON, once.

    The header X-Articulado-Signature is 'sha256=' and the HMAC-SHA256 (hex) of '<timestamp>.<body>' under
    ALERTS_WEBHOOK_SECRET; the timestamp, in seconds, is X-Articulado-Timestamp.

    Raises:
        DeliveryFailed: it was not answered with a 2xx, or the address is not allowed.
    """
    data = json.dumps(body, ensure_ascii=False, sort_keys=True).encode()
    stamp = str(int(time.time()))
    parts = urlsplit(chosen.alerts_webhook_url)
    secure = parts.scheme == "https"
    host, port = parts.hostname or "", parts.port or (443 if secure else 80)
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": "Articulado",
        "X-Articulado-Timestamp": stamp,
        "X-Articulado-Signature": signature(chosen, stamp, data),
    }
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    try:
        plain = socket.create_connection((_judged(chosen, host, port), port), SECONDS)
        connection.sock = trusted(chosen).wrap_socket(plain, server_hostname=host) if secure else plain
        connection.request("POST", path, data, headers)
        reply = connection.getresponse()
        reply.read(MOST_READ)
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        raise DeliveryFailed(AWAY.format(kind=type(error).__name__)) from error
    finally:
        connection.close()
    if not 200 <= reply.status < 300:
        raise DeliveryFailed(ANSWERED.format(status=reply.status))


def signature(chosen: AlertsSettings, stamp: str, data: bytes) -> str:
    """The value of X-Articulado-Signature for a body sent at `stamp`."""
    secret = chosen.alerts_webhook_secret
    key = secret.get_secret_value().encode() if secret else b""
    return "sha256=" + hmac.new(key, f"{stamp}.".encode() + data, hashlib.sha256).hexdigest()


def _judged(chosen: AlertsSettings, host: str, port: int) -> str:
    """The address to connect to. Raises OSError; DeliveryFailed: one of the name's is not allowed."""
    found = [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not chosen.alerts_webhook_private and not all(map(is_public, found)):
        raise DeliveryFailed(PRIVATE)
    return found[0]


def is_public(text: str) -> bool:
    """True for an address of the internet: not of this machine, of a private network or of a group."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address.sixtofour or address
    return address.is_global and not address.is_multicast
