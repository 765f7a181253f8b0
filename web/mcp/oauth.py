"""OAuth for assistants: metadata, registration, tokens and their end (RFC 9728, 8414, 7591, 7009).

The handlers are the MCP library's, over our accounts. The question to the person is a form of ours
(`web.consent`). Descriptions of errors are English, because RFC 6749 allows them ASCII alone.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.client_auth import AuthenticationError, ClientAuthenticator
from mcp.server.auth.provider import (
    AuthorizationCode,
    RefreshToken,
    RegistrationError,
    TokenError,
)
from mcp.server.auth.settings import ClientRegistrationOptions
from mcp.server.transport_security import RequestBodyLimitMiddleware
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyUrl
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, request_response
from starlette.types import ASGIApp

from core.errors import InputError
from service.accounts.accounts import Accounts
from service.accounts.clients import Client
from service.accounts.grants import CODE, REFRESH, SCOPES, Granted, Grants
from service.accounts.throttle import place
from web.api.admission import Rate
from web.base import access
from web.base.site import Site, is_resource

MOST_BYTES = 16_000
PER_MINUTE = 120
"""Requests of one address, behind which a whole office may be; 60 people refresh once an hour."""
SPENT = "it has been used already"
PUBLIC = "none"
"""How programs prove who they are: by PKCE alone. A secret that anybody can have proves nothing more."""
Answer = Callable[[Request], Awaitable[Response]]


class Code(AuthorizationCode):
    """A code that is good, with what it stands for."""

    granted: Granted


class Refresh(RefreshToken):
    """A refresh token that is good, with what it stands for."""

    granted: Granted


class Provider:
    """As much of `mcp.server.auth.provider.OAuthAuthorizationServerProvider` as these handlers ask for."""

    def __init__(self, grants: Callable[[], Grants]) -> None:
        self._grants = grants

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        found = Client.of(client_id)
        if found is None:
            return None
        return OAuthClientInformationFull(client_id=client_id, token_endpoint_auth_method=PUBLIC)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Give the program its id, and no secret: RFC 7591 lets the server replace what was asked for."""
        given = client_info.redirect_uris or []
        try:
            asked = Client.registered(client_info.client_name or "", list(map(str, given)))
        except InputError as error:
            raise RegistrationError("invalid_redirect_uri", str(error)) from None
        client_info.client_id, client_info.client_name = asked.new_id(), asked.name
        client_info.redirect_uris = [one for one in given if str(one) in asked.redirects]
        client_info.client_secret = client_info.client_secret_expires_at = None
        client_info.token_endpoint_auth_method, client_info.scope = PUBLIC, " ".join(SCOPES)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> Code | None:
        found = await run_in_threadpool(self._grants().shown, CODE, client.client_id, authorization_code)
        if found is None:
            return None
        return Code(
            code=authorization_code,
            scopes=[*found.token.scopes],
            expires_at=found.token.expires_at.timestamp(),
            client_id=client.client_id,
            code_challenge=found.grant.challenge,
            redirect_uri=AnyUrl(found.token.redirect),
            redirect_uri_provided_explicitly=True,
            granted=found,
        )

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: Code
    ) -> OAuthToken:
        return await self._renewed(authorization_code.granted, authorization_code.code)

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> Refresh | None:
        found = await run_in_threadpool(self._grants().shown, REFRESH, client.client_id, refresh_token)
        if found is None:
            return None
        scopes: list[str] = [*found.token.scopes]
        return Refresh(token=refresh_token, client_id=client.client_id, scopes=scopes, granted=found)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: Refresh, scopes: list[str]
    ) -> OAuthToken:
        """New tokens for all that was allowed, which the reply names, also if fewer `scopes` are asked."""
        return await self._renewed(refresh_token.granted, refresh_token.token)

    async def _renewed(self, shown: Granted, secret: str) -> OAuthToken:
        made = await run_in_threadpool(self._grants().renew, shown, secret)
        if made is None:
            raise TokenError("invalid_grant", SPENT)
        return OAuthToken(
            access_token=made.access,
            refresh_token=made.refresh,
            expires_in=made.seconds,
            scope=" ".join(shown.token.scopes),
        )


def application(site: Site, accounts: Callable[[], Accounts]) -> ASGIApp:
    """The addresses of `access.OAUTH`."""
    provider: Any = Provider(lambda: accounts().grants)
    authenticator, rate = ClientAuthenticator(provider), Rate(PER_MINUTE)
    tokens = TokenHandler(provider, authenticator)
    registration = RegistrationHandler(provider, ClientRegistrationOptions(enabled=True))

    async def protected(request: Request) -> Response:
        origin = site.origin(request.scope)
        told = {
            "resource": origin + access.MCP,
            "authorization_servers": [origin],
            "resource_name": "Articulado",
        }
        return JSONResponse(told | {"scopes_supported": [*SCOPES], "bearer_methods_supported": ["header"]})

    async def issuer(request: Request) -> Response:
        origin = site.origin(request.scope)
        return JSONResponse(
            {
                "issuer": origin,
                "authorization_endpoint": origin + access.CONSENT,
                "token_endpoint": origin + access.TOKEN,
                "registration_endpoint": origin + access.REGISTER,
                "revocation_endpoint": origin + access.REVOKE,
                "response_types_supported": ["code"],
                "grant_types_supported": ["authorization_code", "refresh_token"],
                "code_challenge_methods_supported": ["S256"],
                "token_endpoint_auth_methods_supported": [PUBLIC],
                "revocation_endpoint_auth_methods_supported": [PUBLIC],
                "scopes_supported": [*SCOPES],
                "authorization_response_iss_parameter_supported": True,
            }
        )

    async def token(request: Request) -> Response:
        asked = (await request.form()).get("resource")
        if asked is not None and not is_resource(str(asked), site.origin(request.scope) + access.MCP):
            return JSONResponse({"error": "invalid_target"}, 400)
        answered: Response = await tokens.handle(request)
        return answered

    async def revoke(request: Request) -> Response:
        # The library's handler refuses programs without a secret.
        try:
            client = await authenticator.authenticate_request(request)
        except AuthenticationError as error:
            return JSONResponse({"error": "invalid_client", "error_description": error.message}, 401)
        secret = str((await request.form()).get("token", ""))
        await run_in_threadpool(accounts().grants.revoke, client.client_id, secret)
        return Response()

    def limited(answer: Answer) -> ASGIApp:
        async def within_rate(request: Request) -> Response:
            if seconds := rate.wait(place(site.client_address(request.scope))):
                return JSONResponse({"error": "slow_down"}, 429, {"Retry-After": str(seconds)})
            return await answer(request)

        return RequestBodyLimitMiddleware(request_response(within_rate), MOST_BYTES)

    paths = sorted(one for one in access.OAUTH if one.startswith(access.PROTECTED))
    return Starlette(
        routes=[
            *(Route(path, protected) for path in paths),
            Route(access.ISSUER, issuer),
            Route(access.REGISTER, limited(registration.handle), methods=["POST"]),
            Route(access.TOKEN, limited(token), methods=["POST"]),
            Route(access.REVOKE, limited(revoke), methods=["POST"]),
        ]
    )
