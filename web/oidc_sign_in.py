"""Routes that sign in with the identity provider: there and back.

State, nonce, PKCE verifier and page are kept in a cookie of the browser meanwhile, because the answer may
reach another process. The cookie needs no signature: anybody who could write it could also start a sign-in,
and over TLS the prefix of its name keeps other hosts from writing it.
"""

from __future__ import annotations

import base64
import hmac
import logging
import secrets

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from core.errors import ArticuladoError
from core.values import Value
from domain.auth_settings import AuthSettings
from service.accounts.sign_in import Person
from service.accounts.throttle import SignInRefused
from web import html
from web.base import access
from web.cookies import set_cookie
from web.form_routes import FormServices, problem
from web.oidc import NOT_CONFIRMED, Provider, ProviderUnavailable

MINUTES = 10
EXPIRED = "El intento de entrar ha caducado o se ha empezado en otra pestaña. Vuelva a empezar."
CANCELLED = "Su organización no le ha dejado entrar, o usted lo ha cancelado."

logger = logging.getLogger(__name__)


class Attempt(Value):
    """One sign-in under way in one browser."""

    state: str
    nonce: str
    verifier: str
    page: str

    def written(self) -> str:
        return base64.urlsafe_b64encode(self.model_dump_json().encode()).decode()

    @classmethod
    def read(cls, cookie: str) -> Attempt | None:
        """The attempt in a cookie, or None if it is spoilt."""
        try:
            return cls.model_validate_json(base64.urlsafe_b64decode(cookie))
        except ValueError:
            return None


class OidcSignIn:
    """Endpoints of the routes."""

    def __init__(self, services: FormServices, provider: Provider) -> None:
        self.services = services
        self.provider = provider
        self._secure = services.site.secure
        self._cookie = "__Host-articulado_oidc" if self._secure else "articulado_oidc"

    async def start(self, request: Request) -> Response:
        """Send the browser to the provider."""
        attempt = Attempt(
            state=secrets.token_urlsafe(32),
            nonce=secrets.token_urlsafe(32),
            verifier=secrets.token_urlsafe(48),
            page=access.local_page(request.query_params.get("next", "")),
        )
        try:
            address = await self.provider.authorization_address(
                self._back(request), attempt.state, attempt.nonce, attempt.verifier
            )
        except ArticuladoError as error:
            return self._failed(error)
        response = RedirectResponse(address, 303)
        set_cookie(response, self._cookie, attempt.written(), seconds=MINUTES * 60, secure=self._secure)
        return response

    async def finish(self, request: Request) -> Response:
        """Take the provider's answer from the browser; each attempt takes one answer."""
        try:
            response = await self._signed_in(request)
        except ArticuladoError as error:
            response = self._failed(error)
        set_cookie(response, self._cookie, "", seconds=0, secure=self._secure)
        return response

    async def leave(self, request: Request) -> Response:
        """Send the browser to the provider's sign-out page, if it has one."""
        try:
            address = await self.provider.logout_address(
                self.services.site.origin(request.scope) + access.SIGN_IN
            )
        except ArticuladoError as error:
            return self._failed(error)
        return RedirectResponse(address or access.SIGN_IN, 303)

    async def _signed_in(self, request: Request) -> Response:
        said = request.query_params
        attempt = Attempt.read(request.cookies.get(self._cookie, ""))
        if attempt is None or not hmac.compare_digest(attempt.state.encode(), said.get("state", "").encode()):
            raise SignInRefused(EXPIRED)
        if not await self.provider.is_own_answer(said.get("iss")):
            logger.warning("an answer of another identity provider was refused")
            raise SignInRefused(NOT_CONFIRMED)
        if "error" in said or not said.get("code"):
            raise SignInRefused(CANCELLED)
        person = await self.provider.person(
            said["code"], self._back(request), attempt.nonce, attempt.verifier
        )
        return await self._welcome(request, person, access.local_page(attempt.page))

    async def _welcome(self, request: Request, person: Person, page: str) -> Response:
        signed_in = await run_in_threadpool(
            self.services.accounts().sign_in.by_provider,
            person,
            **self.services.client(request),
            previous_token=self.services.token(request),
        )
        return self.services.welcome(signed_in, page)

    def _back(self, request: Request) -> str:
        return self.services.site.origin(request.scope) + access.OIDC_RETURN

    def _failed(self, error: ArticuladoError) -> Response:
        again = html.link(access.SIGN_IN, "Volver a empezar", strong=True)
        view = problem("", {}, error)
        text = str(error) if isinstance(error, ProviderUnavailable) else view.error
        return html.page("No se ha podido entrar", again, error=text, status=view.status)


def routes(services: FormServices, chosen: AuthSettings) -> list[Route]:
    """The routes of AUTH_MODE=oidc."""
    there = OidcSignIn(services, Provider(chosen))
    return [
        Route(access.OIDC_START, there.start),
        Route(access.OIDC_RETURN, there.finish),
        Route(access.OIDC_LEAVE, there.leave),
    ]
