"""The answer of every route, page, websocket, upload and media path to every kind of person."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from domain.accounts import Role
from pages.parts.common.navigation import PLACES
from service.config import ROOT
from tests.web_app import LOCAL, Browser, WebApp, web_app
from web import server
from web.base import access
from web.base.access import PREFIX

STREAM, UPLOAD = "/_stcore/stream", "/_stcore/upload_file/pagina/fichero"
ASSET = "/static/asset"
LOGIN, HOME, CHANGE = "/acceso", "/", "/cuenta/clave"

# path: nobody, abogado, revisor, admin, must change. A text is where a redirect leads; `?` stands for
# the way back. `None`: the guard lets it through to Streamlit, which has no such file.
PAGES: dict[str, tuple[object, ...]] = {
    "/": (LOGIN, 200, 200, 200, CHANGE),
    "/matters": (LOGIN + "?", 200, 200, 200, CHANGE),
    "/news": (LOGIN + "?", 200, 200, 200, CHANGE),
    "/normativa": (LOGIN + "?", 200, 200, 200, CHANGE),
    "/calculations": (LOGIN + "?", 200, 200, 200, CHANGE),
    "/citations": (LOGIN + "?", 200, 200, 200, CHANGE),
    "/settings": (LOGIN + "?", 200, 200, 200, CHANGE),
    "/templates": (LOGIN + "?", 200, 200, 200, CHANGE),
    "/account": (LOGIN + "?", 200, 200, 200, CHANGE),
    "/review": (LOGIN + "?", 403, 200, 403, CHANGE),
    "/evaluation": (LOGIN + "?", 403, 200, 403, CHANGE),
    "/inspector": (LOGIN + "?", 403, 200, 403, CHANGE),
    "/users": (LOGIN + "?", 403, 403, 200, CHANGE),
    "/audit": (LOGIN + "?", 403, 403, 200, CHANGE),
    "/usage": (LOGIN + "?", 403, 403, 200, CHANGE),
}
OURS: dict[str, tuple[object, ...]] = {
    "/acceso": (200, HOME, HOME, HOME, HOME),
    "/inicio": (LOGIN, LOGIN, LOGIN, LOGIN, LOGIN),
    "/salir": (200, 200, 200, 200, 200),
    "/cuenta/clave": (LOGIN, 200, 200, 200, 200),
    "/authorize": (LOGIN + "?", 400, 400, 400, CHANGE),  # without the name of a program
    "/sesion": (LOGIN, 200, 200, 200, CHANGE),
    "/acceso.css": (200, 200, 200, 200, 200),
    "/salud/vivo": (200, 200, 200, 200, 200),
    "/salud/listo": (200, 200, 200, 200, 200),
    "/metricas": (404, 404, 404, 404, 404),  # 401 without its key where METRICS_TOKEN is set
    "/favicon.svg": (200, 200, 200, 200, 200),
    "/articulado.css": (LOGIN, 200, 200, 200, CHANGE),
    "/print.css": (LOGIN, 200, 200, 200, CHANGE),
    "/copy.js": (LOGIN, 200, 200, 200, CHANGE),
    "/es.js": (LOGIN, 200, 200, 200, CHANGE),
    "/drafts.js": (LOGIN, 200, 200, 200, CHANGE),
    "/focus.js": (LOGIN, 200, 200, 200, CHANGE),
    "/keys.js": (LOGIN, 200, 200, 200, CHANGE),
    "/pane.js": (LOGIN, 200, 200, 200, CHANGE),
    "/preferences.js": (LOGIN, 200, 200, 200, CHANGE),
    "/preferencias": (LOGIN, 200, 200, 200, CHANGE),
    "/fuente": (LOGIN, 404, 404, 404, CHANGE),  # without the name of an article
    "/documento": (LOGIN, 404, 404, 404, CHANGE),  # without the id of a document
    "/respuesta": (LOGIN, 404, 404, 404, CHANGE),  # without the number of an answer
}
STREAMLIT: dict[str, tuple[object, ...]] = {
    "/_stcore/health": (200, 200, 200, 200, 200),
    "/_stcore/host-config": (LOGIN, 200, 200, 200, CHANGE),
    "/_stcore/metrics": (LOGIN, 404, 404, 404, CHANGE),
    "/_stcore/script-health-check": (LOGIN, 404, 404, 404, CHANGE),
    "/_stcore/agent/openapi.json": (LOGIN, 404, 404, 404, CHANGE),
    "/_stcore/agent/interact": (LOGIN, 404, 404, 404, CHANGE),
    "/_stcore/agent/mcp": (LOGIN, 404, 404, 404, CHANGE),
    "/_stcore/bidi-components/x": (LOGIN, 404, 404, 404, CHANGE),
    "/component/x/index.html": (LOGIN, 404, 404, 404, CHANGE),
    "/app/static/x": (LOGIN, 404, 404, 404, CHANGE),
    "/auth/login": (LOGIN, 404, 404, 404, CHANGE),
    "/auth/logout": (LOGIN, 404, 404, 404, CHANGE),
    "/oauth2callback": (LOGIN, 404, 404, 404, CHANGE),
    "/media/x.bin": (LOGIN, 404, 404, 404, CHANGE),
    ASSET: (LOGIN, 200, 200, 200, CHANGE),
    UPLOAD: (LOGIN, 403, 403, 403, CHANGE),
    STREAM: (LOGIN, 404, 404, 404, CHANGE),
}
NOWHERE: dict[str, tuple[object, ...]] = {
    path: (LOGIN, 404, 404, 404, CHANGE)
    for path in (
        "/chat",
        "/pages/chat.py",
        "/_session",
        "/index.html",
        "/acceso/oidc",
        "/acceso/oidc/vuelta",
        "/acceso/oidc/salir",
        "/normativa/",
        "/NORMATIVA",
        "/users//audit",
        "/no-existe",
    )
}
PROGRAMS: dict[str, tuple[object, ...]] = {
    path: (405,) * 5 if path in (access.REGISTER, access.TOKEN, access.REVOKE) else (200,) * 5
    for path in access.OAUTH
}
TABLE = {**PAGES, **OURS, **PROGRAMS, **STREAMLIT, **NOWHERE}
COLUMNS = ("nobody", "abogado", "revisor", "admin", "must change")
AS_NOBODY = ("nobody", "garbage", "expired", "revoked", "inactive", "removed")
MEMBERS = COLUMNS[1:4]


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebApp]:
    with web_app(tmp_path_factory.mktemp("matrix")) as made:
        yield made


@pytest.fixture(scope="module")
def people(web: WebApp) -> dict[str, Browser]:
    """A browser for each kind of person, with and without a live session."""
    expired = thirteen_hours_ago(web)
    for name, role in (("admin", Role.ADMIN), ("abogado", Role.LAWYER), ("revisor", Role.REVIEWER)):
        web.add(name, role)
    web.add("must", *Role, must_change=True)
    browsers = {name: web.signed_in(name) for name in MEMBERS}
    browsers["must change"] = web.signed_in("must")
    browsers["nobody"], browsers["garbage"] = web.browser(), web.browser()
    browsers["garbage"].jar["articulado", "/"] = "A" * 43
    for name in ("revoked", "inactive", "removed"):
        account = web.add(name, *Role)
        browsers[name] = web.signed_in(name)
        if name == "revoked":
            web.accounts.revoke_all(None, account)
        elif name == "inactive":
            web.accounts.change(None, account, active=False)
        else:
            web.accounts.remove(None, account)
    return {**browsers, "expired": expired}


def thirteen_hours_ago(web: WebApp) -> Browser:
    """A browser that signed in thirteen hours ago and has asked for nothing since."""
    web.add("expired", *Role)
    web.clock.moved = timedelta(hours=-13)
    browser = web.signed_in("expired")
    web.clock.moved = timedelta()
    return browser


def address(path: str) -> str:
    """A real file for the asset: its name changes with Streamlit's version."""
    if path != ASSET:
        return path
    import streamlit

    folder = ROOT.__class__(streamlit.__file__).parent / "static" / "static" / "js"
    return f"/static/js/{next(folder.glob('*.js')).name}"


