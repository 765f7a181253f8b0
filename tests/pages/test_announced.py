"""Nobody comes to read what others ask in silence: it is announced to everybody and stands in the log."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import StorageError
from domain.accounts import Role
from domain.audit import REVIEWS, AuditAction, AuditEntry
from pages.parts.common.announced import sentence
from pages.parts.common.html import warning
from service.accounts.sign_in import Person
from tests.hostile import TABLE, invisible, live_html
from tests.pages.driver import html, labels, page_at, press
from tests.pages.fakes import FakeApp, LocalAccounts, local_accounts

READS = "puede leer y revisar las consultas de todas las personas"


@pytest.fixture
def people(app: FakeApp) -> LocalAccounts:
    app.accounts = local_accounts(
        app.database.engines, "rosa=admin", "ana=abogado", "blas=revisor", "eva=admin", audit=app.audit.log
    )
    for entry in app.audit.log.entries():
        for account in app.accounts.accounts(None):
            app.accounts._accounts.take_notice(account.id, entry.number)
    return app.accounts


def drawn(people: LocalAccounts, username: str, name: str = "chat") -> AppTest:
    people.enter(username)
    return page_at(name)


def herself(people: LocalAccounts) -> None:
    rosa = people.enter("rosa")
    people.change(rosa, rosa.id, roles=[Role.ADMIN, Role.REVIEWER])


def sham(people: LocalAccounts) -> None:
    people.add(people.enter("rosa"), "otra", "Otra", [Role.REVIEWER])


def promoted(people: LocalAccounts) -> None:
    people.change(people.enter("rosa"), people.named(None, "eva").id, roles=[Role.REVIEWER, Role.ADMIN])


def reset(people: LocalAccounts) -> None:
    people.reset_password(people.enter("rosa"), people.named(None, "blas").id)


def woken(people: LocalAccounts) -> None:
    rosa, blas = people.enter("rosa"), people.named(None, "blas").id
    people.change(rosa, blas, active=False)
    people.change(rosa, blas, active=True)


def handed_over(people: LocalAccounts) -> None:
    people.use_provider(people.enter("rosa"), people.named(None, "blas").id)


def and_back(people: LocalAccounts) -> None:
    """The role is given and taken away before anybody looks, and the sham account removed."""
    herself(people)
    rosa = people.enter("rosa")
    people.change(rosa, rosa.id, roles=[Role.ADMIN])
    sham(people)
    people.remove(rosa, people.named(None, "otra").id)


def buried(people: LocalAccounts) -> None:
    herself(people)
    rosa, ana = people.enter("rosa"), people.named(None, "ana").id
    for number in range(120):
        people.change(rosa, ana, name=f"Ana {number}")


WAYS = (herself, sham, promoted, reset, woken, handed_over, and_back, buried)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("username", ["ana", "blas", "eva"])
def test_whoever_comes_to_review_is_announced_to_everybody_else(
    app: FakeApp, people: LocalAccounts, way: Callable[[LocalAccounts], None], username: str
) -> None:
    assert READS not in html(drawn(people, username))
    way(people)
    page = drawn(people, username)
    assert READS in html(page)
    assert "Rosa" in html(page)
    press(page, "Entendido")
    assert READS not in html(page)
    assert READS not in html(drawn(people, username))
    assert any(REVIEWS in entry.detail for entry in app.audit.log.entries(limit=1000))


def test_reviewers_are_told_on_their_page_too(people: LocalAccounts) -> None:
    herself(people)
    assert f"Rosa {READS}. Lo dispuso Rosa." in html(drawn(people, "blas", "review"))


def test_a_person_of_the_provider_with_a_new_role_is_announced(app: FakeApp, people: LocalAccounts) -> None:
    sign_in = people.sign_in
    who = Person(issuer="https://id.example", subject="7", username="nora", name="Nora", roles=(Role.LAWYER,))
    object.__setattr__(sign_in, "settings", sign_in.settings.model_copy(update={"auth_mode": "oidc"}))
    sign_in.by_provider(who, address="127.0.0.1", agent="")
    assert READS not in html(drawn(people, "ana"))
    sign_in.by_provider(who.model_copy(update={"roles": (Role.REVIEWER,)}), address="127.0.0.1", agent="")
    assert f"Nora {READS}. Lo dispuso su organización." in html(drawn(people, "ana"))


def test_who_came_after_an_announcement_is_not_told_of_it(people: LocalAccounts) -> None:
    herself(people)
    people.add(None, "luz", "Luz", [Role.LAWYER])
    assert READS not in html(drawn(people, "luz"))


def test_other_changes_are_not_announced(people: LocalAccounts) -> None:
    rosa = people.enter("rosa")
    people.change(rosa, rosa.id, name="Rosa Gil")
    people.change(rosa, people.named(None, "ana").id, roles=[Role.ADMIN])
    people.change(rosa, people.named(None, "blas").id, roles=[Role.REVIEWER, Role.LAWYER])
    people.reset_password(rosa, people.named(None, "ana").id)
    page = drawn(people, "eva")
    assert READS not in html(page)
    assert "Entendido" not in labels(page)


def test_without_a_record_nobody_becomes_a_reviewer(
    app: FakeApp, people: LocalAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StorageError("No hay sitio.")

    rosa = people.enter("rosa")
    monkeypatch.setattr(app.audit.log, "append", full)
    with pytest.raises(StorageError):
        people.change(rosa, rosa.id, roles=[Role.ADMIN, Role.REVIEWER])
    assert people.named(None, "rosa").roles == (Role.ADMIN,)


@pytest.mark.parametrize("action", [AuditAction.ACCOUNT_CHANGED, AuditAction.PASSWORD_CHANGED])
def test_a_hostile_name_is_drawn_as_text(action: AuditAction) -> None:
    entry = AuditEntry(number=1, at=datetime.now(UTC), actor="x", action=action, target="y")
    wrong = {}
    for place, name in TABLE.items():
        told = warning(sentence(entry, {"x": name, "y": name}))
        if found := live_html(told) + invisible(told):
            wrong[place] = found
    assert wrong == {}
