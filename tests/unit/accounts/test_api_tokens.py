"""API tokens."""

import hashlib
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from core.errors import Forbidden, InputError, NotFound, StorageError
from domain.accounts import LOCAL, Permission, Role, Scope
from domain.audit import AuditAction
from storage.tables.accounts import ApiTokenRow
from tests.hostile import TABLE
from tests.office import (
    NOW,
    OFFICE,
    OTHER,
    SECRET,
    Full,
    enter,
)


def make_token(accounts, signed, name="Nóminas", scopes=(Scope.READ, Scope.ASK), days=90):
    return accounts.tokens.create(signed.identity, name, scopes, days)


def test_a_token_lets_in_as_its_owner_within_its_scopes(office, accounts, ana):
    made = make_token(accounts, ana, "  Programa de\tnóminas ", [Scope.ASK, Scope.READ, Scope.ASK])
    assert made.secret.startswith("art_") and len(made.secret) == 47
    token = made.token
    assert (token.name, token.scopes, token.seen_at) == (
        "Programa de nóminas",
        (Scope.READ, Scope.ASK),
        None,
    )
    assert (token.account_id, token.created_at, token.expires_at - NOW) == (
        ana.identity.id,
        NOW,
        timedelta(days=90),
    )
    who = accounts.tokens.identify(made.secret)
    assert who == ana.identity.model_copy(
        update={"session": "", "token": token.id, "scopes": (Scope.READ, Scope.ASK)}
    )
    assert accounts.tokens.of(who.id) == [token.model_copy(update={"seen_at": NOW})]
    assert make_token(accounts, ana).secret != made.secret


def test_a_tokens_secret_is_in_no_table_log_or_repr(office, accounts, ana, caplog):
    caplog.set_level(0)
    made = make_token(accounts, ana)
    hashed = hashlib.sha256(made.secret.encode()).hexdigest()
    accounts.tokens.identify(made.secret)
    accounts.tokens.revoke(ana.identity, made.token.id)
    with office.database.engines.read() as session:
        assert session.scalar(select(ApiTokenRow.id)) is None
    kept = make_token(accounts, ana)
    with office.database.engines.read() as session:
        (row,) = session.scalars(select(ApiTokenRow))
    assert row.token_hash == hashlib.sha256(kept.secret.encode()).hexdigest()
    told = [repr(made), str(made), repr(accounts.tokens.of(ana.identity.id)), caplog.text]
    told += [entry.model_dump_json() for entry in office.audit.kept]
    assert not any(made.secret in text or hashed in text for text in told)
    folder = Path(office.database.engines.engine.url.database).parent
    assert not any(kept.secret.encode() in path.read_bytes() for path in folder.iterdir())


def test_a_token_ends_with_its_last_day(office, accounts, ana):
    made = make_token(accounts, ana, days=1)
    office.clock.tick(hours=24, seconds=-1)
    assert accounts.tokens.identify(made.secret)
    office.clock.tick(seconds=1)
    assert accounts.tokens.identify(made.secret) is None
    assert accounts.tokens.of(ana.identity.id) == []


def test_no_hostile_text_is_a_secret_nor_spoils_a_name(accounts, ana):
    assert {name for name, text in TABLE.items() if accounts.tokens.identify(text) is not None} == set()
    wrong, refused = {}, 0
    for name, text in TABLE.items():
        try:
            made = [make_token(accounts, ana, text).token]
        except InputError as error:
            made, refused = [], refused + 1
            assert "nombre" in str(error), name
        stored = accounts.tokens.of(ana.identity.id)
        if stored != made or not all(1 <= len(one.name) <= 80 and one.name.isprintable() for one in stored):
            wrong[name] = stored
        for one in stored:
            accounts.tokens.revoke(ana.identity, one.id)
    assert wrong == {}
    assert 0 < refused < len(TABLE) / 2


SECRETS = {
    "empty": "",
    "huge": "art_" + "a" * 10_000_000,
    "one too long": "a" * 101,
    "not ascii": "art_ñandú…" + "é" * 30,
    "lone surrogate": "art_\ud800\udfff\udfff",
    "nul": "art_\x00",
    "sql": "art_' OR 1=1 --",
    "pattern": "art_%",
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_an_invented_secret_is_nobodys(accounts, ana, secret):
    made = make_token(accounts, ana)
    assert accounts.tokens.identify(secret) is None
    for near in (made.secret + secret, secret + made.secret, made.secret[:-1], made.secret.upper()):
        if near != made.secret:
            assert accounts.tokens.identify(near) is None


def test_a_session_is_no_token_and_a_token_is_no_session(accounts, ana):
    made = make_token(accounts, ana)
    assert accounts.sessions.identify(made.secret) is None
    assert accounts.tokens.identify(ana.token) is None
    assert accounts.tokens.identify(made.token.id) is None


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": ""}, "Escriba un nombre"),
        ({"name": " \u202e\u200b\x00\n"}, "Escriba un nombre"),
        ({"name": "x" * 81}, "El nombre supera los 80 caracteres"),
        ({"scopes": ()}, "Marque al menos un permiso"),
        ({"scopes": (Scope.READ, Scope.LOAD)}, "no dan ningún permiso para «cargar»"),
        ({"scopes": (Scope.LOAD, Scope.ADMIN)}, "no dan ningún permiso para «cargar, administrar»"),
        ({"days": 0}, "de 1 a 365 días"),
        ({"days": -5}, "de 1 a 365 días"),
        ({"days": 366}, "de 1 a 365 días"),
    ],
)
def test_a_token_that_cannot_be_is_not_made(office, accounts, ana, changes, told):
    before = len(office.audit.kept)
    with pytest.raises(InputError, match=told):
        make_token(accounts, ana, **changes)
    assert accounts.tokens.of(ana.identity.id) == []
    assert len(office.audit.kept) == before