def column(who: str) -> int:
    return COLUMNS.index("nobody" if who in AS_NOBODY else who)


@pytest.mark.parametrize("who", [*AS_NOBODY, *COLUMNS[1:]])
def test_every_address_answers_each_person_as_the_table_says(
    web: WebApp, people: dict[str, Browser], who: str
) -> None:
    wrong = {}
    for path, row in TABLE.items():
        expected = row[column(who)]
        reply = people[who].get(address(path))
        if isinstance(expected, str):
            way_back = f"?next={path}" if expected.endswith("?") else ""
            seen: object = reply.headers.get("location") if reply.status_code == 303 else reply.status_code
            expected = expected.removesuffix("?") + way_back
        else:
            through = expected is None and "No existe esta dirección" not in reply.text
            seen = None if through and reply.status_code == 404 else reply.status_code
        if seen != expected:
            wrong[path] = (seen, expected)
    assert wrong == {}


@pytest.mark.parametrize("who", AS_NOBODY)
def test_scripts_and_images_without_a_session_get_401_and_not_the_sign_in_page(
    people: dict[str, Browser], who: str
) -> None:
    closed = [
        path
        for path, row in TABLE.items()
        if (isinstance(row[0], str) and path not in OURS | {ASSET: ()}) or path == "/sesion"
    ]
    assert len(closed) > 20
    replies = {path: people[who].get(path, headers={"accept": "*/*"}).status_code for path in closed}
    assert replies == dict.fromkeys(closed, 401)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_without_a_session_only_the_sign_in_form_can_be_written_to(
    web: WebApp, people: dict[str, Browser], method: str
) -> None:
    writable = access.OPEN - access.PROBES | access.OAUTH if method == "POST" else set()
    for path in TABLE.keys() - writable:
        reply = people["nobody"].ask(method, address(path), headers={"origin": LOCAL})
        expected = (204,) if (path, method) == ("/_stcore/health", "OPTIONS") else (401, 405)
        assert reply.status_code in expected, (path, reply.status_code)


