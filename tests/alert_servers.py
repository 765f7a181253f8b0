"""A real mail server on 127.0.0.1, with a certificate of its own, for alerts."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from email.policy import default
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PASSWORD = "la clave del correo"


def closed_port() -> int:
    """A port of this machine at which nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def certificate(folder: Path) -> tuple[Path, Path]:
    """Files of a new certificate for 127.0.0.1 and localhost, and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, private = folder / "alerts.pem", folder / "alerts.key"
    pem.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return pem, private


def context(files: tuple[Path, Path]) -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(*files)
    return made


@dataclass
class Mailbox:
    """Messages that a mail server took, and its way of answering.

    Attributes:
        refusal: SMTP reply to each recipient, or '' to take them.
    """

    port: int = 0
    pem: Path = Path()
    taken: list[Message] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    refusal: str = ""
    users: list[str] = field(default_factory=list)

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, to: str, _options: Any) -> str:
        if self.refusal:
            return self.refusal
        envelope.rcpt_tos.append(to)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        self.taken.append(message_from_bytes(envelope.content, policy=default))
        self.recipients += envelope.rcpt_tos
        return "250 OK"

    def enter(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        self.users.append(data.login.decode())
        return AuthResult(success=data.password.decode() == PASSWORD, handled=False)


class _StartTls(Controller):
    """A server that takes nothing before the connection is encrypted."""

    def __init__(self, box: Mailbox, tls: ssl.SSLContext) -> None:
        super().__init__(box, hostname="127.0.0.1", port=0)
        self._box, self._tls = box, tls

    def factory(self) -> SMTP:
        return SMTP(
            self._box,
            tls_context=self._tls,
            require_starttls=True,
            auth_required=True,
            authenticator=self._box.enter,
        )

    def _trigger_server(self) -> None:
        # The port is known only once the server listens, and this asks for the one that was wished for.
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextmanager
def mail_server(folder: Path) -> Iterator[Mailbox]:
    """A mail server with STARTTLS and a password."""
    files = certificate(folder)
    box = Mailbox(pem=files[0])
    controller = _StartTls(box, context(files))
    controller.start()
    box.port = controller.port
    try:
        yield box
    finally:
        controller.stop()
