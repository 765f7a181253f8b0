"""Base of our forms: read, checked, acted upon, and shown again with the error."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import ParamSpec, TypeVar

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from core.errors import ArticuladoError, InputError
from domain.accounts import Identity
from service.accounts.accounts import Accounts
from service.accounts.sessions import SignedIn
from service.accounts.throttle import SignInRefused, Throttled
from web import html
from web.base import access
from web.base.site import Site
from web.cookies import device_token, keep_device, keep_session, own_token
from web.forms import CSRF, BadForm, Csrf, read_form
from web.html import Field
from web.watch import Watch

P = ParamSpec("P")
Result = TypeVar("Result")

HASHERS = 2
WAITING_LIMIT = 40
STALE = "El formulario había caducado. Vuelva a enviarlo."
BUSY = "Hay demasiadas personas entrando a la vez. Espere unos segundos."
BROKEN = "No se ha podido comprobar ahora mismo. Inténtelo en unos segundos."


logger = logging.getLogger(__name__)


class Busy(Exception):
    """WAITING_LIMIT sign-ins wait already."""


@dataclass
class FormServices:
    """Services of the form routes.

    Attributes:
        provider: True if people sign in with an OIDC provider.
    """

    site: Site
    accounts: Callable[[], Accounts]
    watch: Watch
    provider: bool = False
    _hashers: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(HASHERS, "passwords"))
    _waiting: int = 0

    def token(self, request: HTTPConnection) -> str:
        """The session token of the browser, or ''."""
        return own_token(request.cookies, secure=self.site.secure)

    def device(self, request: HTTPConnection) -> str:
        """The token by which an account knows the browser, or ''."""
        return device_token(request.cookies, secure=self.site.secure)

    async def identity(self, request: HTTPConnection) -> Identity | None:
        """The person whose session the browser holds, or None; asks the database, in a thread."""
        token = self.token(request)
        return await run_in_threadpool(self.accounts().sessions.identify, token) if token else None

    async def needs_setup(self) -> bool:
        """True while no account exists."""
        return await run_in_threadpool(lambda: self.accounts().setup.needed)

    def client(self, request: Request) -> dict[str, str]:
        """Address and user agent, as `Sessions.open` takes them."""
        return {
            "address": self.site.client_address(request.scope),
            "agent": request.headers.get("user-agent", "")[:200],
        }

    async def hash(self, work: Callable[P, Result], *args: P.args, **more: P.kwargs) -> Result:
        """Run `work`, which hashes a password, in one of two threads of its own: a flood slows only sign-ins.

        Raises:
            Busy: too many wait already.
        """
        if self._waiting >= WAITING_LIMIT:
            raise Busy
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._hashers, partial(work, *args, **more)
            )
        finally:
            self._waiting -= 1

    def welcome(self, signed_in: SignedIn, address: str) -> Response:
        """Redirect with the cookies of session and device, first to the form if the password must change."""
        ahead = access.PASSWORD if signed_in.identity.must_change else address
        response = RedirectResponse(ahead, 303)
        keep_session(response, signed_in.token, secure=self.site.secure)
        if signed_in.device:
            keep_device(response, signed_in.device, secure=self.site.secure)
        return response


@dataclass(frozen=True)
class View:
    """A form about to be shown: the fields sent before, and the error in them."""

    csrf: str
    sent: Mapping[str, str]
    error: str = ""
    status: int = 200
    wait: int = 0

    def value(self, name: str) -> str:
        """A field as it was sent, cut to 200 characters."""
        return self.sent.get(name, "")[:200]

    def form(self, action: str, button: str, *fields: Field, quiet: bool = False, **hidden: str) -> Markup:
        """A form with its CSRF token; `hidden` are further fields."""
        return html.form(action, button, fields, {CSRF: self.csrf, **hidden}, quiet=quiet)

    def page(self, title: str, *content: Markup, lead: str = "", notice: str = "") -> HTMLResponse:
        """A page with the error, or else the notice."""
        headers = {"Retry-After": str(self.wait)} if self.wait else {}
        return html.page(
            title,
            *content,
            lead=lead,
            notice="" if self.error else notice,
            error=self.error,
            status=self.status,
            headers=headers,
        )


class FormRoute(ABC):
    """A form: GET draws it, POST acts on it and draws it again with the error if that fails."""

    def __init__(self, services: FormServices) -> None:
        self.services = services

    @abstractmethod
    def draw(self, view: View) -> Response:
        """The page with the form."""

    @abstractmethod
    async def act(self, request: Request, form: dict[str, str]) -> Response:
        """Do what the form asks for. Raises Busy and ArticuladoError."""

    async def answer(self, request: Request) -> Response:
        csrf = Csrf(request, self.services.token(request), secure=self.services.site.secure)
        form: dict[str, str] = {}
        if request.method != "POST":
            return self._show(csrf, View(csrf.token, request.query_params))
        try:
            form = await read_form(request)
            if not csrf.accepts(form):
                return self._show(csrf, View(csrf.token, form, STALE, 403))
            return await self.act(request, form)
        except (BadForm, Busy, ArticuladoError) as error:
            return self._show(csrf, problem(csrf.token, form, error))

    def _show(self, csrf: Csrf, view: View) -> Response:
        response = self.draw(view)
        csrf.keep(response)
        return response


def problem(csrf: str, form: Mapping[str, str], error: Exception) -> View:
    """The form again, with the message and status for an error; details of an unexpected one stay inside."""
    if isinstance(error, BadForm):
        return View(csrf, form, str(error), error.status)
    if isinstance(error, Throttled):
        return View(csrf, form, str(error), 429, wait=int(error.retry_after) + 1)
    if isinstance(error, SignInRefused):
        return View(csrf, form, str(error), 401)
    if isinstance(error, InputError):
        return View(csrf, form, str(error), 422)
    logger.error("a sign-in failed: %s", type(error).__name__)
    return View(csrf, form, BUSY if isinstance(error, Busy) else BROKEN, 503, wait=10)
