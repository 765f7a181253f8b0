"""A person's address confirmed by a code that is sent to it: without that, digests go nowhere."""

import secrets
from datetime import UTC, datetime, timedelta

from core.errors import InputError
from domain.alert_settings import AlertsSettings
from service.accounts.sessions import hashed
from service.program import mail
from storage.alerts.addresses import SqlAddressStore

SIGNS, LENGTH, LIFE = "23456789ABCDEFGHJKMNPQRSTUVWXYZ", 10, timedelta(hours=1)
"""Fifty bits: too many to be found from a hash within their life, few enough to be typed."""
LONGEST = 40
NO_MAIL = "Esta instalación no envía correo: pídalo a quien administre Articulado."
SUBJECT = "Articulado: código para confirmar su dirección"
TEXT = """\
Alguien ha pedido recibir en esta dirección los avisos de Articulado. Si ha sido usted, escriba este código \
en la página «Novedades», pestaña «Avisos por correo»:

    {code}

Vale una hora y una sola vez. Si no ha sido usted, no haga nada: sin el código no se le enviará ningún aviso.
"""


def send_code(settings: AlertsSettings, store: SqlAddressStore, owner: str) -> None:
    """Send a new code to the person's address.

    Raises:
        InputError: no mail is sent here, or as `SqlAddressStore.issue`.
        DeliveryFailed: it was not taken; another may be asked for.
    """
    if not settings.smtp_host:
        raise InputError(NO_MAIL)
    code = "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
    now = datetime.now(UTC)
    address = store.issue(owner, hashed(code), now, now + LIFE)
    mail.send(settings, address, SUBJECT, TEXT.format(code=f"{code[:5]}-{code[5:]}"))


def confirm(store: SqlAddressStore, owner: str, code: str) -> None:
    """Confirm the address by what the person typed. Raises InputError: see `SqlAddressStore.confirm`."""
    typed = "".join(filter(str.isalnum, code[:LONGEST])).upper()
    store.confirm(owner, hashed(typed), datetime.now(UTC))
