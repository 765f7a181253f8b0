"""«Cuentas» and «Mi cuenta»: people, their passwords and their sessions."""

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import NotFound
from domain.accounts import Account, Role
from pages.parts.accounts.words import ACTIVE, ALL, DISABLED, NEVER, PERSONAL, device, matches
from tests.pages.driver import html, labels, page_at, press
from tests.pages.fakes import FakeApp, LocalAccounts, with_accounts

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0"


@pytest.fixture
def people(app: FakeApp) -> LocalAccounts:
    return with_accounts(app, "rosa=admin", "ana=abogado", "blas=abogado+revisor")


def manage(people: LocalAccounts, username: str) -> AppTest:
    page = page_at("users")
    page.button(key=f"edit-{people.named(None, username).id}").click().run()
    return page


def said(page: AppTest) -> str:
    return page.error[0].value.replace("\\", "")


# Cuentas


def test_the_list_shows_roles_and_the_last_sign_in(people: LocalAccounts) -> None:
    people.add(None, "nuria", "Nuria <b>Gil</b>", [Role.LAWYER])
    shown = html(page_at("users"))
    assert "4 cuentas" in shown
    assert "Nuria &lt;b&gt;Gil&lt;/b&gt;" in shown
    assert "Abogado, Revisor" in shown
    assert "nuria · no ha entrado nunca" in shown
    assert "debe cambiar la contraseña" in shown
    assert "rosa · última entrada el" in shown


@pytest.mark.parametrize(
    ("name", "username", "told"),
    [
        ("", "nuria", "Escriba el nombre de la persona."),
        ("Otra Ana", "ANA", "ana"),
    ],
)
def test_what_is_wrong_with_a_new_account_is_told_in_the_form(
    people: LocalAccounts, name: str, username: str, told: str
) -> None:
    page = press(page_at("users"), "Añadir una cuenta")
    page.text_input(key="add-name").set_value(name)
    page.text_input(key="add-username").set_value(username)
    page.button(key="FormSubmitter:add-form-Añadir").click().run()
    assert told in said(page)
    assert len(people.accounts(None)) == 3


def test_an_account_needs_a_role(people: LocalAccounts) -> None:
    page = manage(people, "ana")
    page.checkbox(key=f"role-{people.named(None, 'ana').id}-abogado").uncheck()
    page.button(key="FormSubmitter:edit-form-Guardar").click().run()
    assert said(page) == "Marque al menos un rol."


def test_a_disabled_account_is_out_until_it_is_enabled_again(people: LocalAccounts) -> None:
    token = people.browser
    people.enter("ana")
    ana = people.browser
    people.browser = token
    press(manage(people, "ana"), "Desactivar")
    people.browser = ""
    assert people.sessions.identify(ana) is None
    people.browser = token
    assert "desactivada" in html(page_at("users"))
    press(manage(people, "ana"), "Reactivar")
    assert people.named(None, "ana").active


def test_a_new_password_is_made_after_a_question(people: LocalAccounts) -> None:
    page = press(manage(people, "ana"), "Nueva contraseña")
    assert "deja de valer" in html(page)
    press(page, "Crear contraseña")
    assert people.sign_in.by_password(
        "ana", page.code[0].value, address="127.0.0.1", agent=""
    ).identity.must_change


def test_an_account_is_removed_after_saying_what_goes_with_it(people: LocalAccounts) -> None:
    page = press(manage(people, "ana"), "Eliminar…")
    assert "sus consultas con todas las respuestas" in html(page)
    press(page, "Eliminar definitivamente")
    with pytest.raises(NotFound):
        people.named(None, "ana")
    assert page.toast[0].value == "Cuenta eliminada\\."


