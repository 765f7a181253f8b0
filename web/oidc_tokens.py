"""ID tokens: signature against the provider's keys, and claims (OpenID Connect Core 1.0 §3.1.3.7)."""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Public-key signatures only: with `none` or HMAC anybody could sign."""

LEEWAY = 60  # seconds by which the clocks may differ
KEYS_SECONDS = 3600.0
RENEW_SECONDS = 10.0
LONGEST = 32 * 1024  # characters of a token

logger = logging.getLogger(__name__)


class Keys:
    """The provider's public keys, kept for an hour.

    Providers change their keys: an unknown one makes the keys be fetched again, at most every ten seconds.
    """

    def __init__(self, fetch: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        self._fetch = fetch
        self._keys: KeySet | None = None
        self._read_at = 0.0

    async def current(self) -> KeySet:
        """The keys, fetched if they are older than an hour."""
        if self._keys is None or time.monotonic() - self._read_at > KEYS_SECONDS:
            await self._read()
        assert self._keys is not None
        return self._keys

    async def renewed(self) -> KeySet | None:
        """The keys fetched again, or None if that happened within ten seconds."""
        if time.monotonic() - self._read_at < RENEW_SECONDS:
            return None
        return await self._read()

    async def _read(self) -> KeySet:
        read = await self._fetch()
        try:
            keys = KeySet.import_key_set({"keys": read["keys"]})
        except (JoseError, ValueError, KeyError, TypeError):
            logger.error("the identity provider's keys cannot be read")
            keys = KeySet([])
        self._keys, self._read_at = keys, time.monotonic()
        return keys


async def checked_claims(
    token: str, keys: Keys, *, issuer: str, client_id: str, nonce: str
) -> dict[str, Any] | None:
    """The claims of an ID token made for this sign-in, or None; the log says why."""
    if len(token) > LONGEST:
        logger.warning("ID token refused: too long")
        return None
    try:
        claims = await _verified(token, keys)
        registry = jwt.JWTClaimsRegistry(
            leeway=LEEWAY,
            iss={"essential": True, "value": issuer},
            aud={"essential": True, "value": client_id},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        registry.validate(claims)
        _require_authorized_party(claims, client_id)
    except (JoseError, ValueError, TypeError, KeyError) as error:
        logger.warning("ID token refused: %s", type(error).__name__)
        return None
    return claims


async def _verified(token: str, keys: Keys) -> dict[str, Any]:
    try:
        return jwt.decode(token, await keys.current(), algorithms=ALGORITHMS).claims
    except InvalidKeyIdError:
        renewed = await keys.renewed()
        if renewed is None:
            raise
        return jwt.decode(token, renewed, algorithms=ALGORITHMS).claims


def _require_authorized_party(claims: dict[str, Any], client_id: str) -> None:
    """Raises ValueError unless `azp` is ours; it may be absent if there is one audience."""
    audiences = claims["aud"]
    several = isinstance(audiences, list) and len(audiences) > 1
    if (several or "azp" in claims) and claims.get("azp") != client_id:
        raise ValueError("azp")
