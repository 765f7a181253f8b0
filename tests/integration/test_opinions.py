"""The doors to the opinion and the certificate, whose they are, and `cli.py certificate`."""

import io
import json
import zipfile
from hashlib import sha256

import docx
import pytest

import cli
from core.errors import Forbidden, InputError, NotFound
from domain.accounts import Identity, Role, Scope
from domain.matters import DocumentState
from domain.reviews import ReviewVerdict
from pages.parts.answer.copying import _text as copied
from rag.shared.cited_answer import Answer
from rag.shared.messages import MessageState
from service import config
from service.backup.backup import backup, verify
from service.members.member import Member
from service.opinions import letterheads
from service.opinions.formats import Format
from service.opinions.keys import FILE, own_key, signing_key
from service.opinions.letterheads import example
from service.opinions.opinion import CERTIFIED
from storage.corpus.reads import SqlCorpusStore
from tests.homes import lexical_program
from tests.texts import eventually

QUESTION = "¿Cuántos días de vacaciones me corresponden al año?"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    with lexical_program(tmp_path_factory.mktemp("opinions")) as made:
        yield made


def person(program, name="ana", *roles, **fields):
    return Member(
        program, Identity(id=name, username=name, name=name, roles=roles or (Role.LAWYER,), **fields)
    )


def asked(member):
    """A conversation with one answer, and the id of its message."""
    conversation = member.conversations.create(QUESTION).id
    run = member.runs.start(conversation, QUESTION)
    assert run.done.wait(30)
    return conversation, run.message_id


def exports(program, who):
    return [
        (entry.target, entry.detail["what"])
        for entry in reversed(program.audit.log.entries(actor=who, limit=1000))
        if entry.action == "exported"
    ]


def test_an_answer_becomes_an_opinion_and_a_certificate_that_the_log_knows(program):
    ana = person(program, "ana-1")
    conversation, message = asked(ana)
    assert {one: it.question for one, it in ana.opinions.answers(conversation).items()} == {message: QUESTION}
    document = docx.Document(io.BytesIO(ana.opinions.dictamen(conversation, [message])))
    assert any(QUESTION in paragraph.text for paragraph in document.paragraphs)
    said = json.loads(ana.opinions.certificate(conversation, message))["certificate"]
    assert said["corpus"] == program.database.corpus.fingerprint()
    assert said["sources"]
    assert exports(program, "ana-1") == [(conversation, "opinion"), (str(message), "certificate")]
    entries = program.audit.log.entries(limit=100)
    assert said["audit_head"] in {f"{entry.number}:{entry.hash}" for entry in entries}
    assert QUESTION not in " ".join(entry.model_dump_json() for entry in entries)


def test_the_certificate_of_an_answer_stays_the_same_and_every_export_names_it(program):
    ana = person(program, "ana-6")
    conversation, message = asked(ana)
    first = ana.opinions.dictamen(conversation, [message], Format.MARKDOWN).decode()
    content = ana.opinions.certificate(conversation, message)
    assert ana.opinions.certificate(conversation, message) == content
    seal = sha256(content).hexdigest()
    assert seal in first
    assert ana.opinions.sealed(message) == seal
    assert CERTIFIED.format(sha=seal) in copied(ana, str(message))
    with zipfile.ZipFile(io.BytesIO(ana.account.export())) as archive:
        assert archive.read(f"certificados/certificado-{message}.json") == content


def test_a_copy_goes_without_the_line_when_the_key_cannot_be_used(program, monkeypatch):
    ana = person(program, "ana-7")
    _, message = asked(ana)
    monkeypatch.setattr(program, "home", program.home / "nowhere")
    assert "SHA-256 de su archivo" not in copied(ana, str(message))


def test_nobody_elses_conversation_becomes_a_work_product(program):
    conversation, message = asked(person(program, "ana-2"))
    other = person(program, "blas", *Role)
    own, _ = asked(other)
    for take in (
        lambda: other.opinions.answers(conversation),
        lambda: other.opinions.dictamen(conversation, [message]),
        lambda: other.opinions.dictamen(own, [message]),
        lambda: other.opinions.certificate(conversation, message),
        lambda: other.opinions.certificate(own, message),
        lambda: other.opinions.sealed(message),
    ):
        with pytest.raises(NotFound):
            take()
    with pytest.raises(InputError, match="No hay respuestas terminadas"):
        other.opinions.dictamen(own, [])
    assert exports(program, "blas") == [], "what was refused is no export"


@pytest.mark.parametrize("role", Role)
def test_each_role_takes_its_own_as_it_may_ask(program, role):
    member = person(program, f"uno-{role.value}", role)
    conversation, message = asked(member)
    assert member.opinions.dictamen(conversation, [message])
    assert member.opinions.certificate(conversation, message)