def test_fifty_people_are_found_by_name_role_and_state(people: LocalAccounts) -> None:
    assert not page_at("users").selectbox, "three people need no filters"
    for number in range(50):
        people._accounts.add(f"p{number}", f"Persona {number}", [Role.LAWYER])
    page = page_at("users")
    assert "53 cuentas" in html(page)
    assert sum(label == "Gestionar" for label in labels(page)) == 50
    page.text_input(key="users-search").set_value("persona 49").run()
    assert "1 de 53 cuentas" in html(page)
    page.text_input(key="users-search").set_value("").run()
    page.selectbox(key="users-role").set_value(Role.REVIEWER).run()
    assert "1 de 53 cuentas" in html(page)
    page.selectbox(key="users-state").set_value(DISABLED).run()
    assert "Ninguna cuenta coincide" in html(page)


@pytest.mark.parametrize(
    ("words", "role", "state", "found"),
    [
        ("", None, ALL, True),
        ("RUIZ ana", None, ALL, True),
        ("aruiz", Role.LAWYER, ACTIVE, True),
        ("ana", Role.ADMIN, ALL, False),
        ("ana", None, DISABLED, False),
        ("", None, NEVER, True),
        ("bea", None, ALL, False),
    ],
)
def test_filters(words: str, role: Role | None, state: str, found: bool) -> None:
    account = Account.model_validate(
        {
            "id": "1",
            "username": "aruiz",
            "name": "Ana Ruiz",
            "roles": ("abogado",),
            "created_at": "2026-01-01T00:00:00Z",
        }
    )
    assert matches(account, words, role, state) is found


@pytest.mark.parametrize("name", ["users", "account"])
def test_the_personal_mode_says_why_there_are_no_accounts(app: FakeApp, name: str) -> None:
    page = page_at(name)
    assert PERSONAL in html(page)
    assert not page.button


# Mi cuenta


def test_my_account_says_who_i_am_and_where_i_am_signed_in(people: LocalAccounts) -> None:
    people.enter("blas", FIREFOX)
    shown = html(page_at("account"))
    assert "<h1>Blas</h1>" in shown
    assert "Entra como «blas»." in shown
    assert "<b>Revisor</b>: consulta, juzga" in shown
    assert "Administrador" not in shown
    assert "Firefox en Windows" in shown
    assert "esta sesión" in shown
    assert 'href="/salir"' in shown
    assert 'href="/cuenta/clave"' in shown


def test_one_session_or_all_the_others_are_closed_but_never_this_one(people: LocalAccounts) -> None:
    people.enter("ana", FIREFOX)
    elsewhere = people.browser
    people.enter("ana", FIREFOX)
    third = people.browser
    people.enter("ana")
    mine = people.browser
    page = page_at("account")
    assert sum(label == "Cerrar" for label in labels(page)) == 2
    press(page, "Cerrar")
    assert sum(label == "Cerrar" for label in labels(page)) == 1
    press(page, "Cerrar todas las demás")
    assert "Cerrar todas las demás" not in labels(page)
    people.browser = ""
    assert people.sessions.identify(elsewhere) is None
    assert people.sessions.identify(third) is None
    assert people.sessions.identify(mine) is not None


def test_the_chat_shows_who_is_signed_in_and_the_way_out(app: FakeApp, people: LocalAccounts) -> None:
    people.enter("ana")
    shown = html(page_at("chat"))
    assert '<p class="art-note">Ana</p>' in shown
    assert 'href="/salir"' in shown


def test_the_chat_of_one_person_alone_has_no_way_out(app: FakeApp) -> None:
    assert "/salir" not in html(page_at("chat"))


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        (FIREFOX, "Firefox en Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/17.5 Mobile/15E148 Safari/604.1",
            "Safari en iPhone",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
            "Edge en Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 "
            "Mobile Safari/537.36",
            "Chrome en Android",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/17.5 Safari/605.1.15",
            "Safari en Mac",
        ),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0", "Firefox en Linux"),
        ("curl/8.5.0", "Dispositivo desconocido"),
        ("", "Dispositivo desconocido"),
    ],
)
def test_a_device_is_told_in_words(agent: str, told: str) -> None:
    assert device(agent) == told
