"""The whole application over HTTPS behind a proxy, with three accounts."""

from collections.abc import Iterator

import pytest
from starlette.websockets import WebSocketDisconnect

from domain.accounts import Role
from tests.web_app import Browser, WebApp, web_app

ORIGIN = "https://articulado.example"
PROXY = "10.0.0.7"
OTHER = "otra frase bien larga 9"
FORMS = ("/salir", "/cuenta/clave")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebApp]:
    settings = {"public_url": ORIGIN, "trusted_proxies": PROXY}
    folder = tmp_path_factory.mktemp("sign-in")
    with web_app(folder, ORIGIN, "0.0.0.0", (PROXY, 4000), **settings) as made:
        made.add("jefa", Role.ADMIN)
        made.add("ana")
        made.add("berta")
        yield made


@pytest.fixture(autouse=True)
def nobody_is_throttled(web: WebApp) -> None:
    web.forget_failures()


@pytest.fixture
def ana(web: WebApp) -> Browser:
    return web.signed_in("ana")


def is_in(browser: Browser) -> bool:
    return bool(browser.get("/sesion", headers={"accept": "*/*"}).status_code == 200)


def cookies_set(reply: object) -> list[str]:
    return [line.lower() for line in reply.headers.get_list("set-cookie")]  # type: ignore[attr-defined]


def closing_code(socket: object) -> int:
    with pytest.raises(WebSocketDisconnect) as closed:
        while True:
            socket.receive_bytes()  # type: ignore[attr-defined]
    return closed.value.code
