"""Retention, a person's copy and erasure as the program does them, and the commands over them and the log."""

import argparse
import io
import json
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

import cli
from commands.audit import attended
from commands.backup import restore
from core.errors import InputError, NotFound, StorageError
from domain.accounts import Scope
from domain.audit import AuditAction
from domain.tokens import ApiToken
from models.metering import Spent
from rag.answers.provenance import EXTRACT
from rag.shared.cited_answer import Answer, Citation
from rag.shared.messages import MessageState
from service.accounts.sessions import hashed
from service.backup.backup import backup as make_backup
from service.oversight.privacy import PersonalData
from service.program.assembly import App
from storage import backup
from storage.stores import open_database
from tests.conftest import Maker
from tests.pages.fakes import local_accounts

SECRET = "¿Y Filomena Zurrutúa?"


@pytest.fixture
def program(make_program: Maker) -> App:
    return make_program()


def asked(program: App, owner: str = "local") -> str:
    chat = program.database.conversations.create(owner, SECRET).id
    _, reply = program.database.conversations.ask(owner, chat, SECRET)
    cited = Citation(
        marker="C1", quote="un mes", source="Ley una, artículo 1", norm_id="una", url="https://x.example"
    )
    answer = Answer(answer="Un mes [C1].", confidence=0.9, citations=(cited,))
    program.database.conversations.finish(reply.id, MessageState.COMPLETE, answer.answer, answer, None)
    return chat


def run(program: App, *words: str) -> int:
    options = cli._parser().parse_args(list(words))
    return options.run(program, options) or 0


def personal_data(program: App, days: int, **settings: int) -> PersonalData:
    stores = (program.database.privacy, program.database.usage, program.database.audit)
    return PersonalData(*stores, now=lambda: datetime.now(UTC) + timedelta(days=days), **settings)


def test_retention_drops_what_is_old_and_tells_how_much(program):
    asked(program)
    assert personal_data(program, 29, retention_days=30).apply().conversations == 0
    assert program.audit.log.entries() == []
    assert personal_data(program, 31, retention_days=30).apply().conversations == 1
    (entry,) = program.audit.log.entries()
    assert (entry.action, entry.target, entry.detail["conversations"]) == ("expired", "conversations", "1")
    assert personal_data(program, 31, audit_retention_days=30).apply().audit_entries == 1
    assert program.audit.log.verify().problem == ""


def test_without_periods_everything_is_kept(program):
    asked(program)
    program.audit.log.append("local", AuditAction.READ)
    done = personal_data(program, 9999).apply()
    assert (done.conversations, done.audit_entries) == (0, 0)


def test_a_copy_holds_the_conversations_with_their_sources(program):
    asked(program)
    asked(program, "otra")
    program.database.usage.record("local", [Spent(role="reader", model="m", prompt_tokens=3)])
    with zipfile.ZipFile(io.BytesIO(program.privacy.export("local", "local"))) as archive:
        names = archive.namelist()
        text = archive.read("conversaciones/0001.md").decode()
        stored = json.loads(archive.read("conversaciones/0001.json"))
        used = json.loads(archive.read("uso.json"))
    assert names == [
        "LEAME.txt",
        "conversaciones/0001.json",
        "conversaciones/0001.md",
        "uso.json",
        "expedientes.json",
        "vigilancias.json",
        "accesos.json",
    ]
    [words] = stored["provenance"]
    assert (words["message"], words["text"], words["quotations"]) == (
        stored["messages"][1]["id"],
        "extract",
        "unchecked",
    )
    front = text.split("---\n")[1]
    assert json.loads(front.removeprefix("provenance: ")) == [words]
    assert EXTRACT in text
    assert SECRET in text and "- [1] Ley una, artículo 1: «un mes» https://x.example" in text
    assert stored["messages"][1]["answer"]["citations"][0]["marker"] == "C1"
    assert [row["prompt_tokens"] for row in used] == [0, 3]
    assert program.audit.log.entries()[0].action is AuditAction.EXPORTED


def test_a_copy_lists_the_persons_tokens_without_secret_or_hash_and_an_erasure_ends_them(program):
    accounts = local_accounts(program.database.engines, "rosa=admin", "ana=abogado")
    ana = accounts.enter("ana")
    made = accounts.tokens.create(ana, "Nóminas", [Scope.READ], 30)
    accounts.tokens.create(accounts.enter("rosa"), "De Rosa", [Scope.READ], 30)
    with zipfile.ZipFile(io.BytesIO(program.privacy.export(ana.id, ana.id))) as archive:
        (listed,) = json.loads(archive.read("accesos.json"))
        told = archive.read("LEAME.txt").decode()
    assert "accesos.json" in told
    assert ApiToken.model_validate(listed) == made.token
    assert not any(made.secret in text or hashed(made.secret) in text for text in map(str, listed.values()))
    program.privacy.erase(ana.id, "local")
    assert accounts.tokens.identify(made.secret) is None
    assert program.privacy.export(ana.id, ana.id)
    assert len(accounts.tokens.of(accounts.named(None, "rosa").id)) == 1


def test_a_copy_holds_what_the_person_chose_for_themselves(program):
    program.database.preferences.change("local", theme="dark")
    with zipfile.ZipFile(io.BytesIO(program.privacy.export("local", "local"))) as archive:
        assert json.loads(archive.read("ajustes.json"))["theme"] == "dark"
    with zipfile.ZipFile(io.BytesIO(program.privacy.export("otra", "local"))) as archive:
        assert "ajustes.json" not in archive.namelist()
        assert "ajustes.json" in archive.read("LEAME.txt").decode()
    program.privacy.erase("local", "local")
    assert program.database.preferences.read("local").theme == "system"


