"""A real server whose costly doors one person crowds: the others, the probes and the sign-in go on."""

import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import httpx
import pytest

from domain.accounts import Scope
from lab import harness
from tests.homes import lay_demo
from tests.processes import ForkedServer, wait_until

pytestmark = pytest.mark.slow

BRIEF = "art. 5 " * 9_000
"""Its check took half a minute of one processor, and an hour for 45 of them."""
CROWD, QUESTIONS, ROUNDS = 16, 12, 10
PATIENCE = 10.0
"""Seconds after which those who crowd leave."""


class Crowded(NamedTuple):
    """A server and a token of each of two people."""

    server: ForkedServer
    address: str
    tokens: list[str]

    def brief(self, person: int, text: str, patience: float = 60.0) -> httpx.Response:
        return self._post(person, "citations", patience, text=text)

    def answer(self, person: int) -> httpx.Response:
        return self._post(person, "ask", 120, question="¿Cuántos días de vacaciones corresponden al año?")

    def _post(self, person: int, path: str, patience: float, **asked: str) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.tokens[person]}"}
        return httpx.post(f"{self.address}/api/v1/{path}", json=asked, headers=headers, timeout=patience)


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crowded]:
    folder = tmp_path_factory.mktemp("crowded")
    lay_demo(folder / "home")
    tokens = []
    with harness.program(folder / "home", auth_mode="local", embeddings_provider="none") as program:
        for session in harness.people(program, 2):
            who = program.accounts.sessions.identify(session)
            assert who is not None
            tokens.append(program.accounts.tokens.create(who, "prueba", [Scope.READ, Scope.ASK], 30).secret)
    with ForkedServer(folder, {"EMBEDDINGS_PROVIDER": "none", "AUTH_MODE": "local"}) as server:
        yield Crowded(server, server.address, tokens)


def flood(crowded: Crowded, patience: float, found: list[httpx.Response]) -> list[threading.Thread]:
    def ask() -> None:
        with suppress(httpx.HTTPError):
            found.append(crowded.brief(0, BRIEF, patience))

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(CROWD)]
    for thread in threads:
        thread.start()
    return threads


def test_the_briefs_of_one_person_keep_nobody_else_waiting(crowded: Crowded) -> None:
    replies: list[httpx.Response] = []
    threads = flood(crowded, PATIENCE, replies)
    with httpx.Client(base_url=crowded.address, timeout=PATIENCE) as browser:
        for path in ("/salud/vivo", "/salud/listo", "/acceso") * ROUNDS:
            assert browser.get(path).status_code == 200
        other = crowded.brief(1, "El art. 59.3 ET dice otra cosa.")
        assert other.status_code == 200, other.text
        assert other.json()["findings"]
    # All of that while the crowd is at it.
    assert all(one.status_code == 429 for one in replies)
    for thread in threads:
        thread.join()
    refused = [one for one in replies if one.status_code == 429]
    assert len(refused) >= CROWD - 10
    assert {one.headers["retry-after"] for one in refused} == {"10"}
    # Those who have left are worked for no more.
    assert crowded.brief(0, "El art. 59.3 ET.", 20).status_code == 200


def test_the_answer_of_another_does_not_wait_for_those_of_one_person(crowded: Crowded) -> None:
    assert crowded.answer(1).status_code == 200
    done: list[int] = []
    threads = [
        threading.Thread(target=lambda: done.append(crowded.answer(0).status_code)) for _ in range(QUESTIONS)
    ]
    for thread in threads:
        thread.start()
    wait_until(lambda: done)
    assert crowded.answer(1).status_code == 200
    assert len(done) < QUESTIONS / 2
    for thread in threads:
        thread.join()
    assert done == [200] * QUESTIONS


def test_a_server_at_costly_work_stops_when_it_is_told_to(crowded: Crowded) -> None:
    """The last of the module, whose server it stops."""
    replies: list[httpx.Response] = []
    flood(crowded, 60, replies)
    wait_until(lambda: replies)
    crowded.server.process.send_signal(signal.SIGTERM)
    crowded.server.process.wait(30)
