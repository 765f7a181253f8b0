"""Personal API tokens: values only."""

from datetime import datetime

from core.values import Value
from domain.accounts import Scope


class ApiToken(Value):
    """A token by which programs of a person use the API in their name; its secret is known to them alone.

    Attributes:
        id: public name of the token, of no use for coming in.
        name: what its owner calls it.
        seen_at: when it was last used, to the minute; None = never.
    """

    id: str
    account_id: str
    name: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    expires_at: datetime
    seen_at: datetime | None = None
