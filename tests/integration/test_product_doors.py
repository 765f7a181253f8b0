"""Opinions and templates over HTTP, from the clients, the library, MCP and the command line."""

import io
import json
from base64 import b64decode
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import docx
import pytest

import cli
from articulado.library import Articulado
from domain.accounts import LOCAL, Role, Scope
from service import config
from service.members.member import Member
from service.opinions.letterheads import example
from service.program.assembly import App
from tests.api_app import Api, api_over
from tests.conftest import DATA
from tests.homes import new_program
from tests.hostile import TEXTS

VACATIONS = "¿Cuántos días de vacaciones me corresponden al año?"
JSON = {"accept": "application/json"}
NAME = "preaviso-dimision"
FACTS = {"nombre": "Filomena Zurrutúa", "fecha": "2026-06-01", "efectos": "10/06/2026", "dias": "15"}
NOTICE, FROM = "/calculations/preaviso", {"causa": "objetivo", "comunicacion": "2025-05-01"}
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """The API where people have accounts; Ana has asked twice."""
    program = new_program(tmp_path_factory.mktemp("products") / "home", auth_mode="local")
    program.loading.ingest([DATA])
    with api_over(program) as made:
        made.person("jefa", Role.ADMIN)
        yield made
    program.close()


@pytest.fixture(scope="module")
def ana(many: Api) -> str:
    return many.token(many.person("ana"), Scope.ASK)


@pytest.fixture(scope="module")
def asked(many: Api, ana: str) -> str:
    """A conversation of Ana's with two answers."""
    body = {"question": VACATIONS}
    kept: str = many("POST", "/ask", ana, json=body).json()["conversation"]
    many("POST", "/ask", ana, json={"question": "¿Y el periodo de prueba?", "conversation": kept})
    return kept


def words(data: bytes) -> str:
    return "\n".join(one.text for one in docx.Document(io.BytesIO(data)).paragraphs)


def refused(reply: Any, status: int, told: str) -> None:
    assert reply.status_code == status, reply.text
    detail = reply.json()["detail"]
    assert told in detail and len(detail.splitlines()) == 1


# Opinions


def test_an_opinion_comes_as_a_file_under_its_name(many: Api, ana: str, asked: str) -> None:
    reply = many("POST", "/opinions", ana, json={"conversation": asked})
    assert (reply.status_code, reply.headers["content-type"]) == (200, WORD)
    assert reply.headers["content-disposition"] == "attachment; filename*=UTF-8''dictamen.docx"
    said = words(reply.content)
    assert "Fundamentos" in said and VACATIONS in said and "periodo de prueba" in said


@pytest.mark.parametrize(
    ("kind", "begins"), [("docx", b"PK"), ("pdf", b"%PDF"), ("md", b"# "), ("json", b"{")]
)
def test_a_program_that_asks_for_json_gets_the_bytes_and_their_hash(
    many: Api, ana: str, asked: str, kind: str, begins: bytes
) -> None:
    body = {"conversation": asked, "format": kind}
    found = many("POST", "/opinions", ana, json=body, headers=JSON).json()
    data = b64decode(found["content"])
    assert data.startswith(begins)
    assert (found["name"], found["sha256"]) == (f"dictamen.{kind}", sha256(data).hexdigest())


def test_an_opinion_goes_into_a_template_of_the_firm(many: Api, ana: str, asked: str) -> None:
    Member(many.program, LOCAL).letterheads.add("Bufete ñ.docx", example())
    try:
        assert many("GET", f"/conversations/{asked}/answers", ana).json()["letterheads"] == ["Bufete ñ"]
        reply = many("POST", "/opinions", ana, json={"conversation": asked, "letterhead": "Bufete ñ"})
        assert "{{" not in words(reply.content) and VACATIONS in words(reply.content)
        body = {"conversation": asked, "letterhead": "Bufete ñ", "format": "pdf"}
        refused(many("POST", "/opinions", ana, json=body), 422, "son de Word")
    finally:
        Member(many.program, LOCAL).letterheads.remove("Bufete ñ")
    body = {"conversation": asked, "letterhead": "Bufete ñ"}
    refused(many("POST", "/opinions", ana, json=body), 404, "Esa plantilla ya no está")


def test_an_opinion_that_names_an_answer_that_is_not_there_is_not_made_of_the_others(
    many: Api, ana: str, asked: str
) -> None:
    first = many("GET", f"/conversations/{asked}/answers", ana).json()["answers"][0]["id"]
    body = {"conversation": asked, "answers": [first, 999_999]}
    refused(many("POST", "/opinions", ana, json=body), 404, "ya no está")


def test_without_a_model_nothing_is_drafted_and_it_is_told(many: Api, ana: str, asked: str) -> None:
    body = {"conversation": asked, "draft": True}
    refused(many("POST", "/opinions", ana, json=body), 422, "No hay ningún modelo configurado")


# Templates


