"""Client of one OpenID Connect provider: authorization code with PKCE, tokens checked against its keys.

OpenID Connect Core 1.0 §3.1, RFC 7636 (PKCE), RFC 9207 (issuer in the answer), RP-Initiated Logout 1.0.
"""

import asyncio
import base64
import hashlib
import logging
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx

from core.errors import ArticuladoError
from core.hosts import is_loopback
from domain.accounts import Role
from domain.auth_settings import AuthSettings
from service.accounts.sign_in import Person
from service.accounts.throttle import SignInRefused
from web.oidc_tokens import Keys, checked_claims

SECONDS = 10.0  # to answer
LONGEST_ANSWER = 1024 * 1024  # bytes
METADATA_SECONDS = 3600.0  # until the provider's description is read again
NOT_CONFIRMED = "Su organización no ha confirmado quién es. Vuelva a intentarlo."
NO_USERNAME = "Su organización no ha dicho su nombre de usuario: consulte a quien administre Articulado."
TOO_MANY_GROUPS = (
    "Su organización no dice sus grupos porque son demasiados: pida a quien la administre que envíe a"
    " Articulado solo los grupos asignados a la aplicación, o roles de aplicación."
)
OVERAGE = "_claim_names"
"""Claim in which Entra names those that are too long for a token."""
MAIL, VERIFIED = "email", "email_verified"

logger = logging.getLogger(__name__)


class ProviderUnavailable(ArticuladoError):
    """The provider cannot be reached, or its answer is not that of a provider."""

    def __init__(self) -> None:
        super().__init__("El acceso de su organización no responde ahora. Inténtelo en unos minutos.")


