"""Digests by mail, to a real server of this machine: one a day, nothing of a case."""

import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from core.clock import SPAIN, today_in_spain
from core.errors import ConfigurationError, Forbidden, InputError
from domain.accounts import LOCAL, Identity, Role
from service.config import chosen
from service.members.member import Member
from service.program.deliveries import Deliveries
from service.program.mail import checked_address
from tests.alert_servers import PASSWORD, Mailbox, closed_port, mail_server
from tests.alerts import answered, change, cites, law
from tests.databases import new_database

SECRET = "un secreto de más de dieciséis"
QUESTION = "¿Cuánto se paga a Filomena Zurrutúa?"
TODAY = today_in_spain()
MORNING = datetime(TODAY.year, TODAY.month, TODAY.day, 23, 30, tzinfo=SPAIN).astimezone(UTC)


@pytest.fixture
def mailbox(tmp_path) -> Iterator[Mailbox]:
    with mail_server(tmp_path) as box:
        yield box


@pytest.fixture
def database(tmp_path):
    """A database in which Ana has news of a norm, and Blas has none."""
    made = new_database(tmp_path / "alerts.db")
    change(made, law())
    made.news.match(datetime.now(UTC))
    answered(made, "ana", cites("1"), cites("2"), question=QUESTION)
    for owner in ("ana", "blas"):
        confirmed(made, owner)
    change(made, law(since=TODAY))
    made.news.match(datetime.now(UTC) + timedelta(seconds=1))
    yield made
    made.close()


def confirmed(database, owner):
    """Have a person get digests at an address that they have confirmed."""
    database.watches.set_settings(owner, f"{owner}@bufete.example", by_mail=True)
    now = datetime.now(UTC)
    database.addresses.issue(owner, "x", now, now + timedelta(hours=1))
    database.addresses.confirm(owner, "x", now)


def by_mail(box, **values):
    settings = {
        "smtp_host": "127.0.0.1",
        "smtp_port": box.port,
        "smtp_user": "articulado",
        "smtp_password": PASSWORD,
        "smtp_from": "avisos@bufete.example",
        "smtp_timeout": 5,
        "alerts_ca_file": box.pem,
    }
    return chosen(**settings | values)


def deliveries(database, settings, may=lambda _owner: True):
    return Deliveries(
        settings,
        database.digests,
        database.news,
        address="https://articulado.bufete.example",
        norm=lambda norm_id: SimpleNamespace(law=f"Ley de nombre {norm_id}"),
        may_be_told=may,
    )


def test_a_person_is_mailed_the_norms_that_changed_and_nothing_of_their_case(database, mailbox):
    sender = deliveries(database, by_mail(mailbox))
    assert sender.deliver(MORNING) == 1
    assert mailbox.recipients == ["ana@bufete.example"] and mailbox.users == ["articulado"]
    [message] = mailbox.taken
    assert message["subject"] == "Articulado: cambios en 1 norma que le afecta"
    body = message.get_content()
    assert "- Ley de nombre N-1: 2 cambios" in body and "https://articulado.bufete.example/news" in body
    assert message["auto-submitted"] == "auto-generated" and socket.gethostname() not in message["message-id"]
    for secret in ("Filomena", "Zurrut", QUESTION):
        assert secret not in message.as_string() and secret not in str(message["subject"])


def test_the_setting_names_questions_and_expedientes_too(database, mailbox):
    deliveries(database, by_mail(mailbox, alerts_case_names=True)).deliver(MORNING)
    assert f"Su consulta «{QUESTION}»" in mailbox.taken[0].get_content()


def test_one_digest_a_day_at_most_and_nothing_twice(database, mailbox):
    sender = deliveries(database, by_mail(mailbox))
    sender.deliver(MORNING)
    assert sender.deliver(MORNING) == 0
    answered(database, "ana", cites("1", since=TODAY))
    change(database, law())
    database.news.match(datetime.now(UTC) + timedelta(seconds=2))
    assert sender.deliver(MORNING) == 0
    assert sender.deliver(MORNING + timedelta(days=1)) == 1
    assert "1 cambio" in mailbox.taken[1].get_content()