def test_a_token_that_may_not_ask_takes_nothing(program):
    conversation, message = asked(person(program, "ana-3"))
    reader = person(program, "ana-3", token="t", scopes=(Scope.READ,))
    for take in (
        lambda: reader.opinions.answers(conversation),
        lambda: reader.opinions.dictamen(conversation, [message]),
        lambda: reader.opinions.certificate(conversation, message),
    ):
        with pytest.raises(Forbidden):
            take()


def test_what_is_not_finished_is_in_no_opinion(program):
    ana = person(program, "ana-4")
    conversation = ana.conversations.create("X").id
    _, stopped = program.database.conversations.ask("ana-4", conversation, "¿Uno?")
    program.database.conversations.finish(stopped.id, MessageState.STOPPED, "R", Answer(answer="R"), None)
    assert ana.opinions.answers(conversation) == {}
    with pytest.raises(NotFound, match="vuelva a abrir la consulta"):
        ana.opinions.certificate(conversation, stopped.id)


def test_a_backup_does_not_take_the_private_key_along(program, tmp_path):
    signing_key(program.home)
    target = tmp_path / "copia.zip"
    backup(program.database.engines, program.home, target)
    assert not [name for name in verify(target).members if "certificate-key" in name]


# The command


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("ARTICULADO_HOME", str(folder))
    config.settings.cache_clear()
    yield folder
    config.settings.cache_clear()


@pytest.fixture
def stored(program, tmp_path):
    """A certificate as the page gives it out."""
    ana = person(program, "ana-5")
    path = tmp_path / "certificado.json"
    path.write_bytes(ana.opinions.certificate(*asked(ana)))
    return path


def run(capsys, *arguments):
    code = cli.main(["certificate", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, (out + err).strip()


def test_the_command_finds_a_certificate_sound_or_altered_in_one_sentence(home, stored, capsys):
    code, told = run(capsys, "verify", stored)
    assert code == 0 and told.startswith("El certificado está íntegro")
    assert "la que él mismo lleva" in told, "this home has no key"
    assert own_key(home) is None, "checking makes none"
    stored.write_bytes(stored.read_bytes().replace(b"sin modelo", b"con modelo"))
    code, told = run(capsys, "verify", stored)
    assert (code, told) == (1, "«certificado.json» se ha alterado: lo que dice no es lo que se firmó.")


def test_the_command_checks_against_the_key_that_it_is_given(home, program, stored, tmp_path, capsys):
    code, jwk = run(capsys, "key")
    assert code == 0 and "d" not in json.loads(jwk)
    code, told = run(capsys, "verify", stored)
    assert code == 1 and "(la de esta instalación), sino otra" in told
    theirs = tmp_path / "publica.json"
    theirs.write_bytes((program.home / FILE).read_bytes())
    code, told = run(capsys, "verify", stored, "--key", theirs)
    assert code == 0 and "la que se indica" in told


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b"[1]", b'{"kty":"RSA"}', b"[" * 100_000])
def test_what_is_no_key_is_refused_in_one_sentence(home, stored, tmp_path, capsys, content):
    path = tmp_path / "publica.json"
    path.write_bytes(content)
    code, told = run(capsys, "verify", stored, "--key", path)
    assert code == 1 and "publica.json no es una clave pública" in told


def test_a_file_that_is_not_there_is_told(home, tmp_path, capsys):
    code, told = run(capsys, "verify", tmp_path / "nada.json")
    assert code == 1 and "nada.json no se puede leer" in told


# Templates


def test_who_administers_keeps_templates_that_everybody_may_use(program):
    rosa, ana = person(program, "rosa", Role.ADMIN), person(program, "ana-8")
    assert rosa.letterheads.add("Bufete.docx", example()) == "Bufete"
    assert rosa.letterheads.names() == ana.opinions.letterheads() == ["Bufete"]
    conversation, message = asked(ana)
    document = docx.Document(io.BytesIO(ana.opinions.dictamen(conversation, [message], template="Bufete")))
    assert any(QUESTION in paragraph.text for paragraph in document.paragraphs)
    rosa.letterheads.remove("Bufete")
    with pytest.raises(NotFound):
        ana.opinions.dictamen(conversation, [message], template="Bufete")
    acts = [(one.action, one.target) for one in program.audit.log.entries(actor="rosa", limit=2)]
    assert acts == [("deleted", "Bufete"), ("changed", "Bufete")]