class Provider:
    """The provider of the settings. Raises (all coroutines): ProviderUnavailable."""

    def __init__(self, chosen: AuthSettings) -> None:
        self._chosen = chosen
        self._keys = Keys(self._fetch_keys)
        self._metadata: dict[str, Any] = {}
        self._read_at = 0.0

    async def authorization_address(self, redirect_uri: str, state: str, nonce: str, verifier: str) -> str:
        """Address at the provider where the browser signs in."""
        asked = {
            "response_type": "code",
            "client_id": self._chosen.oidc_client_id,
            "redirect_uri": redirect_uri,
            "scope": self._chosen.oidc_scopes,
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge(verifier),
            "code_challenge_method": "S256",
        }
        return _with_query(await self._endpoint("authorization_endpoint"), asked)

    async def logout_address(self, back: str) -> str:
        """Address at the provider where the browser signs out; '' when it has none."""
        metadata = await self._known()
        if not metadata.get("end_session_endpoint"):
            return ""
        asked = {"client_id": self._chosen.oidc_client_id, "post_logout_redirect_uri": back}
        return _with_query(await self._endpoint("end_session_endpoint"), asked)

    async def is_own_answer(self, issuer: str | None) -> bool:
        """True if the `iss` of an answer is this provider's, or is absent and was not promised (RFC 9207)."""
        promised = (await self._known()).get("authorization_response_iss_parameter_supported") is True
        return issuer == self._chosen.oidc_issuer if issuer is not None else not promised

    async def person(self, code: str, redirect_uri: str, nonce: str, verifier: str) -> Person:
        """Exchange the code for tokens and check them.

        Raises:
            SignInRefused: the provider refuses the code, its token fails a check, or a claim is missing.
        """
        tokens = await self._exchange(code, redirect_uri, verifier)
        claims = await checked_claims(
            str(tokens.get("id_token", "")),
            self._keys,
            issuer=self._chosen.oidc_issuer,
            client_id=self._chosen.oidc_client_id,
            nonce=nonce,
        )
        if claims is None:
            raise SignInRefused(NOT_CONFIRMED)
        if any(claim_of(claims, name) is None for name in self._wanted()):
            claims = {**await self._userinfo(tokens, claims["sub"]), **claims}
        return self._person(claims)

    def _wanted(self) -> list[str]:
        claim = self._chosen.oidc_username_claim
        wanted = (claim, self._chosen.oidc_roles_claim, VERIFIED if claim == MAIL else "")
        return list(filter(None, wanted))

    def _person(self, claims: Mapping[str, Any]) -> Person:
        claim = self._chosen.oidc_username_claim
        username = claim_of(claims, claim)
        if not isinstance(username, str) or not username:
            raise SignInRefused(NO_USERNAME)
        name = claims.get("name")
        return Person(
            issuer=self._chosen.oidc_issuer,
            subject=claims["sub"],
            username=username,
            name=name if isinstance(name, str) and name else username,
            roles=self._roles(claims),
            verified=claim != MAIL or str(claims.get(VERIFIED)).lower() == "true",
        )

    def _roles(self, claims: Mapping[str, Any]) -> tuple[Role, ...] | None:
        if not self._chosen.oidc_roles_claim:
            return None
        said = claim_of(claims, self._chosen.oidc_roles_claim)
        elsewhere = claims.get(OVERAGE)
        if said is None and isinstance(elsewhere, Mapping) and self._chosen.oidc_roles_claim in elsewhere:
            raise SignInRefused(TOO_MANY_GROUPS)
        groups = [said] if isinstance(said, str) else said if isinstance(said, list) else []
        known = self._chosen.oidc_roles
        given = {role for group in groups if isinstance(group, str) for role in known.get(group, ())}
        return tuple(role for role in Role if role in given)

    async def _exchange(self, code: str, redirect_uri: str, verifier: str) -> dict[str, Any]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
            "client_id": self._chosen.oidc_client_id,
        }
        secret, auth = self._chosen.oidc_client_secret, None
        if secret is not None:
            methods = (await self._known()).get("token_endpoint_auth_methods_supported")
            if isinstance(methods, list) and "client_secret_basic" not in methods:
                form["client_secret"] = secret.get_secret_value()
            else:
                pair = (self._chosen.oidc_client_id, secret.get_secret_value())
                auth = httpx.BasicAuth(*(quote(part, safe="") for part in pair))
        response = await self._ask("POST", await self._endpoint("token_endpoint"), data=form, auth=auth)
        if response.status_code in (400, 401, 403):
            logger.warning(
                "the identity provider refused a code: %d %s", response.status_code, _error(response)
            )
            raise SignInRefused(NOT_CONFIRMED)
        return _json(response)

    async def _userinfo(self, tokens: Mapping[str, Any], subject: str) -> dict[str, Any]:
        access = tokens.get("access_token")
        if not isinstance(access, str) or not (await self._known()).get("userinfo_endpoint"):
            return {}
        headers = {"Authorization": f"Bearer {access}"}
        said = _json(await self._ask("GET", await self._endpoint("userinfo_endpoint"), headers=headers))
        if said.get("sub") != subject:
            logger.warning("the identity provider's userinfo is about somebody else")
            raise SignInRefused(NOT_CONFIRMED)
        return said

    async def _fetch_keys(self) -> dict[str, Any]:
        return _json(await self._ask("GET", await self._endpoint("jwks_uri")))

    async def _known(self) -> dict[str, Any]:
        """The provider's description of itself, read once an hour."""
        if not self._metadata or time.monotonic() - self._read_at > METADATA_SECONDS:
            address = self._chosen.oidc_issuer.rstrip("/") + "/.well-known/openid-configuration"
            metadata = _json(await self._ask("GET", address))
            if metadata.get("issuer") != self._chosen.oidc_issuer:
                logger.error("OIDC_ISSUER is %s, the provider says another", self._chosen.oidc_issuer)
                raise ProviderUnavailable
            self._metadata, self._read_at = metadata, time.monotonic()
        return self._metadata

    async def _endpoint(self, name: str) -> str:
        address = (await self._known()).get(name)
        if not isinstance(address, str) or not _is_safe(address):
            logger.error("the identity provider has no usable %s", name)
            raise ProviderUnavailable
        return address

    async def _ask(self, method: str, address: str, **options: Any) -> httpx.Response:
        try:
            async with (
                asyncio.timeout(SECONDS),
                httpx.AsyncClient(timeout=SECONDS, trust_env=False) as client,
                client.stream(method, address, **options) as response,
            ):
                body = b""
                async for part in response.aiter_bytes():
                    body += part
                    if len(body) > LONGEST_ANSWER:
                        raise httpx.RemoteProtocolError(f"more than {LONGEST_ANSWER} bytes")
                return httpx.Response(response.status_code, content=body)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            logger.error("the identity provider cannot be reached: %s", type(error).__name__)
            raise ProviderUnavailable from None


def challenge(verifier: str) -> str:
    """PKCE S256 (RFC 7636 §4.2)."""
    digest = hashlib.sha256(verifier.encode("ascii")).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


def claim_of(claims: Mapping[str, Any], name: str) -> Any:
    """A claim by its name or by a path such as 'realm_access.roles'; None if absent."""
    if name in claims:
        return claims[name]
    found: Any = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _is_safe(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname))


def _with_query(address: str, asked: Mapping[str, str]) -> str:
    return f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}"


def _json(response: httpx.Response) -> dict[str, Any]:
    try:
        said = response.json() if response.status_code == 200 else None
    except ValueError:
        said = None
    if not isinstance(said, dict):
        logger.error("the identity provider answered %d, and not as one", response.status_code)
        raise ProviderUnavailable
    return said


def _error(response: httpx.Response) -> str:
    """The protocol's name of the error; '' for any other text, which must not reach the log."""
    try:
        name = response.json().get("error")
    except (ValueError, AttributeError):
        return ""
    return name if isinstance(name, str) and len(name) < 40 and name.replace("_", "").isalpha() else ""
