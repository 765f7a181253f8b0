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
from web import doors, html
from web.cookies import drop_session
from web.desk import Desk, FormRoute, View
from web.doors import local_page
from web.front import STATIC
from web.guard import ACCOUNT_HEADER
from web.html import Field

DIFFERENT = "Las dos contraseñas nuevas no coinciden."
SIGNED_OUT = "Ha salido de Articulado."
FIRST = (
    "Aún no hay ninguna cuenta: esta será la de quien administra Articulado. "
    "El código está en el registro del servidor."
)


def routes(desk: Desk) -> list[Route]:
    """/acceso, /salir, /cuenta/clave, /inicio, /sesion and their style."""
    both = ["GET", "POST"]
    return [
        Route(doors.SIGN_IN, SignIn(desk).endpoint, methods=both),
        Route(doors.SIGN_OUT, SignOut(desk).endpoint, methods=both),
        Route(doors.PASSWORD, Password(desk).endpoint, methods=both),
        Route(doors.SETUP, Setup(desk).endpoint, methods=both),
        Route(doors.SESSION, _session),
        Route(doors.STYLE, _style),
    ]


class SignIn:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.form = FormRoute(desk, self.draw, self.act)

    async def endpoint(self, request: Request) -> Response:
        """Who has a live session is not asked again; without accounts, the first is made."""
        if request.method != "POST":
            if await self.desk.identity(request) is not None:
                return RedirectResponse(local_page(request.query_params.get("next", "")), 303)
            if await self.desk.needs_setup():
                return RedirectResponse(doors.SETUP, 303)
        return await self.form.answer(request)

    def draw(self, view: View) -> Response:
        ahead = local_page(view.sent.get("next", ""))
        form = view.form(
            doors.SIGN_IN,
            "Entrar",
            Field("username", "Usuario", "username", view.value("username")),
            Field("password", "Contraseña", "current-password", password=True),
            quiet=self.desk.provider,
            next=ahead,
        )
        notice = SIGNED_OUT if "salida" in view.sent else ""
        if not self.desk.provider:
            return view.page("Entrar", form, notice=notice)
        way = html.link(
            f"{doors.OIDC_START}?next={quote(ahead, safe='/')}", "Entrar con su organización", strong=True
        )
        password = html.aside("Entrar con una contraseña de Articulado", form, open_=bool(view.error))
        leave = html.link(doors.OIDC_LEAVE, "Salir también de su organización") if notice else ""
        return view.page("Entrar", way, leave, password, notice=notice)

    async def act(self, request: Request, form: dict[str, str]) -> Response:
        signed_in = await self.desk.hash(
            partial(
                self.desk.accounts().sign_in,
                form.get("username", ""),
                form.get("password", ""),
                **self.desk.client(request),
                previous_token=self.desk.token(request),
            )
        )
        return self.desk.welcome(signed_in, local_page(form.get("next", "")))


class SignOut:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.endpoint = FormRoute(desk, self.draw, self.act).answer

    def draw(self, view: View) -> Response:
        return view.page(
            "Salir de Articulado",
            view.form(doors.SIGN_OUT, "Salir"),
            html.link("/", "Volver sin salir"),
            lead="Se cerrará su sesión en este navegador, también en las otras pestañas.",
        )

    async def act(self, request: Request, form: dict[str, str]) -> Response:
        if token := self.desk.token(request):
            await run_in_threadpool(self.desk.accounts().sign_out, token)
            await self.desk.watch.look()
        response = RedirectResponse(f"{doors.SIGN_IN}?salida=1", 303)
        drop_session(response, secure=self.desk.site.secure)
        response.headers["Clear-Site-Data"] = '"cache", "storage"'
        return response


class Password:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.endpoint = FormRoute(desk, self.draw, self.act).answer

    def draw(self, view: View) -> Response:
        return view.page(
            "Cambiar la contraseña",
            view.form(
                doors.PASSWORD,
                "Cambiar la contraseña",
                Field("current", "Contraseña actual", "current-password", password=True),
                Field("new", "Contraseña nueva", "new-password", password=True, hint=html.PASSWORD_HELP),
                Field("again", "Contraseña nueva, otra vez", "new-password", password=True),
            ),
            html.link(doors.SIGN_OUT, "Salir"),
            lead="Las sesiones que tenga abiertas en otros equipos se cerrarán.",
        )

    async def act(self, request: Request, form: dict[str, str]) -> Response:
        signed_in = await self.desk.hash(
            partial(
                self.desk.accounts().change_password,
                self.desk.token(request),
                form.get("current", ""),
                chosen_password(form),
                address=self.desk.site.client_address(request.scope),
            )
        )
        await self.desk.watch.look()
        return self.desk.welcome(signed_in, "/")


class Setup:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.form = FormRoute(desk, self.draw, self.act)

    async def endpoint(self, request: Request) -> Response:
        if await self.desk.needs_setup():
            return await self.form.answer(request)
        return RedirectResponse(doors.SIGN_IN, 303)

    def draw(self, view: View) -> Response:
        return view.page(
            "Primera cuenta",
            view.form(
                doors.SETUP,
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
        signed_in = await self.desk.hash(
            partial(
                self.desk.accounts().set_up,
                form.get("code", "").strip(),
                form.get("username", ""),
                form.get("name", ""),
                chosen_password(form),
                **self.desk.client(request),
            )
        )
        return self.desk.welcome(signed_in, "/")


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
