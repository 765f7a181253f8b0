"""Mail by SMTP, with the standard library."""

import re
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from core.errors import DeliveryFailed, InputError
from domain.alert_settings import AlertsSettings

ADDRESS = re.compile(r"[A-Za-z0-9._%+'-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
LONGEST = 254
BAD_ADDRESS = "Escriba una dirección de correo completa, como ana@bufete.example."
AWAY = "No se pudo conectar con el servidor de correo ({kind})."
REFUSED = "El servidor de correo rechazó el envío ({kind})."
NO_ENTRY = "El servidor de correo no aceptó el usuario o la contraseña."
NO_RECIPIENT = "El servidor de correo rechazó la dirección del destinatario."


def checked_address(text: str) -> str:
    """An address as it can be written to, without spaces around it. Raises InputError."""
    address = text.strip()
    if len(address) > LONGEST or not ADDRESS.fullmatch(address):
        raise InputError(BAD_ADDRESS)
    return address


def send(chosen: AlertsSettings, to: str, subject: str, text: str) -> None:
    """Send one message of plain text.

    Raises:
        DeliveryFailed: it was not taken; the sentence names neither the recipient nor the text.
    """
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = chosen.smtp_from, to, subject
    message["Date"] = formatdate()
    # The default names this machine.
    message["Message-ID"] = make_msgid(domain=chosen.smtp_from.rpartition("@")[2].strip("> "))
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text)
    try:
        with _connected(chosen) as server:
            if chosen.smtp_user and chosen.smtp_password:
                server.login(chosen.smtp_user, chosen.smtp_password.get_secret_value())
            server.send_message(message)
    except smtplib.SMTPAuthenticationError as error:
        raise DeliveryFailed(NO_ENTRY) from error
    except smtplib.SMTPRecipientsRefused as error:
        raise RecipientRefused(NO_RECIPIENT) from error
    except (smtplib.SMTPConnectError, smtplib.SMTPServerDisconnected) as error:
        raise DeliveryFailed(AWAY.format(kind=type(error).__name__)) from error
    except smtplib.SMTPException as error:
        raise DeliveryFailed(REFUSED.format(kind=type(error).__name__)) from error
    except (OSError, UnicodeError) as error:
        raise DeliveryFailed(AWAY.format(kind=type(error).__name__)) from error


class RecipientRefused(DeliveryFailed):
    """The server takes mail, and none for this recipient."""


def _connected(chosen: AlertsSettings) -> smtplib.SMTP:
    address = (chosen.smtp_host, chosen.smtp_port)
    if chosen.smtp_security == "tls":
        return smtplib.SMTP_SSL(*address, timeout=chosen.smtp_timeout, context=trusted(chosen))
    server = smtplib.SMTP(*address, timeout=chosen.smtp_timeout)
    try:
        if chosen.smtp_security == "starttls":
            server.starttls(context=trusted(chosen))
    except BaseException:
        server.close()
        raise
    return server


def trusted(chosen: AlertsSettings) -> ssl.SSLContext:
    """The certificates of this machine, and those of ALERTS_CA_FILE. Raises OSError: it cannot be read."""
    context = ssl.create_default_context()
    if chosen.alerts_ca_file is not None:
        context.load_verify_locations(chosen.alerts_ca_file)
    return context
