"""Addresses for digests, confirmed by a code that was sent to them."""

from datetime import datetime, timedelta

from core.errors import InputError
from storage.base.engine import ALERTS_LOCK, Store
from storage.tables.alerts import AddressCodeRow, AlertSettingsRow

MOST_CODES, PERIOD, MOST_TRIES = 5, timedelta(hours=24), 5
NO_ADDRESS = "Escriba primero la dirección de correo y guárdela."
NOT_NEEDED = "Esa dirección ya está confirmada."
OFTEN = f"Ya se han enviado {MOST_CODES} códigos en 24 horas: espere a mañana para pedir otro."
WRONG = "Ese no es el código que se envió: cópielo del último correo. Intentos que quedan: {left}."
LAST = "Ese no era el código que se envió, y ya no quedan intentos: pida otro."
VOID = "Ese código ya no sirve, porque ha caducado o se ha usado: pida otro."


class SqlAddressStore(Store):
    """Codes by the SHA-256 of them, one a person: a new one voids the one before.

    Raises (all methods): StorageError.
    """

    def issue(self, owner: str, code_hash: str, now: datetime, expires_at: datetime) -> str:
        """Keep a code that is about to be sent; the address that it is for.

        Raises:
            InputError: there is no address to confirm, or MOST_CODES were sent within PERIOD.
        """
        with self._db.write(ALERTS_LOCK) as session:
            settings = session.get(AlertSettingsRow, owner)
            if settings is None or not settings.email:
                raise InputError(NO_ADDRESS)
            if settings.confirmed_at is not None:
                raise InputError(NOT_NEEDED)
            row = session.get(AddressCodeRow, owner)
            sent, since = (0, now) if row is None or now - row.since >= PERIOD else (row.sent, row.since)
            if sent >= MOST_CODES:
                raise InputError(OFTEN)
            session.merge(
                AddressCodeRow(
                    owner=owner,
                    code_hash=code_hash,
                    expires_at=expires_at,
                    tries=0,
                    sent=sent + 1,
                    since=since,
                )
            )
            return settings.email

    def confirm(self, owner: str, code_hash: str, now: datetime) -> None:
        """Record that the person has the code that was sent to their address; it is used up.

        Raises:
            InputError: it is another one, which counts as a try, or none is waited for.
        """
        with self._db.write(ALERTS_LOCK) as session:
            row, settings = session.get(AddressCodeRow, owner), session.get(AlertSettingsRow, owner)
            if row is None or settings is None or not row.code_hash or row.expires_at <= now:
                problem = VOID
            elif row.code_hash != code_hash:
                row.tries += 1
                left = MOST_TRIES - row.tries
                problem = WRONG.format(left=left) if left else LAST
                row.code_hash = row.code_hash if left else ""
            else:
                problem, row.code_hash, settings.confirmed_at = "", "", now
        # Not inside: what is raised there takes the count of tries back.
        if problem:
            raise InputError(problem)
