"""The text of a cited article, as the reading pane asks for it."""

from collections.abc import Iterator
from datetime import date
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from domain.accounts import LOCAL, Identity
from lexicon.ties import overtaken
from pages.parts.answer import pane, sources
from rag.shared.cited_answer import Citation
from service.program import assembly
from tests.homes import lexical_program, overriding
from tests.hostile import TEXTS, live_html
from web.api.person import named
from web.base.access import SOURCE

QUOTE = "treinta y un días naturales"
PLACE = {"doc": "X-LTF", "block": "a2"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Asks as the one person of this machine, or as nobody any more with the header `gone`."""
    inner = Starlette(routes=pane.routes())

    async def let_in(scope: Scope, receive: Receive, send: Send) -> None:
        gone = any(name == b"gone" for name, _ in scope.get("headers", ()))
        now: Identity | None = None if gone else LOCAL
        await inner(named(scope, LOCAL, lambda: now, ""), receive, send)

    with (
        lexical_program(tmp_path_factory.mktemp("pane")) as program,
        overriding(program),
        TestClient(let_in) as made,
    ):
        yield made


def citation(**changes: object) -> Citation:
    found = {
        **{"marker": "C1", "source": "LTF", "norm_id": "X-LTF", "block_id": "a2"},
        **{"quote": QUOTE, "valid_from": date(2019, 3, 6)},
    }
    return Citation.model_validate(found | changes)


def test_the_words_quoted_are_marked_in_their_article(client: TestClient) -> None:
    reply = client.get(pane.text_of(citation(), [QUOTE]))
    assert reply.status_code == 200
    assert f"<mark>{QUOTE}</mark>" in reply.text
    assert "Artículo 2. Vacaciones anuales.</h2>" in reply.text
    assert "Ley del Trabajo Ficticio" in reply.text
    assert "Vigente desde 06/03/2019" in reply.text


def test_a_provision_that_a_later_law_displaced_says_so(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = overtaken("BOE-A-1999-346", "a2", date(2026, 1, 1))
    assert entry is not None and entry.whole
    monkeypatch.setattr(
        sources, "overtaken", lambda norm, block, day: entry if day >= date(2022, 3, 30) else None
    )
    for cited in (citation(), citation(valid_from=None)):
        reply = client.get(pane.text_of(cited, [QUOTE]))
        assert "<b>Precepto superado.</b>" in reply.text
        assert f'href="{entry.url}"' in reply.text


def test_addresses_name_the_wording(client: TestClient) -> None:
    asked = parse_qs(urlsplit(pane.text_of(citation(), [QUOTE, "otra"])).query)
    assert asked == {"doc": ["X-LTF"], "block": ["a2"], "on": ["2019-03-06"], "q": [QUOTE, "otra"]}
    assert pane.page_of(citation()) == "/normativa?doc=X-LTF&block=a2&on=2019-03-06"
    assert pane.page_of(citation(valid_from=None)) == "/normativa?doc=X-LTF&block=a2"


def test_words_that_the_article_does_not_have_are_not_marked_and_that_is_told(client: TestClient) -> None:
    reply = client.get(SOURCE, params=PLACE | {"q": ["cuarenta días naturales", QUOTE]})
    assert reply.text.count("<mark>") == 1
    assert "ya no está tal cual" in reply.text


@pytest.mark.parametrize(
    ("at", "marked"), [("last", "calendario de"), ("", "derecho a"), ("1", "derecho a"), ("²", "derecho a")]
)
def test_of_words_that_stand_twice_those_that_were_cited_are_marked(
    client: TestClient, at: str, marked: str
) -> None:
    block = assembly.app().database.corpus.block("X-LTF", "a2")
    assert block is not None
    last = str(block.versions[-1].text.rindex("vacaciones"))
    reply = client.get(SOURCE, params=PLACE | {"q": "vacaciones", "at": last if at == "last" else at})
    assert f"{marked} <mark>vacaciones</mark>" in reply.text
    assert reply.text.count("<mark>") == 1


def test_without_words_the_whole_article_is_shown(client: TestClient) -> None:
    reply = client.get(SOURCE, params=PLACE)
    assert "<mark>" not in reply.text
    assert QUOTE in reply.text


@pytest.mark.parametrize(
    ("asked", "status", "told"),
    [
        ({}, 404, "ya no está entre los textos cargados"),
        ({"doc": "X-LTF", "block": "nada"}, 404, "ya no está entre los textos cargados"),
        ({"doc": "nada", "block": "a2"}, 404, "ya no está entre los textos cargados"),
        (PLACE | {"on": "ayer"}, 422, "no se entiende"),
        (PLACE | {"on": "2019-02-30"}, 422, "no se entiende"),
    ],
)
def test_what_is_not_there_is_told_in_a_sentence(
    client: TestClient, asked: dict[str, str], status: int, told: str
) -> None:
    reply = client.get(SOURCE, params=asked)
    assert reply.status_code == status
    assert told in reply.text


def test_who_has_been_signed_out_meanwhile_reads_nothing(client: TestClient) -> None:
    reply = client.get(SOURCE, params=PLACE, headers={"gone": "1"})
    assert reply.status_code == 403
    assert QUOTE not in reply.text


def test_hostile_addresses_show_nothing_alive(client: TestClient) -> None:
    for text in TEXTS:
        sent = text.encode("utf-8", "replace").decode()[:3000]
        for asked in (PLACE | {"q": sent}, {"doc": sent, "block": sent}, PLACE | {"on": sent}):
            reply = client.get(SOURCE, params=asked)
            assert reply.status_code in (200, 404, 422), repr(sent[:60])
            assert live_html(reply.text) == [], repr(sent[:60])
