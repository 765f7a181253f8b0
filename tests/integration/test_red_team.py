"""Attacks by a person with an account who writes Streamlit's messages by hand."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession

from domain.accounts import Role
from pages.parts.common.session import ENDED
from service.members.member import FORBIDDEN
from tests.hostile import TEXTS
from tests.web_app import WebApp, web_app
from web import watch
from web.cookies import PLAIN, SECURE
from web.frames import OURS
from web.guard import TRY_LATER

PAGES = ("review", "evaluation", "inspector", "users", "audit")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebApp]:
    with web_app(tmp_path_factory.mktemp("red")) as app:
        app.add("jefa", Role.ADMIN)
        app.add("ana", Role.LAWYER)
        app.add("rita", Role.REVIEWER)
        yield app


def drawn(socket: Any, page: str = "", pages: dict[str, str] | None = None) -> str:
    """Ask for a page by its name in the menu; returns its text."""
    message = BackMsg()
    message.rerun_script.page_script_hash = (pages or {}).get(page, "")
    socket.send_bytes(message.SerializeToString())
    said: list[str] = []
    while True:
        received = ForwardMsg.FromString(socket.receive_bytes())
        kind = received.WhichOneof("type")
        if kind == "script_finished":
            return "\n".join(said)
        if kind == "navigation" and pages is not None:
            pages |= {one.url_pathname: one.page_script_hash for one in received.navigation.app_pages}
        if kind == "delta":
            element = received.delta.new_element
            said.append(element.html.body + element.alert.body)


def test_a_page_is_drawn_only_for_the_person_that_the_guard_let_in(web: WebApp) -> None:
    ana, rita = web.signed_in("ana"), web.signed_in("rita")
    with ana.websocket() as socket:
        assert "Ana" in drawn(socket)
    with ana.websocket(cookie=f"{PLAIN}={ana.token}; {SECURE}={rita.token}") as socket:
        said = drawn(socket)
    assert ENDED in said
    assert "Rita" not in said


def test_a_page_that_is_named_by_hand_stays_closed(web: WebApp) -> None:
    pages: dict[str, str] = {}
    with web.signed_in("ana").websocket() as socket:
        drawn(socket, pages=pages)
        assert set(PAGES) <= set(pages)
        for page in PAGES:
            assert drawn(socket, page, pages).strip() == FORBIDDEN, page


def test_a_role_that_is_taken_away_counts_in_the_page_that_is_open(web: WebApp) -> None:
    pages: dict[str, str] = {}
    nora = web.add("nora", Role.LAWYER, Role.ADMIN)
    with web.signed_in("nora").websocket() as socket:
        drawn(socket, pages=pages)
        assert "Cuentas" in drawn(socket, "users", pages)
        web.accounts.change(None, nora, roles=[Role.LAWYER])
        assert drawn(socket, "users", pages).strip() == FORBIDDEN


KINDS = [field.name for field in BackMsg.DESCRIPTOR.fields if field.name not in OURS]


@pytest.fixture
def obeyed(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The kinds of the messages that reach Streamlit."""
    kinds: list[str | None] = []
    handle = AppSession.handle_backmsg

    def noted(self: AppSession, message: BackMsg) -> None:
        kinds.append(message.WhichOneof("type"))
        handle(self, message)

    monkeypatch.setattr(AppSession, "handle_backmsg", noted)
    return kinds


def foreign(kind: str) -> bytes:
    message = BackMsg()
    if kind == "backend_operation_request":
        message.backend_operation_request.request_id = "1"
    else:
        setattr(message, kind, True)
    return message.SerializeToString()


@pytest.mark.parametrize("kind", KINDS)
def test_messages_for_developers_never_reach_streamlit(
    web: WebApp, obeyed: list[str | None], kind: str
) -> None:
    with web.signed_in("ana").websocket() as socket:
        socket.send_bytes(foreign(kind))
        # The last of two kinds in one message counts: ours first, and theirs after it.
        socket.send_bytes(BackMsg(app_heartbeat=True).SerializeToString() + foreign(kind))
        assert "Ana" in drawn(socket)
    assert obeyed == ["rerun_script"]


@pytest.mark.parametrize("frame", [b"", b"\xff" * 9, b"\x00", b"x" * 100_000], ids=repr)
def test_what_is_no_message_never_reaches_streamlit(
    web: WebApp, obeyed: list[str | None], frame: bytes
) -> None:
    with web.signed_in("ana").websocket() as socket:
        socket.send_bytes(frame)
        socket.send_text("{}")
        assert "Ana" in drawn(socket)
    assert obeyed == ["rerun_script"]


def test_no_hostile_text_reaches_streamlit_as_a_message(web: WebApp, obeyed: list[str | None]) -> None:
    with web.signed_in("ana").websocket() as socket:
        for text in TEXTS:
            socket.send_bytes(text.encode("utf-8", "surrogatepass"))
        assert "Ana" in drawn(socket)
    assert obeyed == ["rerun_script"]


def test_nobody_learns_of_the_repository_of_the_server(web: WebApp, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    monkeypatch.setattr("streamlit.git_util.GitRepo.__init__", lambda self, path: read.append(path))
    with web.signed_in("ana").websocket() as socket:
        socket.send_bytes(foreign("load_git_info"))
        assert "Ana" in drawn(socket)
    assert read == []


def test_one_account_cannot_fill_the_service_with_open_pages(
    web: WebApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "MOST_PAGES", 2)
    ana, rita = web.signed_in("ana"), web.signed_in("rita")
    with ana.websocket() as first, ana.websocket():
        with pytest.raises(WebSocketDisconnect) as refused, ana.websocket() as third:
            third.receive_bytes()
        assert refused.value.code == TRY_LATER
        with rita.websocket() as hers:
            assert "Rita" in drawn(hers)
        assert "Ana" in drawn(first)
    with ana.websocket() as again:
        assert "Ana" in drawn(again)
