"""The BOE's client: repetitions, waits, and servers that fail, lie or say nothing."""

from typing import Any

import httpx
import pytest

from core.errors import ConfigurationError, SourceUnavailable
from loading.boe.boe_client import BoeClient
from loading.boe.boe_update import BoeOutcome
from tests.boe_server import Fault
from tests.integration.boe.conftest import ID, OTHER, Waits, reform


def test_an_error_of_the_server_is_tried_again(library, server, waits):
    server.script(Fault(500), Fault(503))
    assert library.add([ID])[0].outcome is BoeOutcome.ADDED
    assert 0.75 <= waits[0] <= 1.25
    assert 1.5 <= waits[1] <= 2.5


@pytest.mark.parametrize(("asked", "waited"), [("7", 7), ("3600", 60)])
def test_a_server_that_asks_to_wait_is_obeyed_within_reason(library, server, waits, asked, waited):
    server.script(Fault(429, retry_after=asked))
    assert library.add([ID])[0].outcome is BoeOutcome.ADDED
    assert waited in waits


def test_an_error_that_stays_ends_with_a_sentence(library, server):
    server.script(*[Fault(500)] * 4)
    (result,) = library.add([ID])
    assert "el servidor del BOE falla (error 500); vuelva a intentarlo más tarde" in result.reason
    assert len(server.asked) == 4


def test_a_download_cut_short_is_tried_again(library, server):
    server.script(None, None, Fault(cut=200))
    assert library.add([ID])[0].outcome is BoeOutcome.ADDED
    assert server.asked.count(f"{ID}/texto") == 2


@pytest.mark.parametrize(
    "fault",
    [Fault(short=300), Fault(body=b"<html>Mantenimiento</html>"), Fault(body=b""), Fault(body=b"\0\0")],
    ids=["truncated", "html", "empty", "binary"],
)
def test_a_text_that_cannot_be_read_leaves_the_old_copy(library, server, served, tmp_path, fault):
    library.add([ID])
    folder = tmp_path / "home" / "boe" / ID
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    reform(served)
    server.script(None, None, fault)
    (result,) = library.update()
    assert result.outcome is BoeOutcome.FAILED
    assert "no se puede leer" in result.reason
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert library.update()[0].outcome is BoeOutcome.UPDATED, "the next attempt gets it"


def test_another_norm_in_answer_is_refused(library, server, served):
    server.script(Fault(body=(served / OTHER / "metadatos.xml").read_bytes()))
    (result,) = library.add([ID])
    assert f"el BOE envió otra norma ({OTHER})" in result.reason


def test_a_server_that_says_nothing_is_given_up(server, served):
    server.script(Fault(stall=True), Fault(stall=True))
    client = BoeClient(server.url, rate=1000, timeout=0.2, retries=1, sleep=lambda seconds: None)
    with pytest.raises(SourceUnavailable, match="no respondió a tiempo"):
        client.fetch(ID, "metadatos")


def test_without_a_network_it_says_so():
    client = BoeClient("http://127.0.0.1:9", rate=1000, retries=1, sleep=lambda seconds: None)
    with pytest.raises(SourceUnavailable, match="no hay conexión con el BOE"):
        client.fetch(ID, "metadatos")


def test_when_the_boe_is_down_the_rest_of_a_list_is_not_tried(library, server):
    server.script(*[Fault(503)] * 100)
    results = library.add([f"BOE-A-2001-{n}" for n in range(1, 11)])
    assert all(result.outcome is BoeOutcome.FAILED for result in results)
    assert "No se ha intentado" in results[-1].reason
    assert len(server.asked) == 3 * 4


def test_a_file_without_end_is_refused(server, served):
    client = BoeClient(server.url, rate=1000, max_bytes=100, sleep=lambda seconds: None)
    with pytest.raises(SourceUnavailable, match="supera"):
        client.fetch(ID, "texto")
    assert len(server.asked) == 1


def test_a_redirection_is_not_followed(server):
    server.script(Fault(302))
    client = BoeClient(server.url, rate=1000, sleep=lambda seconds: None)
    with pytest.raises(SourceUnavailable, match="respuesta 302"):
        client.fetch(ID, "metadatos")


def test_requests_keep_their_distance(server):
    waits = Waits()
    client = BoeClient(server.url, rate=0.1, sleep=waits, clock=waits.clock)
    for _ in range(3):
        client.fetch(ID, "metadatos")
    assert waits == [10, 10]


@pytest.mark.parametrize(
    "url",
    [
        "http://www.boe.es/api",
        "ftp://127.0.0.1/x",
        "www.boe.es",
        "",
        "http://127.0.0.1.example.com",
        "https://[www.boe.es/api",
        "https://www.boe.es:api",
    ],
)
def test_only_https_or_this_machine_is_accepted(url):
    with pytest.raises(ConfigurationError, match="BOE_API_URL"):
        BoeClient(url)


def test_a_rate_of_nothing_is_refused():
    with pytest.raises(ConfigurationError, match="BOE_RATE"):
        BoeClient(rate=0)


def test_a_program_has_one_connection_to_the_boe_and_closes_it(make_program, monkeypatch):
    made: list[httpx.Client] = []

    class Told(httpx.Client):
        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            made.append(self)

    monkeypatch.setattr(httpx, "Client", Told)
    program = make_program()
    for owner in ("ana", "eva"):
        program.boe.library(owner).listed()
    assert [client.is_closed for client in made] == [False]
    program.close()
    assert [client.is_closed for client in made] == [True]
