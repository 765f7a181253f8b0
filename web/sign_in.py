"""Signing in and out, the password and the first account: plain forms that need no script."""

from __future__ import annotations

import hashlib
from functools import partial
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from rag.errors import InputError
from web import access, html
from web.access import local_page
from web.cookies import drop_session
from web.form_routes import FormRoute, FormServices, View
from web.front import STATIC
from web.guard import ACCOUNT_HEADER
from web.html import Field

DIFFERENT = "Las dos contraseñas nuevas no coinciden."
SIGNED_OUT = "Ha salido de Articulado."
FIRST = (
    "Aún no hay ninguna cuenta: esta será la de quien administra Articulado. "
    "El código está en el registro del servidor."
)


def routes(services: FormServices) -> list[Route]:
    """/acceso, /salir, /cuenta/clave, /inicio, /sesion and their style."""
    both = ["GET", "POST"]
    return [
        Route(access.SIGN_IN, SignIn(services).endpoint, methods=both),
        Route(access.SIGN_OUT, SignOut(services).endpoint, methods=both),
        Route(access.PASSWORD, Password(services).endpoint, methods=both),
        Route(access.SETUP, Setup(services).endpoint, methods=both),
        Route(access.SESSION, _session),
        Route(access.STYLE, _style),
    ]


class SignIn:
    def __init__(self, services: FormServices) -> None:
        self.services = services
        self.form = FormRoute(services, self.draw, self.act)

    async def endpoint(self, request: Request) -> Response:
        """Who has a live session is not asked again; without accounts, the first is made."""
        if request.method != "POST":
            if await self.services.identity(request) is not None:
                return RedirectResponse(local_page(request.query_params.get("next", "")), 303)
            if await self.services.needs_setup():
                return RedirectResponse(access.SETUP, 303)
        return await self.form.answer(request)

    def draw(self, view: View) -> Response:
        ahead = local_page(view.sent.get("next", ""))
        form = view.form(
            access.SIGN_IN,
            "Entrar",
            Field("username", "Usuario", "username", view.value("username")),
            Field("password", "Contraseña", "current-password", password=True),
            quiet=self.services.provider,
            next=ahead,
        )
        notice = SIGNED_OUT if "salida" in view.sent else ""
        if not self.services.provider:
            return view.page("Entrar", form, notice=notice)
        way = html.link(
            f"{access.OIDC_START}?next={quote(ahead, safe='/')}", "Entrar con su organización", strong=True
        )
        password = html.aside("Entrar con una contraseña de Articulado", form, open_=bool(view.error))
        leave = [html.link(access.OIDC_LEAVE, "Salir también de su organización")] if notice else []
        return view.page("Entrar", way, *leave, password, notice=notice)

    async def act(self, request: Request, form: dict[str, str]) -> Response:
        signed_in = await self.services.hash(
            partial(
                self.services.accounts().sign_in.by_password,
                form.get("username", ""),
                form.get("password", ""),
                **self.services.client(request),
                previous_token=self.services.token(request),
            )
        )
        return self.services.welcome(signed_in, local_page(form.get("next", "")))


class SignOut:
    def __init__(self, services: FormServices) -> None:
        self.services = services
        self.endpoint = FormRoute(services, self.draw, self.act).answer

    def draw(self, view: View) -> Response:
        return view.page(
            "Salir de Articulado",
            view.form(access.SIGN_OUT, "Salir"),
            html.link("/", "Volver sin salir"),
            lead="Se cerrará su sesión en este navegador, también en las otras pestañas.",
        )

    async def act(self, request: Request, form: dict[str, str]) -> Response:
        if token := self.services.token(request):
            await run_in_threadpool(self.services.accounts().sessions.sign_out, token)
            await self.services.watch.look()
        response = RedirectResponse(f"{access.SIGN_IN}?salida=1", 303)
        drop_session(response, secure=self.services.site.secure)
        response.headers["Clear-Site-Data"] = '"cache", "storage"'
        return response


class Password:
    def __init__(self, services: FormServices) -> None:
        self.services = services
        self.endpoint = FormRoute(services, self.draw, self.act).answer

    def draw(self, view: View) -> Response:
        return view.page(
            "Cambiar la contraseña",
            view.form(
                access.PASSWORD,
                "Cambiar la contraseña",
                Field("current", "Contraseña actual", "current-password", password=True),
                Field("new", "Contraseña nueva", "new-password", password=True, hint=html.PASSWORD_HELP),
                Field("again", "Contraseña nueva, otra vez", "new-password", password=True),
            ),
            html.link(access.SIGN_OUT, "Salir"),
            lead="Las sesiones que tenga abiertas en otros equipos se cerrarán.",
        )

    async def act(self, request: Request, form: dict[str, str]) -> Response:
        signed_in = await self.services.hash(
            partial(
                self.services.accounts().sign_in.change_password,
                self.services.token(request),
                form.get("current", ""),
                chosen_password(form),
                address=self.services.site.client_address(request.scope),
            )
        )
        await self.services.watch.look()
        return self.services.welcome(signed_in, "/")


class Setup:
    def __init__(self, services: FormServices) -> None:
        self.services = services
        self.form = FormRoute(services, self.draw, self.act)

    async def endpoint(self, request: Request) -> Response:
        if await self.services.needs_setup():
            return await self.form.answer(request)
        return RedirectResponse(access.SIGN_IN, 303)

    def draw(self, view: View) -> Response:
        return view.page(
            "Primera cuenta",
            view.form(
                access.SETUP,
                "Crear la cuenta",
                Field("code", "Código", "one-time-code", view.value("code")),
                Field("username", "Usuario", "username", view.value("username")),
                Field("name", "Nombre y apellidos", "name", view.value("name")),
                Field("new", "Contraseña", "new-password", password=True, hint=html.PASSWORD_HELP),
                Field("again", "Contraseña, otra vez", "new-password", password=True),
            ),
            lead=FIRST,
        )

    async def act(self, request: Request, form: dict[str, str]) -> Response:
        signed_in = await self.services.hash(
            partial(
                self.services.accounts().setup.create_admin,
                form.get("code", "").strip(),
                form.get("username", ""),
                form.get("name", ""),
                chosen_password(form),
                **self.services.client(request),
            )
        )
        return self.services.welcome(signed_in, "/")


def chosen_password(form: dict[str, str]) -> str:
    """The new password, written the same twice.

    Raises:
        InputError: it is not.
    """
    if form.get("new", "") != form.get("again", ""):
        raise InputError(DIFFERENT)
    return form.get("new", "")


async def _session(request: Request) -> Response:
    """Whether the session lives, for the page's script: the guard says 401 when it does not.

    With a name for whose it is that says nothing of who that is: what one person has half written in a tab is
    not given to the next.
    """
    account = request.headers.get(ACCOUNT_HEADER.decode("ascii"), "")
    return JSONResponse({"person": hashlib.sha256(f"draft:{account}".encode()).hexdigest()[:16]})


async def _style(request: Request) -> Response:
    return FileResponse(STATIC / "acceso.css", media_type="text/css", headers={"Cache-Control": "no-cache"})
