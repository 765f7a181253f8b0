"""Tokens of people's programs: those that a person makes, and those of programs that they let in."""

from datetime import datetime

from core.values import Value
from domain.accounts import Scope


class ApiToken(Value):
    """A token by which programs of a person use the API in their name; its secret is known to them alone.

    Attributes:
        id: public name of the token, of no use for coming in.
        name: what its owner calls it.
        seen_at: when it was last used, to the minute; None = never.
        resource: the one address that a program was let in to; '' = it may be used at all of them.
        redirect: where the browser went back to when it was let in.
    """

    id: str
    account_id: str
    name: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    expires_at: datetime
    seen_at: datetime | None = None
    resource: str = ""
    redirect: str = ""


class Grant(Value):
    """The rest of the token of a program that a person let in; of a token that they made, nothing.

    Attributes:
        client: hash of the program's id.
        family: hash of how each of its one-time secrets begins: first the code, then refresh tokens.
        next_hash: hash of the one that is good now; whoever shows another of the family has a spent one.
        challenge: PKCE's, until the code is redeemed.
        until: end of the access token, which a refresh token renews.
    """

    client: str = ""
    family: str | None = None
    next_hash: str = ""
    challenge: str = ""
    until: datetime | None = None
