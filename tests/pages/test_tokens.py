"""«Mi cuenta»: API tokens are made, shown once, listed and revoked; an admin ends those of others."""

from contextlib import suppress

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import InputError
from domain.accounts import Identity, Scope
from service.accounts.tokens import MadeToken
from storage.people.tokens import MOST
from tests.hostile import TEXTS, invisible, live_html
from tests.pages.driver import html, labels, page_at, press, set_open
from tests.pages.fakes import FakeApp, LocalAccounts, with_accounts

SUBMIT = "FormSubmitter:token-form-Crear la clave"


@pytest.fixture
def people(app: FakeApp) -> LocalAccounts:
    return with_accounts(app, "rosa=admin", "ana=abogado")


@pytest.fixture
def ana(people: LocalAccounts) -> Identity:
    return people.enter("ana")


def form() -> AppTest:
    return set_open(page_at("account"), "token-panel")


def fill(page: AppTest, name: str = "Nóminas", *scopes: Scope, days: int = 30) -> AppTest:
    page.text_input(key="token-name").set_value(name)
    for scope in scopes:
        page.checkbox(key=f"token-scope-{scope}").check()
    page.number_input(key="token-days").set_value(days)
    page.button(key=SUBMIT).click().run()
    assert not page.exception, page.exception
    return page


def make(people: LocalAccounts, who: Identity, name: str = "Nóminas") -> MadeToken:
    return people.tokens.create(who, name, [Scope.READ], 30)


def test_a_token_that_cannot_be_made_is_told_and_the_form_stays(people: LocalAccounts, ana: Identity) -> None:
    page = fill(form(), "Nóminas")
    assert [toast.value for toast in page.toast] == ["Marque al menos un permiso para la clave\\."]
    assert page.text_input(key="token-name").value == "Nóminas"
    assert not page.code
    fill(page, "", Scope.READ)
    assert page.toast[0].value.startswith("Escriba un nombre")
    assert people.tokens.of(ana.id) == []


@pytest.mark.parametrize(
    ("username", "offered"),
    [("ana", ["Leer", "Preguntar"]), ("rosa", ["Leer", "Preguntar", "Cargar", "Administrar"])],
)
def test_only_scopes_that_the_roles_give_something_of_are_offered(
    people: LocalAccounts, username: str, offered: list[str]
) -> None:
    people.enter(username)
    assert [box.label.split("**")[1] for box in form().checkbox] == offered


def test_the_list_tells_the_last_use_and_whose_tokens_they_are(people: LocalAccounts, ana: Identity) -> None:
    made = make(people, ana)
    make(people, people.enter("rosa"), "De Rosa")
    people.enter("ana")
    assert "sin usar" in html(page_at("account"))
    people.tokens.identify(made.secret)
    shown = html(page_at("account"))
    assert "último uso el" in shown
    assert "De Rosa" not in shown
    assert "Al cambiar la contraseña se anulan todas." in shown


def test_hostile_names_are_drawn_as_text(people: LocalAccounts, ana: Identity) -> None:
    texts = [text[:80] for text in TEXTS]
    for start in range(0, len(texts), MOST):
        for text in texts[start : start + MOST]:
            with suppress(InputError):
                make(people, ana, text)
        page = page_at("account")
        tokens = people.tokens.of(ana.id)
        assert sum(label == "Anular…" for label in labels(page)) == len(tokens) > 0
        assert live_html(html(page)) == []
        assert invisible(html(page)) == []
        for one in tokens:
            people.tokens.revoke(ana, one.id)


@pytest.mark.parametrize("name", ["<b>x</b> ![x](https://evil.example/a.png)", "\u202egnp.exe"])
def test_the_name_beside_the_secret_and_in_the_question_is_drawn_as_text(
    people: LocalAccounts, ana: Identity, name: str
) -> None:
    page = fill(form(), name, Scope.READ)
    shown = html(page)
    (one,) = people.tokens.of(ana.id)
    page.button(key=f"revoke-{one.id}").click().run()
    for drawn in (shown, html(page)):
        assert live_html(drawn) == []
        assert invisible(drawn) == []
        assert "<b>x</b>" not in drawn


def test_the_personal_mode_offers_no_tokens(app: FakeApp) -> None:
    assert "Tokens" not in html(page_at("account"))


def test_an_admin_sees_the_tokens_of_a_person_and_ends_them_with_the_sessions(
    people: LocalAccounts, ana: Identity
) -> None:
    made = make(people, ana)
    people.sessions.sign_out(people.browser)
    people.enter("rosa")
    page = page_at("users")
    page.button(key=f"edit-{ana.id}").click().run()
    assert "Sin sesiones abiertas." in html(page)
    assert "1 clave de acceso" in html(page)
    assert "Nóminas: leer · creada el" in html(page)
    press(page, "Cerrar sus sesiones y anular sus claves")
    assert page.toast[0].value == "Sesiones cerradas y claves anuladas\\."
    assert people.tokens.identify(made.secret) is None
