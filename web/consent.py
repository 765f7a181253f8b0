"""The question whether a program may come in in a person's name (the authorization endpoint of OAuth).

Nothing leads a browser away from here but the person's answer: what is wrong with a request is told on our
page, so that no link to us is a link to somewhere else. After the answer a page of ours leads on, because
browsers let no form of a strict policy be redirected.
"""

import re
from collections.abc import Mapping
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.errors import InputError
from core.values import Value
from domain.accounts import Identity, Scope
from service.accounts.clients import Client, place_of
from service.accounts.grants import NOTHING, SCOPES, within
from web import html
from web.api.person import WHO
from web.base import access
from web.base.site import is_resource
from web.form_routes import FormRoute, FormServices, View

CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
LONGEST_STATE = 1000
MAY = {
    Scope.READ: "Buscar y leer la normativa cargada, comprobar citas y calcular.",
    Scope.ASK: "Hacer consultas en su nombre, que quedan entre las suyas y cuentan en su límite diario, "
    "y leer los hechos de sus expedientes.",
}
TITLE = "Dejar entrar a un programa"
UNKNOWN = "El programa no está registrado aquí: quite la conexión en él y vuelva a crearla."
ELSEWHERE = "La dirección a la que pide volver no es de las que registró el programa."
NO_CODE = "El programa pide entrar de una forma que Articulado no admite."
NO_PROOF = "El programa no demuestra que la petición es suya (PKCE con S256): actualícelo o use otro."
NOT_HERE = "El programa pide entrar en otro servicio, no en este Articulado."
UNPROVEN = (
    "El nombre se lo ha puesto el propio programa; la dirección es la verdadera. Si no ha empezado usted "
    "esta conexión, no la permita. Lo que pregunte y lea el asistente llega a su proveedor sin enmascarar."
)
ENDS = "El permiso acaba tras 30 días sin uso y, en todo caso, al año; puede anularlo antes en «Mi cuenta»."
LIST = Markup("<p>Podrá:</p><ul>{}</ul>")
ITEM = Markup("<li>{}</li>")
BACK = Markup("<p>Después volverá a <strong>{}</strong>.</p>")
HINT = Markup('<p class="hint">{}</p>')


class Asked(Value):
    """A request that the person may be asked about."""

    client: Client
    client_id: str
    redirect: str
    state: str
    challenge: str
    resource: str
    scopes: tuple[Scope, ...]

    @classmethod
    def read(cls, sent: Mapping[str, str], origin: str, who: Identity) -> "Asked":
        """The request in the fields. Raises InputError."""
        client = Client.of(sent.get("client_id", ""))
        redirect, state = sent.get("redirect_uri", ""), sent.get("state", "")
        if client is None:
            raise InputError(UNKNOWN)
        if not client.may_go_back_to(redirect):
            raise InputError(ELSEWHERE)
        if sent.get("response_type") != "code" or len(state) > LONGEST_STATE:
            raise InputError(NO_CODE)
        challenge = sent.get("code_challenge", "")
        if sent.get("code_challenge_method") != "S256" or not CHALLENGE.fullmatch(challenge):
            raise InputError(NO_PROOF)
        resource = origin + access.MCP
        if not is_resource(sent.get("resource", resource), resource):
            raise InputError(NOT_HERE)
        # Some programs ask for scopes of their own servers alone: that is no choice among ours.
        known = [scope for scope in Scope if scope in sent.get("scope", "").split()]
        scopes = within(who, known or SCOPES)
        if not scopes:
            raise InputError(NOTHING)
        return cls(
            client=client,
            client_id=sent["client_id"],
            redirect=redirect,
            state=state,
            challenge=challenge,
            resource=resource,
            scopes=scopes,
        )

    def back(self, **answer: str) -> str:
        """Where the browser goes with the answer; `iss` names us (RFC 9207)."""
        state = {"state": self.state} if self.state else {}
        mark = "&" if "?" in self.redirect else "?"
        return self.redirect + mark + urlencode(answer | state)


class ConsentForm(FormRoute):
    """The question of one request: who asks, for what, and where the browser goes afterwards."""

    FIELDS = (
        "client_id",
        "redirect_uri",
        "response_type",
        "code_challenge",
        "code_challenge_method",
        "resource",
        "scope",
        "state",
    )

    def __init__(self, services: FormServices, request: Request) -> None:
        super().__init__(services)
        self.origin = services.site.origin(request.scope)
        self.who: Identity = request.scope[WHO]

    def draw(self, view: View) -> Response:
        try:
            asked = Asked.read(view.sent, self.origin, self.who)
        except InputError as error:
            return html.page(TITLE, html.link("/", "Volver al inicio"), error=str(error), status=400)
        sent = {name: view.sent[name] for name in self.FIELDS if name in view.sent}
        return view.page(
            TITLE,
            LIST.format(Markup().join(ITEM.format(MAY[scope]) for scope in asked.scopes)),
            BACK.format(place_of(asked.redirect)),
            HINT.format(f"{UNPROVEN} {ENDS}"),
            view.form(access.CONSENT, "Permitir", quiet=False, answer="yes", **sent),
            view.form(access.CONSENT, "No permitir", quiet=True, answer="no", **sent),
            lead=f"«{asked.client.name}» quiere entrar en Articulado en nombre de {self.who.name} "
            f"({self.who.username}).",
        )

    async def act(self, request: Request, form: dict[str, str]) -> Response:
        asked = Asked.read(form, self.origin, self.who)
        if form.get("answer") != "yes":
            return _lead_back(asked, "No le ha dejado entrar.", error="access_denied", iss=self.origin)
        code = await run_in_threadpool(
            self.services.accounts().grants.consent,
            self.who,
            asked.client_id,
            asked.client,
            redirect=asked.redirect,
            scopes=asked.scopes,
            resource=asked.resource,
            challenge=asked.challenge,
        )
        return _lead_back(asked, "Le ha dejado entrar.", code=code, iss=self.origin)


def routes(services: FormServices) -> list[Route]:
    """/authorize."""

    async def answer(request: Request) -> Response:
        return await ConsentForm(services, request).answer(request)

    return [Route(access.CONSENT, answer, methods=["GET", "POST"])]


def _lead_back(asked: Asked, told: str, **answer: str) -> Response:
    address = asked.back(**answer)
    way = html.link(address, f"Volver a {place_of(asked.redirect)}", strong=True)
    return html.page(asked.client.name, way, lead=told, headers={"Refresh": f"0; url={address}"})