def test_a_token_may_last_a_year_and_have_a_long_name(accounts, ana):
    assert make_token(accounts, ana, "x" * 80, days=365).token.name == "x" * 80


def test_tokens_are_made_and_revoked_by_the_person_not_by_a_token(accounts, rosa):
    made = make_token(accounts, rosa, scopes=list(Scope))
    by_token = accounts.tokens.identify(made.secret)
    no_session = rosa.identity.model_copy(update={"session": ""})
    for who in (by_token, by_token.model_copy(update={"session": rosa.identity.session}), no_session, LOCAL):
        with pytest.raises(Forbidden, match="«Mi cuenta»"):
            accounts.tokens.create(who, "Otro", [Scope.READ], 1)
        with pytest.raises(Forbidden, match="«Mi cuenta»"):
            accounts.tokens.revoke(who, made.token.id)
    assert accounts.tokens.of(rosa.identity.id) == [
        made.token.model_copy(update={"seen_at": made.token.created_at})
    ]


def test_a_token_is_revoked_by_its_owner_alone_and_at_once(office, accounts, rosa, ana):
    made = make_token(accounts, ana)
    for who, token_id in ((rosa, made.token.id), (ana, "x"), (ana, ""), (ana, "\ud800\x00" * 1000)):
        with pytest.raises(NotFound, match="ya no existe"):
            accounts.tokens.revoke(who.identity, token_id)
    assert accounts.tokens.identify(made.secret)
    office.make().tokens.revoke(ana.identity, made.token.id)
    assert accounts.tokens.identify(made.secret) is None


def test_no_token_is_made_in_a_session_that_has_ended(office, accounts, ana):
    accounts.sessions.sign_out(ana.token)
    with pytest.raises(NotFound, match="vuelva a entrar"):
        make_token(accounts, ana)
    made, refused = office.audit.kept[-2:]
    assert (made.action, refused.action) == (AuditAction.TOKEN_MADE, AuditAction.REFUSED)
    assert accounts.tokens.of(ana.identity.id) == []


def test_in_the_personal_mode_there_are_no_tokens(office, accounts, ana):
    made = make_token(accounts, ana)
    assert office.make("personal").tokens.identify(made.secret) is None
    assert accounts.tokens.identify(made.secret)


ENDINGS = {
    "disabled": lambda a, ana: a.change(None, ana.identity.id, active=False),
    "removed": lambda a, ana: a.remove(None, ana.identity.id),
    "all revoked": lambda a, ana: a.revoke_all(None, ana.identity.id),
    "password reset": lambda a, ana: a.reset_password(None, ana.identity.id),
    "moved to the provider": lambda a, ana: a.use_provider(None, ana.identity.id),
    "password changed": lambda a, ana: a.sign_in.change_password(ana.token, SECRET, OTHER, address=OFFICE),
}


@pytest.mark.parametrize("way", ENDINGS)
def test_what_ends_all_sessions_of_an_account_ends_its_tokens(accounts, rosa, ana, way):
    made, other = make_token(accounts, ana), make_token(accounts, rosa)
    ENDINGS[way](accounts, ana)
    assert accounts.tokens.identify(made.secret) is None
    if way == "disabled":
        accounts.change(None, ana.identity.id, active=True)
        assert accounts.tokens.identify(made.secret) is None
    assert accounts.tokens.identify(other.secret)


def test_signing_out_or_closing_the_other_sessions_leaves_the_tokens(accounts, ana):
    made = make_token(accounts, ana)
    accounts.sessions.revoke_others(ana.identity)
    accounts.sessions.sign_out(ana.token)
    assert accounts.tokens.identify(made.secret)


def test_a_role_that_is_taken_away_counts_for_its_tokens_at_once(accounts, rosa, ana):
    accounts.change(None, ana.identity.id, roles=[Role.LAWYER, Role.ADMIN])
    signed = enter(accounts)
    made = make_token(accounts, signed, scopes=[Scope.ADMIN])
    assert accounts.tokens.identify(made.secret).may(Permission.ACCOUNTS)
    assert not accounts.tokens.identify(made.secret).may(Permission.LOAD)
    accounts.change(None, ana.identity.id, roles=[Role.LAWYER])
    assert not accounts.tokens.identify(made.secret).may(Permission.ACCOUNTS)
    with pytest.raises(Forbidden):
        accounts.accounts(accounts.tokens.identify(made.secret))


def test_making_and_revoking_a_token_are_recorded_and_its_uses_are_not(office, accounts, ana):
    before = len(office.audit.kept)
    made = make_token(accounts, ana)
    for _ in range(3):
        office.clock.tick(minutes=5)
        accounts.tokens.identify(made.secret)
    accounts.tokens.revoke(ana.identity, made.token.id)
    told = [(e.actor, e.action, e.target, dict(e.detail)) for e in office.audit.kept[before:]]
    who, token_id = ana.identity.id, made.token.id
    assert told == [
        (who, AuditAction.TOKEN_MADE, token_id, {"scopes": "leer, preguntar", "days": "90"}),
        (who, AuditAction.TOKEN_REVOKED, token_id, {}),
    ]


def test_without_a_record_no_token_is_made(office, accounts, ana):
    with pytest.raises(StorageError):
        make_token(office.make(audit=Full()), ana)
    assert accounts.tokens.of(ana.identity.id) == []