def test_erasing_leaves_an_entry_and_nothing_else(program, capsys):
    asked(program)
    assert run(program, "privacy", "erase", "local", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"user": "local", "conversations": 1, "cases_left": 0}
    assert program.database.conversations.conversations("local") == []
    assert program.audit.log.entries()[0].target == "local"
    with pytest.raises(NotFound, match="nadie"):
        run(program, "privacy", "erase", "nadie")


def test_without_a_record_nothing_is_erased(program, monkeypatch):
    asked(program)

    def refuse(*_args: object) -> None:
        raise StorageError("La base de datos no está disponible.")

    monkeypatch.setattr(program.database.audit, "append", refuse)
    with pytest.raises(StorageError):
        program.privacy.erase("local", "local")
    assert len(program.database.conversations.conversations("local")) == 1


def test_a_copy_is_written_once_and_for_its_owner_alone(program, tmp_path, capsys):
    asked(program)
    target = tmp_path / "copia.zip"
    assert run(program, "privacy", "export", "local", str(target)) == 0
    assert zipfile.is_zipfile(target) and target.stat().st_mode & 0o077 == 0
    with pytest.raises(InputError, match="ya existe"):
        run(program, "privacy", "export", "local", str(target))


# The commands over the log


def test_a_command_is_recorded_before_it_runs(program):
    options = argparse.Namespace(command="demo")
    with pytest.raises(InputError), attended(program, options):
        assert program.audit.log.entries()[0].detail == {"door": "cli", "command": "demo"}
        raise InputError("x")
    with attended(program, argparse.Namespace(command="diff")):
        pass
    assert len(program.audit.log.entries()) == 1


def test_verify_says_whether_the_chain_is_whole_by_its_code(program, capsys):
    program.audit.log.append("local", AuditAction.READ)
    assert run(program, "audit", "verify", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["entries"], found["problem"]) == (1, "")
    assert run(program, "audit", "verify", "--head", found["head"]) == 0
    assert run(program, "audit", "verify", "--head", "2:abc", "--json") == 1
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["broken"] == 2


def test_the_head_that_a_backup_holds_shows_what_the_log_lost_since(program, tmp_path, capsys):
    program.audit.log.append("ana", AuditAction.READ)
    copy, sound = tmp_path / "copia.zip", program.audit.log.verify().head
    assert run(program, "backup", str(copy), "--json") == 0
    assert json.loads(capsys.readouterr().out)["audit_head"] == sound
    restore(None, cli._parser().parse_args(["restore", str(copy), "--verify-only"]))
    assert f"Cabeza del registro de auditoría: {sound}" in capsys.readouterr().out
    program.audit.log.append("ana", AuditAction.READ)
    assert run(program, "audit", "verify", "--backup", str(copy)) == 0
    with program.database.engines.engine.begin() as connection:
        connection.execute(text("DROP TRIGGER audit_delete"))
        connection.execute(text("DELETE FROM audit"))
    assert run(program, "audit", "verify") == 0
    capsys.readouterr()
    assert run(program, "audit", "verify", "--backup", str(copy)) == 1
    assert "Faltan entradas del final" in capsys.readouterr().out


def test_a_backup_of_an_empty_log_has_no_head_to_compare_with(program, tmp_path):
    made = make_backup(program.database.engines, program.home, tmp_path / "copia.zip")
    assert made.audit_head == ""
    with pytest.raises(InputError, match="cabeza"):
        run(program, "audit", "verify", "--backup", str(tmp_path / "copia.zip"))


def test_the_log_is_listed_and_exported_with_its_filters(program, tmp_path, capsys):
    for actor in ("ana", "eva", "ana"):
        program.audit.log.append(actor, AuditAction.ASKED)
    assert run(program, "audit", "list", "--actor", "ana", "--action", "asked", "--json") == 0
    assert [e["number"] for e in json.loads(capsys.readouterr().out)["entries"]] == [3, 1]
    today = datetime.now(UTC).date().isoformat()
    for name in ("log.csv", "log.jsonl"):
        assert run(program, "audit", "export", str(tmp_path / name), "--since", today) == 0
    lines = (tmp_path / "log.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["action"] for line in lines][:2] == ["exported", "exported"]
    assert (tmp_path / "log.csv").read_text("utf-8").startswith("number,at,actor,action")
    with pytest.raises(InputError, match="csv"):
        run(program, "audit", "export", str(tmp_path / "log.txt"))


def test_usage_is_told_by_day_and_without_prices(program, capsys):
    program.database.usage.record("local", [Spent(role="reader", model="m", prompt_tokens=3)])
    assert run(program, "usage", "--by", "model", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [(line["key"], line["unpriced"]) for line in found["lines"]] == [("m", True)]
    assert found["total"]["prompt_tokens"] == 3
    assert run(program, "usage") == 0
    assert "sin precio" in capsys.readouterr().out


def test_a_backup_takes_the_chain_along(program, make_program: Maker, tmp_path: Path):
    for number in range(3):
        program.audit.log.append("ana", AuditAction.ASKED, str(number))
    program.database.audit.cut(datetime.now(UTC) + timedelta(days=1))
    program.audit.log.append("ana", AuditAction.ASKED, "tras el corte")
    restored = open_database(f"sqlite:///{tmp_path / 'otra.db'}")
    with (
        backup.snapshot(program.database.engines) as shot,
        backup.filling(restored.engines, shot.revision, shot.tables, shot.sequences) as filled,
    ):
        for name in filled.tables:
            filled.load(name, shot.lines(name))
    assert restored.audit.verify() == program.audit.log.verify()
    restored.audit.append("ana", AuditAction.READ)
    assert restored.audit.verify().problem == ""
    restored.close()
