"""Signing in and out, the password and the first account: plain forms that need no script."""

import hashlib
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from core.errors import InputError
from web import html
from web.base import access
from web.base.access import local_page
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
        Route(access.SIGN_IN, SignInForm(services).answer, methods=both),
        Route(access.SIGN_OUT, SignOutForm(services).answer, methods=both),
        Route(access.PASSWORD, PasswordForm(services).answer, methods=both),
        Route(access.SETUP, SetupForm(services).answer, methods=both),
        Route(access.SESSION, _session),
        Route(access.STYLE, _style),
    ]


class SignInForm(FormRoute):
    """Sign-in with a password; with a provider, also the way to it."""

    async def answer(self, request: Request) -> Response:
        """Redirects a browser with a live session, and everybody to the setup while no account exists."""
        if request.method != "POST":
            if await self.services.identity(request) is not None:
                return RedirectResponse(local_page(request.query_params.get("next", "")), 303)
            if await self.services.needs_setup():
                return RedirectResponse(access.SETUP, 303)
        return await super().answer(request)

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
            self.services.accounts().sign_in.by_password,
            form.get("username", ""),
            form.get("password", ""),
            **self.services.client(request),
            previous_token=self.services.token(request),
            device=self.services.device(request),
        )
        return self.services.welcome(signed_in, local_page(form.get("next", "")))


class SignOutForm(FormRoute):
    """Question before signing out."""

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


class PasswordForm(FormRoute):
    """Change of one's own password."""

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
            lead="Las sesiones que tenga abiertas en otros equipos se cerrarán, y sus tokens se anularán.",
        )

    async def act(self, request: Request, form: dict[str, str]) -> Response:
        signed_in = await self.services.hash(
            self.services.accounts().sign_in.change_password,
            self.services.token(request),
            form.get("current", ""),
            chosen_password(form),
            address=self.services.site.client_address(request.scope),
            device=self.services.device(request),
        )
        await self.services.watch.look()
        return self.services.welcome(signed_in, "/")


class SetupForm(FormRoute):
    """First account, an admin's, with the code from the server's log."""

    async def answer(self, request: Request) -> Response:
        """Redirects to the sign-in once an account exists."""
        if await self.services.needs_setup():
            return await super().answer(request)
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
            self.services.accounts().setup.create_admin,
            form.get("code", "").strip(),
            form.get("username", ""),
            form.get("name", ""),
            chosen_password(form),
            **self.services.client(request),
        )
        return self.services.welcome(signed_in, "/")


def chosen_password(form: dict[str, str]) -> str:
    """The new password. Raises InputError unless it was typed the same twice."""
    if form.get("new", "") != form.get("again", ""):
        raise InputError(DIFFERENT)
    return form.get("new", "")


async def _session(request: Request) -> Response:
    """A name for the account that does not tell who it is; the guard answers 401 without a session.

    The page's script asks for it, so that one person's draft in a tab is not shown to the next.
    """
    account = request.headers.get(ACCOUNT_HEADER.decode("ascii"), "")
    return JSONResponse({"person": hashlib.sha256(f"draft:{account}".encode()).hexdigest()[:16]})


async def _style(request: Request) -> Response:
    return FileResponse(STATIC / "acceso.css", media_type="text/css", headers={"Cache-Control": "no-cache"})
