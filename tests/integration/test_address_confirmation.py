"""The address for digests, confirmed by a code that a real mail server of this machine takes."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from core.clock import SPAIN, today_in_spain
from core.errors import DeliveryFailed, Forbidden, InputError
from domain.accounts import LOCAL, Identity, Role, Scope
from domain.audit import AuditAction
from service.members.member import Member
from service.program import confirmation
from tests.alert_servers import PASSWORD, Mailbox, closed_port, mail_server
from tests.alerts import answered, change, cites, law
from tests.homes import new_program

ADDRESS = "ana@bufete.example"
TODAY = today_in_spain()
LATE = datetime(TODAY.year, TODAY.month, TODAY.day, 23, 30, tzinfo=SPAIN).astimezone(UTC)


@pytest.fixture
def mailbox(tmp_path) -> Iterator[Mailbox]:
    with mail_server(tmp_path) as box:
        yield box


def program_of(home, box, **values):
    settings = {
        "smtp_host": "127.0.0.1",
        "smtp_port": box.port,
        "smtp_user": "articulado",
        "smtp_password": PASSWORD,
        "smtp_from": "avisos@bufete.example",
        "smtp_timeout": 5,
        "alerts_ca_file": box.pem,
    }
    return new_program(home, **settings | values)


@pytest.fixture
def program(tmp_path, mailbox):
    made = program_of(tmp_path / "home", mailbox)
    yield made
    made.close()


@pytest.fixture
def ana(program) -> Member:
    return Member(program, LOCAL)


def code_in(mailbox: Mailbox) -> str:
    """The code of the last mail."""
    [found] = re.findall(r"^ +([0-9A-Z]{5}-[0-9A-Z]{5})\r?$", mailbox.taken[-1].get_content(), re.M)
    return found


def is_confirmed(member: Member) -> bool:
    return member.watches.settings().confirmed_at is not None


def test_a_digest_goes_to_an_address_only_once_its_code_has_been_given_back(program, ana, mailbox):
    change(program.database, law())
    program.alerts.work()
    answered(program.database, "local", cites("1"))
    ana.watches.set_settings(f" {ADDRESS} ", by_mail=True)
    change(program.database, law(since=TODAY))
    program.database.news.match(datetime.now(UTC) + timedelta(seconds=1))
    assert program.deliveries.deliver(LATE) == 0
    assert mailbox.recipients == [ADDRESS], "the code alone"
    ana.watches.confirm_address(code_in(mailbox))
    assert program.deliveries.deliver(LATE) == 1
    assert mailbox.recipients == [ADDRESS, ADDRESS]
    assert "cambios en 1 norma" in str(mailbox.taken[1]["subject"])


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param(lambda code: code, id="as it is"),
        pytest.param(lambda code: f"  {code.replace('-', '').lower()} ", id="small letters"),
        pytest.param(lambda code: code.replace("-", " – "), id="another dash"),
    ],
)
def test_a_code_is_typed_as_people_type(ana, mailbox, typed):
    ana.watches.set_settings(ADDRESS, by_mail=True)
    ana.watches.confirm_address(typed(code_in(mailbox)))
    assert is_confirmed(ana)


def test_the_mail_names_nobody_and_its_code_is_kept_nowhere(program, ana, mailbox):
    ana.watches.set_settings(ADDRESS, by_mail=True)
    code = code_in(mailbox)
    body = mailbox.taken[0].get_content()
    assert "Vale una hora y una sola vez" in body and "no haga nada" in body
    assert "local" not in body and "local" not in str(mailbox.taken[0]["subject"])
    stored = b"".join(path.read_bytes() for path in program.home.glob("articulado.db*"))
    for written in (code, code.replace("-", "")):
        assert written.encode() not in stored


def test_saving_the_same_again_sends_no_other_code_and_another_address_does(ana, mailbox):
    ana.watches.set_settings(ADDRESS, by_mail=True)
    ana.watches.set_settings(ADDRESS, by_mail=True)
    assert len(mailbox.taken) == 1
    ana.watches.confirm_address(code_in(mailbox))
    ana.watches.set_settings("otra@bufete.example", by_mail=True)
    assert mailbox.recipients == [ADDRESS, "otra@bufete.example"] and not is_confirmed(ana)


def test_an_address_without_the_wish_for_mail_is_sent_nothing(ana, mailbox):
    ana.watches.set_settings(ADDRESS, by_mail=False)
    assert mailbox.taken == []
    ana.watches.set_settings(ADDRESS, by_mail=True)
    assert mailbox.recipients == [ADDRESS]


def test_a_code_that_is_not_taken_is_told_and_another_may_be_asked_for(program, ana, mailbox):
    mailbox.refusal = "550 no such user"
    with pytest.raises(DeliveryFailed, match="dirección del destinatario"):
        ana.watches.set_settings(ADDRESS, by_mail=True)
    assert ana.watches.settings().email == ADDRESS
    mailbox.refusal = ""
    ana.watches.send_code()
    ana.watches.confirm_address(code_in(mailbox))
    assert is_confirmed(ana)


def test_a_server_that_is_away_is_told_in_a_sentence(tmp_path, mailbox):
    program = program_of(tmp_path / "away", mailbox, smtp_port=closed_port())
    with pytest.raises(DeliveryFailed, match="No se pudo conectar"):
        Member(program, LOCAL).watches.set_settings(ADDRESS, by_mail=True)
    program.close()


def test_an_installation_without_mail_sends_no_code(tmp_path):
    program = new_program(tmp_path / "none")
    with pytest.raises(InputError, match="no envía correo"):
        Member(program, LOCAL).watches.send_code()
    program.close()


def test_a_stranger_and_a_token_that_may_only_read_confirm_nothing(program, ana, mailbox):
    ana.watches.set_settings(ADDRESS, by_mail=True)
    code = code_in(mailbox)
    eva = Identity(id="eva", username="eva", name="Eva", roles=(Role.LAWYER,))
    stranger = Member(program, eva)
    for door in (lambda: stranger.watches.confirm_address(code), stranger.watches.send_code):
        with pytest.raises(InputError):
            door()
    reader = Member(program, eva.model_copy(update={"scopes": (Scope.READ,)}))
    for door in (lambda: reader.watches.confirm_address(code), reader.watches.send_code):
        with pytest.raises(Forbidden):
            door()
    assert not is_confirmed(ana) and not is_confirmed(stranger)
    ana.watches.confirm_address(code)


def test_every_step_is_in_the_log_without_address_and_code(program, ana, mailbox):
    ana.watches.set_settings(ADDRESS, by_mail=True)
    code = code_in(mailbox)
    ana.watches.confirm_address(code)
    entries = program.audit.log.entries(limit=3)
    assert [(one.action, one.detail["what"]) for one in entries] == [
        (AuditAction.CHANGED, "address"),
        (AuditAction.CHANGED, "code"),
        (AuditAction.CHANGED, "alerts"),
    ]
    assert not any(secret in str(entries) for secret in (ADDRESS, code))


def test_a_code_has_fifty_bits_of_signs_that_are_not_mistaken_for_others():
    assert len(confirmation.SIGNS) ** confirmation.LENGTH > 2**49
    assert not set(confirmation.SIGNS) & set("01OIL")