def test_nothing_leaves_before_its_hour_or_for_who_has_read_it_or_is_gone(database, mailbox):
    early = datetime(TODAY.year, TODAY.month, TODAY.day, 6, 59, tzinfo=SPAIN)
    assert deliveries(database, by_mail(mailbox)).deliver(early) == 0
    assert deliveries(database, by_mail(mailbox), may=lambda owner: owner != "ana").deliver(MORNING) == 0
    database.news.read("ana")
    assert deliveries(database, by_mail(mailbox)).deliver(MORNING) == 0
    assert mailbox.taken == []


def test_without_a_mail_server_nobody_is_mailed(database):
    sender = deliveries(database, chosen())
    assert (sender.deliver(MORNING), sender.by_mail, sender.problem()) == (0, False, None)


def test_a_server_that_is_away_is_tried_again_later_and_told(database, mailbox):
    away = deliveries(database, by_mail(mailbox, smtp_port=closed_port()))
    assert away.deliver(MORNING) == 0
    problem = away.problem()
    assert problem.day == TODAY
    assert "No se pudo conectar con el servidor de correo" in problem.reason
    assert "ana" not in problem.reason
    sender = deliveries(database, by_mail(mailbox))
    assert sender.deliver(MORNING + timedelta(minutes=4)) == 0, "it rests"
    assert sender.deliver(MORNING + timedelta(minutes=6)) == 1
    assert sender.problem() is None


@pytest.mark.parametrize(
    ("values", "told"),
    [
        pytest.param({"smtp_password": "otra"}, "usuario o la contraseña", id="password"),
        pytest.param({"alerts_ca_file": None}, "No se pudo conectar", id="unknown certificate"),
        pytest.param({"smtp_security": "tls"}, "No se pudo conectar", id="no tls from the first byte"),
    ],
)
def test_what_the_server_does_not_take_is_told_in_a_sentence(database, mailbox, values, told):
    sender = deliveries(database, by_mail(mailbox, **values))
    assert sender.deliver(MORNING) == 0 and mailbox.taken == []
    assert told in sender.problem().reason


def test_a_recipient_who_is_refused_does_not_keep_the_mail_of_others(database, mailbox):
    answered(database, "blas", cites("1", since=TODAY))
    change(database, law())
    database.news.match(datetime.now(UTC) + timedelta(seconds=2))
    mailbox.refusal = "550 no such user"
    sender = deliveries(database, by_mail(mailbox))
    assert sender.deliver(MORNING) == 0
    assert "dirección del destinatario" in sender.problem().reason
    mailbox.refusal = ""
    assert sender.deliver(MORNING + timedelta(minutes=6)) == 2, "both were tried, and are again"


def test_a_process_that_dies_while_it_sends_does_not_send_twice_that_day(database, mailbox):
    assert database.digests.claim("ana", TODAY, MORNING) == 1
    sender = deliveries(database, by_mail(mailbox))
    assert sender.deliver(MORNING) == 0
    assert sender.deliver(MORNING + timedelta(days=1)) == 1, "what was in it is in the next one"


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"smtp_host": "smtp.example"}, "SMTP_FROM"),
        ({"smtp_host": "smtp.example", "smtp_from": "a@b.example", "smtp_security": "none"}, "este equipo"),
        ({"smtp_host": "h.example", "smtp_from": "a@b.example", "smtp_user": "u"}, "SMTP_PASSWORD"),
        (
            {"smtp_host": "h.example", "smtp_from": "a@b.example", "smtp_user": "u", "smtp_password": "ñ"},
            "sin tilde",
        ),
    ],
)
def test_settings_that_cannot_work_are_refused_at_the_start(values, told):
    with pytest.raises(ConfigurationError, match=told):
        chosen(**values)


@pytest.mark.parametrize(
    "address",
    ["", "ana", "ana@", "@x.example", "a b@x.example", "ana@x.example\nBcc: eva@x.example", "a@" * 200],
)
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(InputError, match="dirección de correo completa"):
        checked_address(address)


def test_only_who_administers_the_accounts_is_told_why_mail_fails(program):
    eva = Identity(id="eva", username="eva", name="Eva", roles=(Role.LAWYER,))
    with pytest.raises(Forbidden):
        Member(program, eva).watches.delivery_problem()
    assert Member(program, LOCAL).watches.delivery_problem() is None