@pytest.mark.parametrize(
    ("path", "body", "status", "told"),
    [
        ("/templates/nada", {"data": {}}, 404, "No existe ese modelo"),
        ("/templates/..%2f..%2fetc", {"data": {}}, 404, "No existe"),
        (f"/templates/{NAME}", {"data": {"luna": "llena"}}, 422, "«luna» no es un dato"),
        (f"/templates/{NAME}", {"data": {"fecha": "31/02/2026"}}, 422, "debe ser una fecha"),
        (f"/templates/{NAME}", {"data": {"nombre": "x" * 8001}}, 422, "8000 caracteres como máximo"),
        (f"/templates/{NAME}", {"data": {"nombre": ["x"]}}, 422, "No se puede usar"),
        (f"/templates/{NAME}", {"data": {str(n): "" for n in range(61)}}, 422, "como máximo"),
        (NOTICE, {"data": FROM | {"salario": 1e300}}, 422, "no se admiten más de"),
        (NOTICE, {"data": FROM | {"salario": True}}, 422, "escriba un importe"),
        (NOTICE, {"data": FROM | {"comunicacion": 20250501}}, 422, "que exista"),
        (NOTICE, {"data": FROM | {"efectos": "x" * 201}}, 422, "caracteres como máximo"),
        (NOTICE, {"data": FROM | {"efectos": {"a": 1}}}, 422, "No se puede usar"),
        (NOTICE, {"data": {str(n): "" for n in range(41)}}, 422, "como máximo"),
        (f"/calculations/{'x' * 300}", {"data": {}}, 422, "200 caracteres como máximo"),
        ("/opinions", {"conversation": "x", "format": "odt"}, 422, "format debe ser uno de"),
        ("/opinions", {"conversation": "x", "answers": list(range(201))}, 422, "answers"),
        ("/opinions", {"conversation": "x", "answers": ["uno"]}, 422, "answers.0"),
        ("/opinions", {"answers": [1]}, 422, "falta «conversation»"),
        ("/opinions", {"conversation": "x", "otra": 1}, 422, "sobra «otra»"),
    ],
)
def test_what_cannot_be_used_is_a_sentence(  # noqa: PLR0917
    many: Api, ana: str, path: str, body: dict[str, Any], status: int, told: str
) -> None:
    refused(many("POST", path, ana, json=body), status, told)


def test_hostile_texts_stay_text_in_a_filled_template(many: Api, ana: str) -> None:
    wrong = []
    for text in TEXTS[::7]:
        data = {"data": {"nombre": text[:300], "vacaciones": text[:300]}}
        body = json.dumps(data).encode()
        headers = {"content-type": "application/json"}
        reply = many("POST", f"/templates/{NAME}", ana, content=body, headers=headers)
        if reply.status_code == 200:
            said = words(reply.content)
            if "A LA DIRECCIÓN DE" not in said or "Hoja de control" not in said:
                wrong.append(text[:60])
        elif reply.status_code not in {400, 422} or len(reply.json()["detail"].splitlines()) != 1:
            wrong.append(f"{reply.status_code} {text[:60]!r}")
    assert wrong == []


@pytest.mark.parametrize("text", TEXTS[::11], ids=range(len(TEXTS[::11])))
def test_a_hostile_name_of_a_conversation_or_template_is_not_there(many: Api, ana: str, text: str) -> None:
    body = json.dumps({"conversation": text[:200], "letterhead": text[:60]}).encode()
    reply = many("POST", "/opinions", ana, content=body, headers={"content-type": "application/json"})
    assert reply.status_code in {404, 422} and len(reply.json()["detail"].splitlines()) == 1


# The other ways in


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A program of the personal mode."""
    program = new_program(tmp_path_factory.mktemp("own") / "home")
    program.loading.ingest([DATA])
    yield program
    program.close()


@pytest.fixture
def home(own: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[str]:
    """The command line in a folder of its own, over a home with a conversation."""
    made = new_program(tmp_path / "home")
    made.loading.ingest([DATA])
    kept = Articulado.over(made, "cli", pytest.fail).ask(VACATIONS, conversation="new")["conversation"]
    made.close()
    monkeypatch.setenv("ARTICULADO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("EMBEDDINGS_PROVIDER", "none")
    monkeypatch.chdir(tmp_path)
    config.settings.cache_clear()
    yield kept
    config.settings.cache_clear()


def test_the_command_line_writes_an_opinion_and_never_over_a_file(
    home: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["opinion", home, "--list"]) == 0
    assert VACATIONS in capsys.readouterr().out
    assert cli.main(["opinion", home]) == 0
    assert capsys.readouterr().out == "dictamen.docx\n"
    assert VACATIONS in words((tmp_path / "dictamen.docx").read_bytes())
    before = (tmp_path / "dictamen.docx").read_bytes()
    assert cli.main(["opinion", home]) == 1
    assert "ya existe y no se ha tocado" in capsys.readouterr().err
    assert (tmp_path / "dictamen.docx").read_bytes() == before
    assert cli.main(["opinion", home, "--format", "pdf", "--output", str(tmp_path / "no" / "x.pdf")]) == 1
    assert "no se puede escribir" in capsys.readouterr().err
    assert cli.main(["opinion", "no-existe", "--json"]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_command_line_fills_a_template_and_tells_what_is_missing(
    home: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["template", "list"]) == 0
    assert NAME in capsys.readouterr().out
    assert cli.main(["template", "show", NAME]) == 0
    assert "dias                 Días de preaviso" in capsys.readouterr().out
    data = [f"{name}={value}" for name, value in FACTS.items()]
    assert cli.main(["template", "fill", NAME, *data, "--output", str(tmp_path / "uno.docx")]) == 0
    out = capsys.readouterr().out
    assert "Falta: DNI o NIE" in out and "Días de preaviso que faltan: 6" in out
    assert "Filomena Zurrutúa" in words((tmp_path / "uno.docx").read_bytes())
    assert cli.main(["template", "fill", NAME, "luna"]) == 1
    assert "escríbalo como nombre=valor" in capsys.readouterr().err
