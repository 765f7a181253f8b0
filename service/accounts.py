"""Who is who: signing in and out, sessions, passwords."""

from __future__ import annotations

from rag.accounts_types import LOCAL, Identity


class Accounts:
    """The door to accounts and sessions, in the mode that the settings name."""

    def identify(self, token: str) -> Identity | None:
        """Who holds this session token now; in the personal mode, the one local person."""
        return LOCAL