@pytest.mark.parametrize("role", [Role.LAWYER, Role.REVIEWER])
def test_nobody_else_changes_a_template(program, role):
    member = person(program, f"dos-{role.value}", role)
    for act in (
        member.letterheads.names,
        lambda: member.letterheads.content("x"),
        lambda: member.letterheads.add("x.docx", example()),
        lambda: member.letterheads.remove("x"),
    ):
        with pytest.raises(Forbidden):
            act()
    assert letterheads.names(program.home) == []


def test_a_backup_takes_the_templates_along(program, tmp_path):
    rosa = person(program, "rosa-2", Role.ADMIN)
    rosa.letterheads.add("Bufete.docx", example())
    target = tmp_path / "copia.zip"
    backup(program.database.engines, program.home, target)
    assert any(name.endswith("letterheads/Bufete.docx") for name in verify(target).members)
    rosa.letterheads.remove("Bufete")


def test_a_lawyer_signs_in_their_own_name_and_the_log_has_the_file(program, monkeypatch):
    ana = person(program, "ana-9")
    conversation, message = asked(ana)
    file = ana.opinions.dictamen(
        conversation, [message], Format.MARKDOWN, accepted=[message], signer="Ana Sanz"
    )
    assert "Firmado por Ana Sanz el " in file.decode()
    entry = program.audit.log.entries(actor="ana-9", limit=1)[0]
    assert entry.detail["what"] == "signed opinion"
    assert entry.detail["hash"] == sha256(file).hexdigest()
    with pytest.raises(InputError, match="nombre de quien firma"):
        ana.opinions.dictamen(conversation, [message], accepted=[message], signer=" ")
    with pytest.raises(NotFound):
        ana.opinions.dictamen(conversation, [message], accepted=[message + 1])
    monkeypatch.setattr(program.accounts, "mode", "local")
    assert ana.opinions.signer("Otra persona") == "ana-9", "an account signs with its own name"


def test_nobody_signs_who_is_no_lawyer_and_no_program_in_a_name(program):
    for who in (person(program, "eva", Role.ADMIN), person(program, "ana-9", token="t", scopes=tuple(Scope))):
        conversation, message = asked(who)
        with pytest.raises(Forbidden):
            who.opinions.dictamen(conversation, [message], accepted=[message], signer="Ana Sanz")


def test_a_verdict_that_an_answer_is_right_is_told_while_it_stands(program):
    ana, rosa = person(program, "ana-10"), person(program, "rosa-3", Role.REVIEWER)
    conversation, message = asked(ana)
    judged = rosa.reviews.judge(message, ReviewVerdict.CORRECT)
    right = program.database.reviews.found_right
    assert right("ana-10", conversation) == {message: judged} and not right("blas", conversation)
    rosa.reviews.withdraw(message, judged.id)
    assert right("ana-10", conversation) == {}
    rosa.reviews.judge(message, ReviewVerdict.CORRECT)
    rosa.reviews.judge(message, ReviewVerdict.WRONG)
    assert right("ana-10", conversation) == {}


def test_the_facts_of_the_expediente_are_the_background(program):
    ana = person(program, "ana-11")
    matter = ana.matters.create("Despido inventado").id
    for name, day in (("contrato.txt", "2019"), ("nomina.txt", "2018")):
        ana.papers.upload(matter, name, f"Antigüedad: 1 de marzo de {day}".encode())
    eventually(lambda: all(one.state is DocumentState.READ for one in ana.papers.documents(matter)))
    conversation = ana.conversations.create(QUESTION, matter_id=matter).id
    run = ana.runs.start(conversation, QUESTION)
    assert run.done.wait(30)
    text = ana.opinions.dictamen(conversation, [run.message_id], Format.MARKDOWN).decode()
    told = text.partition("## Cuestiones")[0]
    assert (
        "Expediente «Despido inventado». Documentos examinados: Doc 1, contrato.txt; Doc 2, nomina.txt."
        in told
    )
    assert "1 de marzo de 2019" in told and "1 de marzo de 2018" in told and "dice otra cosa" in told
    assert "no consta" not in told
    assert "«Antigüedad: 1 de marzo de 2018»" in text


def test_the_corpus_is_read_once_for_the_certificates_of_many_answers(program, monkeypatch):
    ana = person(program, "ana-one-scan")
    conversation, first = asked(ana)
    run = ana.runs.start(conversation, QUESTION)
    assert run.done.wait(30)
    read, scans = SqlCorpusStore._read_fingerprint, []
    monkeypatch.setattr(SqlCorpusStore, "_read_fingerprint", lambda self: scans.append(1) or read(self))
    ana.opinions.dictamen(conversation, [first, run.message_id])
    assert len(scans) <= 1
