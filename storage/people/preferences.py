"""Preferences of people by the person's id."""

from typing import Any

from sqlalchemy.dialects import postgresql, sqlite

from core.errors import InputError
from domain.preferences import Preferences
from storage.base.engine import Store, required
from storage.tables.accounts import PreferencesRow

NO_DAY = "Elija primero el día fijo."


class SqlPreferenceStore(Store):
    """Preferences of people. Raises (all methods): StorageError."""

    def read(self, owner: str) -> Preferences:
        """Preferences of the person; the defaults for a person who has chosen nothing."""
        with self._db.read() as session:
            row = session.get(PreferencesRow, owner)
            return row.as_value(Preferences) if row else Preferences()

    def change(self, owner: str, /, **changes: Any) -> Preferences:
        """Change some of them and leave the others as another window may have set them meanwhile.

        Raises:
            InputError: a fixed day is chosen and there is none; nothing changed.
            ValidationError: no such preference, or no such value of it; nothing changed.
        """
        with self._db.write() as session:
            insert: Any = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
            fresh = insert(PreferencesRow).values(owner=owner, **Preferences().model_dump())
            session.execute(fresh.on_conflict_do_nothing())
            row = required(session, PreferencesRow, owner, "", lock=True)
            before = row.as_value(Preferences).model_dump()
            after = Preferences.model_validate(before | changes)
            if after.day == "fixed" and after.fixed_day is None:
                raise InputError(NO_DAY)
            for name, value in after.model_dump().items():
                setattr(row, name, value)
        return after
