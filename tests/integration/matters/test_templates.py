"""Templates of briefs over a whole program: drafts, Word, what an expediente tells, and who may."""

import io

import docx
import pytest

from core.errors import Forbidden, NotFound
from domain.accounts import Identity, Permission, Role
from domain.accounts import Scope as TokenScope
from service.members.member import Member
from service.opinions.brief_file import SHEET
from tests.integration.matters.conftest import person

NAME = "papeleta-despido"
WORKER = "Filomena Zurrutúa"


def read(content: bytes) -> list[str]:
    return [one.text for one in docx.Document(io.BytesIO(content)).paragraphs]


def test_the_word_file_has_the_draft_and_a_last_page_for_whoever_files_it(ana):
    values = {"nombre": WORKER, "fecha_efectos": "15/03/2026", "sede": "Madrid", "hechos": "=1+1\nDos"}
    lines = read(ana.templates.word(ana.templates.prepared(NAME, values)))
    assert lines[0] == "AL SERVICIO DE MEDIACIÓN, ARBITRAJE Y CONCILIACIÓN DE […]"
    assert any(line.startswith(f"{WORKER}, con DNI o NIE […]") for line in lines)
    assert any(line.endswith("=1+1") for line in lines) and "Dos" in lines
    sheet = lines[lines.index(SHEET) :]
    assert any("caducidad" in line for line in sheet)
    assert any("15 de abril de 2026" in line or "de abril de 2026" in line for line in sheet)
    assert "DNI o NIE" in sheet and "Nombre y apellidos de la persona trabajadora" not in sheet
    assert any("NO ESTÁ EN EL CORPUS" in line for line in sheet)


def test_a_writ_is_set_as_one_signs_it(ana):
    values = {"hechos": "Uno: x\n\n- Dos", "danos": "100", "nulidad": "La igualdad"}
    file = docx.Document(io.BytesIO(ana.templates.word(ana.templates.prepared(NAME, values))))
    written = {one.text: one for one in file.paragraphs}
    assert "" not in written
    bold = [one.text for part in file.paragraphs for one in part.runs[:1] if one.bold and one.text]
    assert bold[:2] == ["PRIMERO. ", "SEGUNDO. "] and "I. Conciliación previa. " in bold
    kept = {text for text, one in written.items() if one.paragraph_format.keep_with_next}
    assert {"Por lo expuesto, SOLICITA", "En […], a […]."} < kept and "Firma" not in kept
    assert any(text.endswith("por lo siguiente:") for text in kept)


def test_nothing_that_is_written_is_stored_or_logged(program, ana):
    made = ana.templates.prepared(NAME, {"nombre": WORKER, "hechos": "secreto-7431"})
    ana.templates.word(made)
    ana.exported("template", NAME)
    entries = [one for one in program.audit.log.entries() if one.detail.get("what") == "template"]
    assert [(one.action.value, one.target) for one in entries] == [("exported", NAME)]
    kept = [path for path in program.home.rglob("*") if path.is_file()]
    assert [path for path in kept if b"secreto-7431" in path.read_bytes()] == []


def test_a_firm_adds_and_replaces_templates_and_only_the_admin_reads_what_is_wrong(program, ana):
    folder = program.home / "templates"
    folder.mkdir()
    (folder / "roto.toml").write_text("title =", "utf-8")
    assert len(ana.templates.templates().known) == 11
    assert ana.templates.problems() == ()
    rosa = person(program, "rosa", Role.ADMIN)
    assert rosa.may(Permission.ACCOUNTS)
    (told,) = rosa.templates.problems()
    assert told.startswith("roto.toml: ")


def test_an_unknown_template_does_not_exist(ana):
    for name in ("nada", "../config", "", "papeleta-despido.toml"):
        with pytest.raises(NotFound, match="No existe ese modelo"):
            ana.templates.template(name)


def test_a_token_that_may_only_read_gets_no_template(program):
    reading = Identity(id="ana", username="ana", name="Ana", roles=(Role.LAWYER,)).model_copy(
        update={"scopes": (TokenScope.READ,), "token": "t"}
    )
    member = Member(program, reading)
    for act in (
        member.templates.templates,
        lambda: member.templates.prepared(NAME, {}),
    ):
        with pytest.raises(Forbidden, match="no tiene permiso"):
            act()
