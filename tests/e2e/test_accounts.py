"""Many people at one server, in a real browser: coming in, roles, sessions that end, and no barrier (axe)."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.accounts import Role
from domain.auth_settings import AuthSettings
from pages.parts.common import navigation
from rag.shared.messages import MessageState
from service.accounts.accounts import Accounts
from service.accounts.passwords import Passwords
from storage.stores import open_database
from tests.e2e.conftest import (
    BACKGROUNDS,
    Opener,
    ask,
    assert_accessible,
    assert_fits,
    look,
    screenshot,
    served,
    settled,
)
from tests.e2e.offices import FORM, PASSWORD, Office, fill, new_password, sign_in
from tests.factories import settings_of
from tests.pages.test_roles import MENUS
from tests.processes import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUESTION = "¿Cuántos días de vacaciones anuales corresponden al trabajador?"
HALF = "¿Puede la empresa cambiarme el horario si"

# What a browser says of itself when the server turns it away, as these tests mean it to.
REFUSED = r"Failed to load resource: the server responded with a status of 401|WebSocket connection to"


@pytest.fixture(scope="module")
def office(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """With its first account made as the administrator makes it: on the page, with the code of the log."""
    folder = tmp_path_factory.mktemp("office")
    with served(folder, AUTH_MODE="local") as address:
        found = re.search(r"vale una vez: (\S+)", (folder / "server.log").read_text("utf-8"))
        assert found, "the log tells the code"
        page = browser.new_page(base_url=address, locale="es-ES")
        page.set_default_timeout(45_000)
        page.goto("/")
        assert page.url.endswith("/inicio")
        assert_accessible(page)
        screenshot(page, "accounts-setup-light")
        fill(page, Código=found[1], Usuario="rosa", Nombre_y_apellidos="Rosa Vidal")
        new_password(page, "Contraseña")
        page.locator(FORM).get_by_role("button").click()
        settled(page)
        page.get_by_role("heading", name="Articulado").wait_for()
        page.close()
        settings = settings_of(articulado_home=folder / "home")
        database = open_database(settings.database)
        stores = (database.accounts, database.login_sessions, database.attempts, database.tokens)
        passwords = Passwords(12, memory=8, passes=1)
        yield Office(
            address, database, Accounts(AuthSettings(auth_mode="local"), *stores, passwords=passwords)
        )
        database.close()


def menu(page: Any, *sections: str) -> list[str]:
    """The titles that the menu shows, in their order; each section is opened, the last one stays open."""
    found = page.get_by_test_id("stTopNavLink").all_inner_texts()
    inside = page.get_by_test_id("stTopNavDropdownLink")
    for section in sections:
        page.keyboard.press("Escape")
        inside.first.wait_for(state="detached")
        page.get_by_role("button", name=section).click()
        inside.first.wait_for()
        found += inside.all_inner_texts()
    shown = [text.split("\n")[-1].strip() for text in found]
    return [text for text in shown if text]


def box(page: Any) -> Any:
    return page.get_by_placeholder("Escriba su consulta")


def kept(page: Any) -> str | None:
    text: str | None = page.evaluate("sessionStorage.getItem('articulado-draft')")
    return text


# Coming in


def test_a_new_person_comes_in_changes_the_password_asks_and_stays_signed_in(
    open_page: Opener, office: Office
) -> None:
    password = office.add("ana", "Ana Ruiz", Role.LAWYER)
    page = open_page(office.address, ready=FORM, path="/normativa", tolerated=REFUSED)
    assert page.url.endswith("/acceso?next=/normativa")
    sign_in(page, "ana", "no es esta, seguro")
    page.get_by_text("Usuario o contraseña incorrectos.").wait_for()
    screenshot(page, "accounts-wrong-password-light")
    sign_in(page, "ana", password)
    page.get_by_label("Contraseña actual").fill(password)
    screenshot(page, "accounts-forced-change-light")
    page.goto("/normativa")
    assert page.url.endswith("/cuenta/clave"), "nothing else opens before the password is one's own"
    page.get_by_label("Contraseña actual").fill(password)
    new_password(page, "Contraseña nueva")
    page.locator(FORM).get_by_role("button").click()
    settled(page)
    ask(page, QUESTION)
    page.get_by_role("heading", name="Fuentes citadas").wait_for()
    page.reload()
    page.get_by_role("heading", name="Fuentes citadas").wait_for()
    page.get_by_text("Ana Ruiz").first.wait_for()
    # What was sent is kept no more, once the page is seen to show it.
    wait_until(lambda: kept(page) is None)
    box(page).press_sequentially(HALF)
    assert kept(page) is not None
    page.get_by_role("link", name="Cerrar sesión").click()
    page.get_by_role("button", name="Salir").click()
    assert kept(page) is None, "whoever signs out leaves nothing behind"
    page.wait_for_selector(FORM)
    page.goto("/")
    assert page.url.endswith("/acceso")


def test_an_answer_that_another_process_prepares_appears_by_itself(open_page: Opener, office: Office) -> None:
    session = office.session("dora", "Dora", Role.LAWYER)
    owner, conversations = office.accounts.named(None, "dora").id, office.database.conversations
    conversation = conversations.create(owner, QUESTION)
    _, pending = conversations.ask(owner, conversation.id, QUESTION)
    page = open_page(office.address, session=session, path=f"/?c={conversation.id}")
    page.get_by_text("la prepara otro proceso").wait_for()
    conversations.checkpoint(pending.id, "Lo que lleva escrito")
    page.get_by_text("Lo que lleva escrito").wait_for()
    conversations.finish(pending.id, MessageState.STOPPED, "Lo que escribió", None, None)
    page.get_by_text("Respuesta detenida a petición suya").wait_for()
    page.get_by_role("button", name="Volver a preguntar").wait_for()


# Sessions that end


def test_half_a_question_survives_being_signed_out_from_elsewhere(open_page: Opener, office: Office) -> None:
    first = open_page(office.address, session=office.session("blas", "Blas", Role.LAWYER), tolerated=REFUSED)
    box(first).press_sequentially(HALF)
    second = open_page(office.address, session=office.session("blas", "Blas"), path="/account")
    second.get_by_role("button", name="Cerrar todas las demás").click()
    second.get_by_text("Las demás sesiones están cerradas").first.wait_for()

    first.get_by_text("Su sesión ha caducado").first.wait_for()
    screenshot(first, "accounts-ended-light")
    first.get_by_role("link", name="Volver a entrar").first.click()
    sign_in(first, "blas", PASSWORD)
    settled(first)
    first.wait_for_function(
        "text => document.querySelector('[data-testid=stChatInputTextArea]')?.value === text", arg=HALF
    )
    screenshot(first, "accounts-text-restored-light")
    box(first).press_sequentially(" llevo diez años?")
    box(first).press("Enter")
    first.get_by_text(f"{HALF} llevo diez años?").first.wait_for()
    first.wait_for_function("() => sessionStorage.getItem('articulado-draft') === null")


def test_a_question_that_is_sent_as_the_session_ends_survives(open_page: Opener, office: Office) -> None:
    page = open_page(office.address, session=office.session("cruz", "Cruz", Role.LAWYER), tolerated=REFUSED)
    box(page).fill(QUESTION)
    office.end_sessions("cruz")
    box(page).press("Enter")
    page.get_by_text("Su sesión ha caducado").first.wait_for()
    page.get_by_role("link", name="Volver a entrar").first.click()
    sign_in(page, "cruz", PASSWORD)
    settled(page)
    page.wait_for_function(
        "text => document.querySelector('[data-testid=stChatInputTextArea]')?.value === text", arg=QUESTION
    )
    assert page.get_by_text("Consultas anteriores").count() == 1
    assert not [c for c in office.database.conversations.conversations(_id(office, "cruz"), 5)]


def test_what_one_person_has_half_written_is_not_given_to_the_next(open_page: Opener, office: Office) -> None:
    page = open_page(office.address, session=office.session("dora", "Dora", Role.LAWYER), tolerated=REFUSED)
    box(page).press_sequentially(HALF)
    page.context.clear_cookies()
    office.session("cruz", "Cruz", Role.LAWYER)
    page.goto("/acceso")
    sign_in(page, "cruz", PASSWORD)
    settled(page)
    page.wait_for_function("() => sessionStorage.getItem('articulado-draft') === null")
    assert box(page).input_value() == ""


def _id(office: Office, username: str) -> str:
    return office.accounts.named(None, username).id


# Roles


def test_an_administrator_has_the_menu_of_the_role_and_adds_accounts(
    open_page: Opener, office: Office
) -> None:
    session = office.session("alba", "Alba Sanz", Role.ADMIN)
    page = open_page(office.address, session=session, path="/users")
    shown = menu(page, navigation.TOOLS, navigation.ADMINISTRATION, "Alba Sanz")
    screenshot(page, "accounts-menu-admin")
    assert shown == MENUS[Role.ADMIN]
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Añadir una cuenta").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Nombre y apellidos").fill("Nuria Gil")
    dialog.get_by_label("Usuario", exact=True).fill("nuria")
    screenshot(page, "accounts-add-light")
    dialog.get_by_role("button", name="Añadir", exact=True).click()
    dialog.get_by_text("una sola vez").wait_for()
    screenshot(page, "accounts-secret-light")
    password = dialog.locator(".stCode code").inner_text().strip()
    assert office.accounts.sign_in.by_password("nuria", password, address="", agent="").identity.must_change
    dialog.get_by_role("button", name="Hecho").click()
    dialog.wait_for(state="hidden")
    page.get_by_text("Nuria Gil").wait_for()
    page.get_by_role("button", name="Gestionar").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Eliminar").wait_for()
    screenshot(page, "accounts-manage-light")


# No barrier


def chat(page: Any) -> None:
    ask(page, QUESTION)
    page.get_by_role("heading", name="Fuentes citadas").wait_for()


def answered(page: Any) -> None:
    page.get_by_role("heading", level=1).first.wait_for()


VIEWS: dict[str, Callable[[Any], None]] = {
    "/": chat,
    "/normativa": answered,
    "/users": answered,
    "/account": answered,
    "/review": answered,
}


def test_no_view_has_a_serious_barrier_in_light_or_dark_and_all_fit_a_telephone(
    open_page: Opener, office: Office
) -> None:
    page = open_page(office.address, path="/acceso", ready=FORM)
    for scheme in BACKGROUNDS:
        page.emulate_media(color_scheme=scheme)
        assert_accessible(page)
        screenshot(page, f"accounts-signin-{scheme}")
    session = office.session("eva", "Eva Sanz", Role.ADMIN, Role.REVIEWER)
    page = open_page(office.address, session=session)
    for path, ready in VIEWS.items():
        if path != "/":
            page.goto(path)
        ready(page)
        settled(page)
        name = f"accounts{path.replace('/', '-')}"
        for scheme in BACKGROUNDS:
            look(page, scheme)
            screenshot(page, f"{name}-{scheme}")
            assert_accessible(page)
        look(page, width=390)
        assert_fits(page)
        screenshot(page, f"{name}-phone")
        look(page)


# What leaves a page, and what is announced on it


def test_a_file_reaches_the_browser_whose_page_made_it_and_no_other(
    open_page: Opener, office: Office
) -> None:
    token = office.session("dora", "Dora Gil", Role.LAWYER)
    page = open_page(office.address, session=token, path="/account")
    page.get_by_role("button", name="Preparar una copia de mis datos").click()
    with page.expect_download() as begun:
        page.get_by_role("button", name="Descargar mis datos (ZIP)").click()
    address = begun.value.url
    assert Path(begun.value.path()).read_bytes().startswith(b"PK")
    statuses = []
    for other in (token, office.session("dora", "Dora Gil"), office.session("elia", "Elia", Role.ADMIN), "x"):
        cookie = {"cookie": f"articulado={other}", "accept": "*/*"}
        statuses.append(page.request.get(address, headers=cookie, max_redirects=0).status)
    assert statuses == [200, 404, 404, 401]
    office.end_sessions("dora")


def test_a_token_is_made_copied_and_seen_no_more(open_page: Opener, office: Office) -> None:
    session = office.session("nora", "Nora Vega", Role.LAWYER, Role.ADMIN)
    page = open_page(office.address, session=session, path="/account")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=office.address)
    page.get_by_text("Crear una clave", exact=True).click()
    page.get_by_label("Nombre", exact=True).fill("Programa")
    page.get_by_text("Preguntar:").click()
    screenshot(page, "accounts-token-form")
    page.get_by_role("button", name="Crear la clave").click()
    shown = page.locator(".st-key-token-secret")
    shown.get_by_text("art_").wait_for()
    look(page, width=390)
    assert_fits(page)
    screenshot(page, "accounts-token-made-390")
    look(page)
    shown.hover()
    # It shows up in a moment; a click that did not wait would scroll it under the menu of pages.
    shown.locator("button").first.wait_for()
    settled(page)
    shown.locator("button").first.click()
    secret = page.evaluate("navigator.clipboard.readText()")
    assert_accessible(page)
    who = office.accounts.tokens.identify(secret)
    assert who is not None and who.username == "nora"
    page.reload()
    page.get_by_text("Programa", exact=True).wait_for()
    assert secret not in page.content()
    page.locator(f".st-key-token-{who.token}").get_by_role("button", name="Anular…").click()
    page.get_by_role("button", name="Anular", exact=True).click()
    page.get_by_text("Clave anulada.").first.wait_for()
    assert office.accounts.tokens.identify(secret) is None


def test_an_admin_who_becomes_a_reviewer_is_announced_to_a_person_who_asks(
    open_page: Opener, office: Office
) -> None:
    page = open_page(office.address, session=office.session("rita", "Rita Paz", Role.LAWYER))
    rosa = office.accounts.named(None, "rosa")
    program = open_page(
        office.address, session=office.session("olga", "Olga Sanz", Role.ADMIN), path="/users"
    )
    program.locator(f".st-key-user-{rosa.id}").get_by_role("button", name="Gestionar").click()
    program.get_by_text("Revisor:").click()
    program.get_by_role("button", name="Guardar").click()
    program.get_by_text("Cuenta guardada.").wait_for()
    page.reload()
    told = page.get_by_text("Rosa Vidal puede leer y revisar las consultas de todas las personas")
    told.wait_for()
    assert_accessible(page)
    screenshot(page, "accounts-announced-light")
    page.get_by_role("button", name="Entendido").click()
    told.wait_for(state="detached")
