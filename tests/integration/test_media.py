"""Files of pages: one handed out goes to the session that made it; one sent comes from a box of its page."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from domain.accounts import Role
from pages.parts.citations.words import CERTIFICATE
from tests.hostile import TEXTS
from tests.hostile_doors import MEDIA
from tests.web_app import Browser, WebApp, web_app

SECRET = b"lo que ana pregunto"
ANYTHING = {"accept": "*/*"}
XSRF = "2|00000000|0123456789abcdef0123456789abcdef|1700000000"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebApp]:
    with web_app(tmp_path_factory.mktemp("media")) as made:
        made.program.privacy = SimpleNamespace(export=lambda owner, by: SECRET)  # type: ignore[attr-defined]
        for name in ("jefa", "ana", "berta"):
            made.add(name, *([Role.ADMIN] if name == "jefa" else []))
        yield made


class Page:
    """One open page, driven by Streamlit's messages."""

    def __init__(self, socket: Any, place: str = "account", choice: str = "") -> None:
        self._socket = socket
        self._place, self._choice = place, choice
        self._hash = self.segments = ""
        self.buttons: dict[str, str] = {}
        self.files: list[str] = []
        for _ in range(3 if choice else 2):
            self.draw()

    def draw(self, pressed: str = "") -> None:
        """Draw the page of the account; `pressed` is the label of one of its buttons."""
        message = BackMsg()
        message.rerun_script.page_script_hash = self._hash
        if self.segments:
            chosen = message.rerun_script.widget_states.widgets.add()
            chosen.id = self.segments
            chosen.string_array_value.data.append(self._choice)
        if pressed:
            state = message.rerun_script.widget_states.widgets.add()
            state.id, state.trigger_value = self.buttons[pressed], True
        self._socket.send_bytes(message.SerializeToString())
        while True:
            received = ForwardMsg.FromString(self._socket.receive_bytes())
            kind = received.WhichOneof("type")
            if kind == "script_finished":
                return
            if kind == "navigation":
                pages = {one.url_pathname: one.page_script_hash for one in received.navigation.app_pages}
                self._hash = pages[self._place]
            if kind == "delta":
                element = received.delta.new_element
                self.buttons[element.button.label] = element.button.id
                self.segments = self.segments or element.button_group.id if self._choice else ""
                self.files += [element.download_button.url] if element.download_button.url else []

    def ask_for_uploads(self, *names: str) -> list[str]:
        """Ask where to send files; the addresses."""
        message = BackMsg()
        message.file_urls_request.request_id = "1"
        message.file_urls_request.file_names.extend(names)
        self._socket.send_bytes(message.SerializeToString())
        while True:
            received = ForwardMsg.FromString(self._socket.receive_bytes())
            if received.WhichOneof("type") == "file_urls_response":
                return [one.upload_url for one in received.file_urls_response.file_urls]

    def make_copy(self) -> str:
        """Prepare the copy of one's own data; the address of its file."""
        self.draw("Preparar una copia de mis datos")
        return self.files[-1]


def status(browser: Browser, address: str, method: str = "GET", **headers: str) -> int:
    return browser.ask(method, address, headers=ANYTHING | headers).status_code


def test_a_file_goes_to_the_session_that_made_it_and_no_other(web: WebApp) -> None:
    ana, berta, jefa, nobody = *map(web.signed_in, ("ana", "berta", "jefa")), web.browser()
    with ana.websocket() as socket, berta.websocket() as hers:
        Page(hers)
        address = Page(socket).make_copy()
        assert ana.get(address, headers=ANYTHING).content == SECRET
        assert status(ana, address, "HEAD") == 200
        assert status(ana, address, range="bytes=0-3") == 206
        elsewhere = web.signed_in("ana")
        for other in (berta, jefa, elsewhere):
            for form in (address, f"{address}?x=1", address.rpartition(".")[0], f"{address}.x"):
                assert status(other, form) == 404, form
            assert status(other, address, "HEAD") == 404
            assert status(other, address, range="bytes=0-3") == 404
        assert status(nobody, address) == 401


def test_two_who_made_the_same_file_have_each_their_own_right_to_it(web: WebApp) -> None:
    ana, berta = web.signed_in("ana"), web.signed_in("berta")
    with ana.websocket() as socket:
        address = Page(socket).make_copy()
        with berta.websocket() as hers:
            assert Page(hers).make_copy() == address
            assert (status(ana, address), status(berta, address)) == (200, 200)
        assert (status(ana, address), status(berta, address)) == (200, 404)


def test_a_file_stays_while_its_page_is_drawn_again(web: WebApp) -> None:
    ana = web.signed_in("ana")
    with ana.websocket() as socket:
        page = Page(socket)
        address = page.make_copy()
        page.draw()
        assert status(ana, address) == 200


@pytest.mark.parametrize("end", ["signed out", "revoked", "another password"])
def test_a_file_dies_with_the_session(web: WebApp, end: str) -> None:
    account = web.accounts.named(None, "ana").id
    ana = web.signed_in("ana")
    with ana.websocket() as socket:
        address = Page(socket).make_copy()
        if end == "signed out":
            ana.submit("/salir")
        elif end == "revoked":
            web.accounts.revoke_all(None, account)
        else:
            web.accounts._accounts.set_password(account, web.accounts._accounts.by_username("ana")[1])
            web.accounts.sessions.end_all(account)
        assert status(ana, address) == 401
        again = web.signed_in("ana")
        assert status(again, address) == 404
        with again.websocket() as theirs:
            Page(theirs)
            assert status(again, address) == 404


@pytest.mark.parametrize("name", ["", "x", "..%2fx", "%2e%2e/x", "a/b", "x" * 5000, "%00", "ñ"])
def test_an_invented_file_is_not_there(web: WebApp, name: str) -> None:
    assert status(web.signed_in("berta"), f"/media/{name}") == 404


def test_no_hostile_text_names_a_file(web: WebApp) -> None:
    berta = web.signed_in("berta")
    names = (*(quote(text, safe="", errors="surrogatepass") for text in TEXTS), *MEDIA.values())
    found = [status(berta, f"/media/{name}") for name in names]
    assert set(found) == {404}


def sent(browser: Browser, address: str) -> int:
    browser.jar["_streamlit_xsrf", "/"] = XSRF
    headers = ANYTHING | {"origin": browser.web.origin, "x-xsrftoken": XSRF}
    return browser.ask("PUT", address, headers=headers, files={"f": ("x.pdf", b"%PDF-1.4")}).status_code


def test_a_page_with_a_box_sends_what_it_asked_for_and_no_other_file(web: WebApp) -> None:
    ana = web.signed_in("ana")
    with ana.websocket() as socket, ana.websocket() as beside:
        boxless, page = Page(beside), Page(socket, "citations", CERTIFICATE)
        (asked,) = page.ask_for_uploads("escrito.pdf")
        invented = f"{asked.rpartition('/')[0]}/inventado"
        assert [sent(ana, invented), boxless.ask_for_uploads("x.pdf"), sent(ana, asked)] == [403, [], 204]
        assert sent(web.signed_in("berta"), asked) == 403
        forms = [f"{asked.rpartition('/')[0]}/{name}" for name in MEDIA.values()]
        assert {sent(ana, form) for form in forms} <= {400, 403, 404}