@pytest.mark.parametrize(
    ("who", "code"),
    [*((who, 4401) for who in AS_NOBODY), *((who, None) for who in MEMBERS), ("must change", 4403)],
)
def test_the_websocket_opens_only_for_a_live_session(
    web: WebApp, people: dict[str, Browser], who: str, code: int | None
) -> None:
    with people[who].websocket() as socket:
        if code is None:
            assert account_of(web, open_page(web)) == web.accounts.sessions.identify(people[who].token).id
            return
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_bytes()
        assert closed.value.code == code


@pytest.mark.parametrize("who", ["abogado", "revisor"])
def test_whoever_may_ask_uploads_to_a_page_of_their_own(
    web: WebApp, people: dict[str, Browser], who: str
) -> None:
    """The documents of an expediente; what may load the corpus asks for its own permission."""
    with people[who].websocket():
        upload = f"/_stcore/upload_file/{open_page(web)}/f"
        reply = people[who].ask("PUT", upload, headers={"origin": LOCAL}, files={"f": b"x"})
        # Streamlit itself now asks for its own token.
        assert "no tiene permiso" not in reply.text and "no es suya" not in reply.text


def open_page(web: WebApp) -> str:
    """The id of the page session that was opened last."""
    sessions = web.app._runtime._session_mgr.list_active_sessions()  # type: ignore[union-attr]
    return str(sessions[-1].session.id)


def account_of(web: WebApp, page: str) -> str:
    """The account that the guard named to the page when it let its websocket in."""
    client = web.app._runtime.get_client(page)  # type: ignore[union-attr]
    (account,) = [value for name, value in client.client_context.headers if name == "x-articulado-account"]
    return account


def test_an_upload_goes_to_a_page_of_the_same_account_and_no_other(
    web: WebApp, people: dict[str, Browser]
) -> None:
    web.add("otra", Role.ADMIN)
    other = web.signed_in("otra")
    with people["admin"].websocket():
        upload = f"/_stcore/upload_file/{open_page(web)}/f"
        refused = other.ask("PUT", upload, headers={"origin": LOCAL}, files={"f": b"x"})
        assert refused.status_code == 403
        assert "no es suya" in refused.text
        own = people["admin"].ask("PUT", upload, headers={"origin": LOCAL}, files={"f": b"x"})
        assert "no es suya" not in own.text  # Streamlit itself now asks for its own token
    gone = people["admin"].ask("PUT", upload, headers={"origin": LOCAL}, files={"f": b"x"})
    assert gone.status_code == 403


def test_a_request_cannot_name_its_own_account(web: WebApp, people: dict[str, Browser]) -> None:
    with people["abogado"].websocket(**{"x-articulado-account": "otra", "x-articulado-session": "otra"}):
        assert "otra" not in str(server.page_owner(open_page(web)))
        assert account_of(web, open_page(web)) == web.accounts.sessions.identify(people["abogado"].token).id


def test_a_page_session_is_never_resumed_by_another_session(web: WebApp, people: dict[str, Browser]) -> None:
    from streamlit import config

    assert config.get_option("server.trustedUserHeaders") == {
        "X-Articulado-Account": "account",
        "X-Articulado-Session": "session",
    }
    again = web.signed_in("revisor")
    with people["revisor"].websocket():
        page = open_page(web)
        protocols = {"sec-websocket-protocol": f"streamlit, x, {page}"}
        for other in (people["abogado"], again):
            with other.websocket(**protocols):
                assert open_page(web) != page
    with people["revisor"].websocket(**protocols):
        assert open_page(web) == page


# --- The table is complete


def test_the_table_has_every_page_of_the_menu_with_its_permission() -> None:
    in_menu = {("/" if place is PLACES[0] else f"/{place.name}"): place.permission for place in PLACES}
    assert in_menu == access.PAGES
    assert set(PAGES) == set(access.PAGES)


def test_the_table_has_every_route_of_the_application(web: WebApp) -> None:
    """Fails when a route is added, by us or by a new Streamlit, that has no row in the table."""
    stand_ins = {"path:path": "x", "file_id:path": "x.bin", "session_id": "pagina", "file_id": "fichero"}
    missing = []
    for route in web.app._starlette_app.routes:  # type: ignore[union-attr]
        if isinstance(route, Mount):
            # Streamlit's own files, for which ASSET stands, and the addresses for programs (test_api_door.py)
            assert route.path in {"", PREFIX}
            continue
        assert isinstance(route, (Route, WebSocketRoute))
        path = route.path
        if path.rstrip("/") == access.MCP:  # for programs too (test_mcp_door.py)
            continue
        for name, value in stand_ins.items():
            path = path.replace(f"{{{name}}}", value)
        folder = path.rpartition("/")[0]
        if path not in TABLE and not (path.endswith("/x") and any(row.startswith(folder) for row in TABLE)):
            missing.append(route.path)
    assert missing == []


def test_every_address_that_the_guard_opens_has_a_route(web: WebApp) -> None:
    paths = {getattr(route, "path", "") for route in web.app._starlette_app.routes}  # type: ignore[union-attr]
    assert (access.OPEN | access.MEMBERS | set(access.PAGES)) - access.OIDC - paths == set()
