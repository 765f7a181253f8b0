"""The server as a browser, another site or another machine would reach it."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.server.app_discovery import discover_asgi_app

from core.errors import ConfigurationError
from core.hosts import is_loopback
from domain.auth_settings import AuthSettings
from service.config import ROOT
from tests.web_app import WebApp, web_app
from text.textnorm import visible
from web.base.site import Site, host_name, require_loopback, site
from web.front import front_page, script_hashes

LOCAL = "http://localhost:8501"
STREAM = "ws://localhost:8501/_stcore/stream"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebApp]:
    """A client of the personal mode, the default."""
    with web_app(tmp_path_factory.mktemp("http"), auth_mode="personal") as made:
        yield made


@pytest.fixture
def client(web: WebApp) -> TestClient:
    return web.client


def test_streamlit_finds_the_application_in_the_script() -> None:
    found = discover_asgi_app(Path(ROOT / "app.py"))
    assert found.is_asgi_app
    assert found.app_name == "app"


def test_the_front_page_is_spanish_and_ours(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert '<html lang="es">' in page.text
    assert "<title>Articulado</title>" in page.text
    assert "service-desc" not in page.text
    for path, kind in {
        "/es.js": "javascript",
        "/focus.js": "javascript",
        "/articulado.css": "css",
        "/favicon.svg": "svg",
    }.items():
        assert path in page.text
        reply = client.get(path)
        assert reply.status_code == 200
        assert kind in reply.headers["content-type"]


def test_the_translations_run_before_the_script_that_draws_the_page(client: TestClient) -> None:
    drawing, *ours = re.findall(r"<script ([^>]*src=[^>]*)>", client.get("/").text)
    assert 'type="module"' in drawing  # which a browser runs once the page is read
    assert [one for one in ours if "defer" not in one][-1] == 'src="/es.js"'


def test_the_browser_takes_out_of_a_draft_what_the_server_takes_out_of_a_question(client: TestClient) -> None:
    (written,) = re.findall(r"^const HIDDEN = /\[(.+)\]/gu;$", client.get("/drafts.js").text, re.MULTILINE)
    hidden = re.compile(f"[{re.sub(r'.u{(.+?)}', lambda code: re.escape(chr(int(code[1], 16))), written)}]")
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    assert hidden.sub("", every) == visible(every)


def test_every_reply_has_a_policy_without_remote_origins(client: TestClient) -> None:
    for path in ("/", "/es.js", "/_stcore/health", "/no-existe"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "http" not in policy
        assert "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_the_policy_allows_the_inline_scripts_of_the_front_page_and_no_other(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert front_page().count("<script>") == len(script_hashes()) == policy.count("'sha256-")


def test_no_other_origin_reads_a_reply_and_none_repeats_its_request(client: TestClient) -> None:
    for path in ("/", "/es.js", "/_stcore/health", "/_stcore/host-config", "/media/x", "/static/js/x.js"):
        read = client.get(path, headers={"Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in read.headers
        traced = client.request("TRACE", path, headers={"Origin": str(client.base_url), "X-Probe": "secreto"})
        assert traced.status_code >= 400
        assert "secreto" not in traced.text


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8501", "127.0.0.1.evil.example", "localhost@evil.example", ""]
)
def test_another_host_name_is_refused(client: TestClient, host: str) -> None:
    reply = client.get("/", headers={"host": host})
    assert 400 <= reply.status_code < 500
    assert "solo atiende a este equipo" in reply.text


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8501", "[::1]:8501"])
def test_the_names_of_this_machine_are_served(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/_stcore/metrics",
        "/_stcore/agent/openapi.json",
        "/_stcore/agent/mcp",
        "/_stcore/script-health-check",
        "/_stcore/bidi-components/x",
        "/component/x/index.html",
        "/app/static/x",
        "/auth/login",
        "/oauth2callback",
        "/chat",
        "/acceso",
        "/acceso/oidc",
        "/salir",
        "/cuenta/clave",
        "/inicio",
        "/pages/chat.py",
        "/_answer",
        "/static/../app.py",
    ],
)
def test_what_the_pages_do_not_need_is_closed(client: TestClient, path: str) -> None:
    assert 400 <= client.get(path).status_code < 500


def test_what_the_pages_need_is_open(client: TestClient) -> None:
    assert client.get("/_stcore/health").status_code == 200
    assert client.get("/_stcore/host-config").status_code == 200


@pytest.mark.parametrize("origin", [None, "null", "https://evil.example", "http://localhost:9999"])
def test_a_websocket_of_another_origin_is_refused(client: TestClient, origin: str | None) -> None:
    headers = {"origin": origin} if origin else {}
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(STREAM, headers=headers),
    ):
        pass


def test_messages_of_developers_are_dropped_in_the_personal_mode_too(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []
    monkeypatch.setattr("streamlit.git_util.GitRepo.__init__", lambda self, path: read.append(path))
    with client.websocket_connect(STREAM, headers={"origin": LOCAL}) as socket:
        socket.send_bytes(BackMsg(load_git_info=True).SerializeToString())
        socket.send_bytes(BackMsg(app_heartbeat=True).SerializeToString())
        assert ForwardMsg.FromString(socket.receive_bytes()).heartbeat_ack
    assert read == []


def test_the_websocket_of_the_page_opens_a_session_and_closes_it(client: TestClient, web: WebApp) -> None:
    manager = web.app._runtime._session_mgr  # type: ignore[union-attr]
    with client.websocket_connect(STREAM, headers={"origin": LOCAL}):
        assert manager.num_active_sessions() == 1
    assert manager.num_active_sessions() == 0


@pytest.mark.parametrize("forged", ["", "corto", "a b c d e f g", "x\ty" * 5, "é" * 10, "a" * 65])
def test_a_request_id_that_no_proxy_would_give_is_replaced(client: TestClient, forged: str) -> None:
    given = client.get("/", headers={"x-request-id": forged.encode()}).headers["x-request-id"]
    assert re.fullmatch("[0-9a-f]{16}", given)


def test_the_request_id_of_a_proxy_is_kept(client: TestClient) -> None:
    name = "proxy-1.request_2"
    assert client.get("/", headers={"x-request-id": name}).headers["x-request-id"] == name


def test_a_write_from_another_site_is_refused(client: TestClient) -> None:
    for path in ("/", "/_stcore/upload_file/session/file"):
        assert client.put(path, headers={"origin": "https://evil.example"}).status_code == 403
        assert client.put(path).status_code == 403


def test_an_upload_reaches_streamlit_only_with_the_session_of_a_page(client: TestClient) -> None:
    upload = client.put("/_stcore/upload_file/no-session/file", headers={"origin": LOCAL}, files={"f": b"x"})
    assert 400 <= upload.status_code < 500
    assert "No existe esta dirección" not in upload.text


@pytest.mark.parametrize("address", [None, "0.0.0.0", "::", "192.168.1.20", "example.org"])
def test_the_server_refuses_to_start_where_others_can_reach_it(address: str | None) -> None:
    with pytest.raises(ConfigurationError, match="solo atiende a este equipo"):
        require_loopback(address)


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "::1", "127.0.0.2"])
def test_the_server_starts_on_this_machine(address: str) -> None:
    require_loopback(address)


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("LOCALHOST:8501", "localhost"),
        ("[::1]:8501", "::1"),
        ("localhost:80:80", ""),
        ("localhost evil", ""),
        ("localhost@evil", ""),
        ("", ""),
    ],
)
def test_a_host_header_is_read_strictly(host: str, name: str) -> None:
    assert host_name(host) == name


def scope(host: str, origin: str = "", scheme: str = "http", client: str = "9.9.9.9", **headers: str):  # type: ignore[no-untyped-def]
    named = {"host": host, "origin": origin, **{k.replace("_", "-"): v for k, v in headers.items()}}
    return {
        "type": "http",
        "scheme": scheme,
        "server": ("127.0.0.1", 8501),
        "client": (client, 5000),
        "headers": [(name.encode(), value.encode()) for name, value in named.items() if value],
    }


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        ("http://localhost:8501", True),
        ("http://LOCALHOST:8501", True),
        ("https://localhost:8501", False),
        ("http://localhost:8502", False),
        ("http://localhost", False),
        ("null", False),
        ("", False),
        ("http://localhost:8501.evil.example", False),
        ("http://evil.example/http://localhost:8501", False),
    ],
)
def test_only_the_origin_of_the_page_itself_may_write(origin: str, own: bool) -> None:
    assert Site().is_own_origin(scope("localhost:8501", origin)) is own
    assert not is_loopback("localhost.evil.example")


PUBLIC = AuthSettings(
    auth_mode="local", public_url="https://Articulado.example:443/", trusted_proxies="10.0.0.0/24, 127.0.0.1"
)


@pytest.mark.parametrize(
    ("host", "served"),
    [
        ("articulado.example", True),
        ("ARTICULADO.example", True),
        ("articulado.example:443", True),
        ("articulado.example:8501", False),
        ("articulado.example.evil.example", False),
        ("evil.example", False),
        ("localhost:8501", False),
        ("127.0.0.1:8501", False),
        ("", False),
    ],
)
def test_in_a_network_only_the_public_name_is_served(host: str, served: bool) -> None:
    assert site(PUBLIC, "0.0.0.0").serves(scope(host)) is served


def test_behind_a_proxy_on_the_same_machine_both_names_are_served() -> None:
    here = site(PUBLIC, "127.0.0.1")
    assert here.serves(scope("articulado.example"))
    assert here.serves(scope("127.0.0.1:8501"))
    assert not here.serves(scope("evil.example"))


@pytest.mark.parametrize("header", ["x_forwarded_for", "x_forwarded_host", "x_real_ip", "forwarded"])
def test_without_accounts_nothing_is_served_through_a_proxy(header: str) -> None:
    passed_on = scope("localhost:8501", "http://localhost:8501", **{header: "203.0.113.9"})
    assert not (Site().serves(passed_on) or Site().is_own_origin(passed_on))
    assert Site(mode="local").serves(passed_on)


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("9.9.9.9", "", "9.9.9.9"),
        ("9.9.9.9", "1.2.3.4", "9.9.9.9"),
        ("10.0.0.7", "1.2.3.4", "1.2.3.4"),
        ("10.0.0.7", "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        ("127.0.0.1", "1.2.3.4, 10.0.0.9", "1.2.3.4"),
        ("10.0.0.7", "10.0.0.8, 10.0.0.9", "10.0.0.8"),
        ("10.0.0.7", "<script>", "10.0.0.7"),
        ("10.0.0.7", "1.2.3.4, unknown", "10.0.0.7"),
        ("10.0.0.7", "", "10.0.0.7"),
        ("10.0.0.7", "2001:db8::1", "2001:db8::1"),
        ("", "1.2.3.4", ""),
        ("::ffff:10.0.0.7", "1.2.3.4", "1.2.3.4"),
        ("10.0.0.7", "[2001:db8::1]:51234", "2001:db8::1"),
        ("10.0.0.7", "fe80::1%eth0", "fe80::1"),
        ("10.0.0.7", "1.2.3.4:51234", "1.2.3.4"),
    ],
)
def test_only_our_proxies_may_say_who_asks(peer: str, forwarded: str, address: str) -> None:
    asked = scope("articulado.example", client=peer, x_forwarded_for=forwarded)
    assert site(PUBLIC, "0.0.0.0").client_address(asked) == address


@pytest.mark.parametrize("address", [None, "0.0.0.0", "::", "192.168.1.20"])
@pytest.mark.parametrize("mode", ["local", "oidc"])
@pytest.mark.parametrize("url", ["", "http://localhost:8501"])
def test_several_people_are_served_over_a_network_only_behind_https(
    mode: str, address: str | None, url: str
) -> None:
    provider = {"oidc_issuer": "https://id.example", "oidc_client_id": "articulado"}
    chosen = AuthSettings(auth_mode=mode, public_url=url, **provider)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="PUBLIC_URL con https"):
        site(chosen, address)
    assert site(chosen, "127.0.0.1").loopback


def test_the_pages_folder_is_never_served_without_the_router(client: TestClient) -> None:
    assert PagesManager.uses_pages_directory is False
    assert client.get("/chat").status_code == 404
