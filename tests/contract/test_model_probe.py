"""A probe over real HTTP: what the table tells of sound and unsound endpoints, and that it leaks nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from core.errors import ConfigurationError
from models.metering import Spent, nothing
from models.probe_results import Probed, RoleProbe, Structured, Thinking, rows
from service.program.model_probe import ModelProbe
from tests.model_replies import Reply, Request, echoes_key, fails, says
from tests.model_server import ModelServer
from tests.probed_server import (
    NUMBERS,
    Brain,
    cutting,
    one_system_only,
    reads,
    reasoning_apart,
    settings,
    sound,
    systems,
    with_text,
    with_window,
)
from tests.scripted import KEY

WAIT = 60


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        running.on_chat(sound)
        yield running


def probed(server: ModelServer, *, fast: bool = False, **changes: Any) -> Probed:
    return ModelProbe(settings(server.url, **changes), nothing).start("ana", fast=fast).result(WAIT)


def principal(found: Probed) -> RoleProbe:
    return next(one for one in found.roles if one.role == "principal")


def table(probe: RoleProbe) -> str:
    """All that is told of a role, in lines."""
    marks = {True: "sí", False: "no", None: "·"}
    lines = [f"[{marks[good]}] {what}: {told}" for good, what, told in rows(probe)]
    return "\n".join([*lines, *probe.advice])


class Case(NamedTuple):
    """An endpoint, the settings, the fields of its probe and what must be told; None: no verdict is asked."""

    brain: Brain | Reply
    fields: dict[str, Any]
    told: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    works: bool | None = True
    rejects: str = ""
    changes: dict[str, Any] = {}  # noqa: RUF012


CASES = {
    "a good endpoint": Case(
        sound,
        {"reachable": True, "key": True, "answers": True, "streaming": True, "several_systems": True}
        | {"structured": Structured.OBEYED, "thinking": Thinking.NONE},
        ("encuentra un dato al principio de unos 12.000 tokens", "tokens por segundo"),
        ("[no]", "Ponga", "num_ctx"),
    ),
    "a silent cut at 4,096 tokens": Case(
        cutting(4096),
        {"answers": True},
        (
            "[no] Contexto que lee: no encuentra",
            "(el servidor contó 4.096)",
            "OLLAMA_CONTEXT_LENGTH",
            "26.000",
        ),
        ("ponga CONTEXT_TOKENS=",),
        works=False,
    ),
    "a silent cut at 8,192 tokens": Case(
        cutting(8192),
        {"answers": True},
        ("no encuentra", "o ponga CONTEXT_TOKENS=2000"),
        works=False,
    ),
    "a cut that leaves the beginning": Case(
        lambda request: reads(request, request.prompt[:9000] + request.prompt[-9000:]),
        {"answers": True},
        ("[no] Contexto que lee: encuentra", "no lee el texto entero", "--max-model-len"),
        works=False,
    ),
    "a window that is refused": Case(
        with_window, {"answers": True}, ("no admite unos 12.000 tokens", "--max-model-len"), works=False
    ),
    "a context that the settings keep small": Case(
        cutting(6000), {}, ("unos 4.500 tokens",), ("num_ctx",), changes={"context_tokens": 500}
    ),
    "a wrong key": Case(
        echoes_key(401),
        {"reachable": True, "key": False, "answers": False},
        ("[no] Acepta la clave: no", "PRINCIPAL_API_KEY"),
        works=False,
    ),
    "an unknown model": Case(
        fails(404, "no such model", code="model_not_found"),
        {"reachable": True, "key": True, "answers": False},
        ("[no] El modelo existe y contesta", "PRINCIPAL_MODEL"),
        works=False,
    ),
    "an account without credit": Case(
        fails(429, "pay", code="insufficient_quota"), {"answers": False}, ("saldo",), works=False
    ),
    "no stream": Case(
        sound, {"streaming": False, "answers": True}, ("Sin streaming",), works=None, rejects="stream"
    ),
    "no schema": Case(
        sound,
        {"structured": Structured.REFUSED, "streaming": True},
        ("STRUCTURED_OUTPUT=false",),
        rejects="response_format",
    ),
    "a schema that is ignored": Case(
        lambda request: says("Son siete.") if "response_format" in request.body else sound(request),
        {"structured": Structured.IGNORED},
        ("acepta el esquema y no lo cumple", "STRUCTURED_OUTPUT=false"),
    ),
    "a server that fails at a schema": Case(
        lambda request: fails(503) if "response_format" in request.body else sound(request),
        {"structured": None},
        ("[·] Salida estructurada (esquema JSON): sin comprobar",),
        ("STRUCTURED_OUTPUT",),
    ),
    "a schema that is not asked for": Case(
        sound, {}, ("STRUCTURED_OUTPUT=true",), changes={"structured_output": False}
    ),
    "no second message of the system": Case(
        one_system_only,
        {"several_systems": False, "thinking": Thinking.NONE},
        ("Articulado los reúne en uno",),
        ("[no]",),
    ),
    "an error in the place of a reply to a second message of the system": Case(
        lambda request: Reply(body={"error": {"message": "no"}}) if systems(request) > 1 else sound(request),
        {"several_systems": False, "answers": True},
    ),
    "thinking in the answer": Case(
        with_text("<think>Veamos {1}.</think>"),
        {"thinking": Thinking.INSIDE},
        ("[no] Razonamiento escrito: dentro de la respuesta", "--reasoning-parser", "PRINCIPAL_MODEL"),
    ),
    "thinking in a field of its own": Case(
        reasoning_apart, {"thinking": Thinking.APART}, ("aparte, fuera de la respuesta",)
    ),
    "a fixed temperature": Case(
        sound,
        {"temperature": False, "several_systems": True},
        ("PRINCIPAL_REASONING=true",),
        rejects="temperature",
    ),
    "a model that does not reason, called one that does": Case(
        sound, {}, ("PRINCIPAL_REASONING=false",), changes={"principal_reasoning": True}
    ),
    "no count of tokens": Case(
        lambda request: replace(sound(request), usage=None),
        {"tokens_per_second": None},
        ("caracteres por segundo",),
        ("el servidor contó",),
    ),
    "a slow model": Case(
        lambda request: replace(sound(request), drip=0.02),
        {"streaming": True},
        ("A esta velocidad", "ANSWER_SECONDS es 3"),
        ("[no]",),
        works=False,
        changes={"answer_seconds": 3},
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_the_table_tells_what_an_endpoint_can_do(server: ModelServer, case: Case) -> None:
    brain = case.brain
    server.on_chat(brain if callable(brain) else lambda _request: brain)
    server.rejects = {case.rejects} - {""}
    found = probed(server, **case.changes)
    one = principal(found)
    assert {name: getattr(one, name) for name in case.fields} == case.fields
    told = table(one)
    assert [words for words in case.told if words not in told] == [], told
    assert [words for words in case.untold if words in told] == [], told
    assert case.works in (None, one.works)
    everything = found.model_dump_json() + told
    assert KEY not in everything and "colina" not in everything and "no such model" not in everything


def test_the_time_before_the_first_word_is_none_of_its_speed(server: ModelServer) -> None:
    def late(request: Request) -> Reply:
        return replace(sound(request), wait=1.5 if request.body.get("stream") else None, drip=0.002)

    server.on_chat(late)
    one = principal(probed(server, fast=True))
    assert one.first_seconds and one.characters_per_second
    assert len(NUMBERS) / one.characters_per_second < 1.5 <= one.first_seconds


def test_a_server_that_is_not_there_is_told_as_such() -> None:
    with ModelServer() as gone:
        url = gone.url
    one = principal(ModelProbe(settings(url), nothing).start("ana").result(WAIT))
    assert (one.reachable, one.key, one.answers, one.works) == (False, None, False, False)
    assert "No hay conexión" in one.error and "PRINCIPAL_BASE_URL" in one.error


@pytest.mark.parametrize("fast", [False, True])
def test_as_many_tokens_are_sent_as_are_announced_once_for_roles_that_share_a_model(
    server: ModelServer, fast: bool
) -> None:
    announced = ModelProbe(settings(server.url), nothing).sends(fast=fast)
    found = probed(server, fast=fast)
    sent = sum(len(request.prompt) for request in server.requests) / 4
    assert announced / 4 < sent < announced * 1.1
    assert [one.role for one in found.roles] == ["reader", "principal"]
    assert found.works and (principal(found).window is None) == fast
    apart = ModelProbe(settings(server.url, reader_model="otro"), nothing)
    assert apart.sends(fast=fast) == 2 * announced


def test_both_apis_are_probed(server: ModelServer) -> None:
    one = principal(probed(server, openai_api="responses"))
    assert (one.works, one.streaming, one.structured) == (True, True, Structured.OBEYED)
    assert {request.path for request in server.requests} == {"/v1/responses"}


def test_a_slow_reader_is_told_by_its_own_limits(server: ModelServer) -> None:
    found = probed(server, fast=True, decompose_seconds=0.0001)
    assert "DECOMPOSE_SECONDS" in table(found.roles[0]) and "DECOMPOSE_SECONDS" not in table(found.roles[1])


@pytest.mark.parametrize(("size", "works"), [(16, True), (8, False)])
def test_vectors_of_an_endpoint_are_tried_too(server: ModelServer, size: int, works: bool) -> None:
    vectors = {"embeddings_provider": "openai", "embeddings_model": "vectores", "embeddings_dimensions": size}
    found = probed(server, fast=True, **vectors)
    one = found.roles[-1]
    assert (one.role, one.works, found.works) == ("embeddings", works, works)
    assert ("EMBEDDINGS_DIMENSIONS=16" in table(one)) is not works


def test_the_address_of_an_endpoint_is_told_without_what_else_it_holds(server: ModelServer) -> None:
    url = server.url.replace("http://", "http://ana:secreto@")
    one = principal(ModelProbe(settings(url), nothing).start("ana", fast=True).result(WAIT))
    assert one.host == server.root.removeprefix("http://")


def test_the_tokens_are_counted_as_used_by_whoever_asked(server: ModelServer) -> None:
    spent: list[tuple[str, Spent]] = []

    def spend(owner: str, those: Sequence[Spent]) -> None:
        spent.extend((owner, one) for one in those)

    ModelProbe(settings(server.url), spend).start("ana").result(WAIT)
    ((owner, one),) = spent
    assert owner == "ana" and one.prompt_tokens > 12_000


def test_an_error_of_ours_is_raised_to_whoever_waits(server: ModelServer) -> None:
    def broken(*_: object) -> None:
        raise ConfigurationError("No se pudo anotar.")

    with pytest.raises(ConfigurationError, match="anotar"):
        ModelProbe(settings(server.url), broken).start("ana", fast=True).result(WAIT)


def test_without_a_model_a_sentence_says_what_to_set() -> None:
    without = ModelProbe(settings("", openai_base_url=None, openai_api_key=None), nothing)
    for attempt in (without.sends, lambda: without.start("ana")):
        with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
            attempt()


def test_the_request_is_the_one_that_answers_make(server: ModelServer) -> None:
    probed(server, fast=True, principal_reasoning=True, reader_reasoning=True)
    bodies: list[Request] = server.requests
    assert all("temperature" not in request.body and request.model == "modelo-1" for request in bodies)
