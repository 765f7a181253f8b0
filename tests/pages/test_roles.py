"""Pages and actions of each role, and sessions that end in between."""

import ast
import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import Forbidden, NotFound
from domain.accounts import Identity, Permission, Role, Scope, offered
from domain.reviews import ReviewVerdict
from loading.ingestion.load_request import Staged, UploadRequest
from loading.records.jobs import JobPayload
from pages.parts.chat.conversations import DELETE
from pages.parts.common.navigation import ACCOUNT, PLACES, in_menu
from pages.parts.common.session import ENDED
from service.members.member import FORBIDDEN, MUST_CHANGE, Member, SessionEnded
from service.program.assembly import App
from tests.homes import lexical_program, overriding
from tests.pages.driver import ROUTER, html, labels, page_at, press
from tests.pages.fakes import LocalAccounts, local_accounts
from web.base import access

FOLDER = Path(ROUTER).parent
NORM = "X-LTF"
PEOPLE = ("rosa=admin", "ana=abogado", "blas=revisor")
USERNAMES = {Role.ADMIN: "rosa", Role.LAWYER: "ana", Role.REVIEWER: "blas"}
SILENT = {ast.Import, ast.ImportFrom, ast.Assign, ast.FunctionDef}
"""Statements of a page before its last one, which asks and draws."""
SHARED = [
    "Consultas", "Expedientes", "Novedades", "Normativa", "Calcular", "Comprobar citas", "Modelos de escrito",
]  # fmt: skip
OWN = ["Ajustes", "Mi cuenta"]
EVERYBODY = [*SHARED, *OWN]
MENUS = {
    Role.LAWYER: EVERYBODY,
    Role.REVIEWER: [*SHARED, "Revisión", "Evaluación", "Inspector", *OWN],
    Role.ADMIN: [*SHARED, "Cuentas", "Registro", "Consumo", *OWN],
}


@dataclass
class Office:
    """A whole program with accounts, and the person at the browser."""

    program: App
    accounts: LocalAccounts

    def enter(self, role: Role) -> Member:
        return Member(self.program, self.accounts.enter(USERNAMES[role]), self._now)

    def _now(self) -> Identity | None:
        return self.accounts.sessions.identify("")

    def leave(self) -> None:
        self.accounts.sessions.sign_out(self.accounts.browser)


@pytest.fixture(scope="module")
def shared_office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    with lexical_program(tmp_path_factory.mktemp("office")) as program:
        accounts = local_accounts(program.database.engines, *PEOPLE)
        program.accounts = accounts
        yield Office(program, accounts)


@pytest.fixture
def office(shared_office: Office) -> Iterator[Office]:
    """The one of this module, with the admin at the browser."""
    with overriding(shared_office.program):
        shared_office.enter(Role.ADMIN)
        yield shared_office


def errors(page: AppTest) -> list[str]:
    return [error.value for error in page.error]


# Pages and menus


def test_every_page_asks_first_for_the_permission_that_the_menu_and_the_guard_know() -> None:
    files = {path.stem for path in (FOLDER / "pages").glob("[a-z]*.py")}
    assert files == {place.name for place in PLACES}
    for place in PLACES:
        _, *before, page = ast.parse((FOLDER / place.file).read_text("utf-8")).body
        assert {type(node) for node in before} <= SILENT, place.name
        assert isinstance(page, ast.With)
        first = ast.unparse(page.items[0])
        assert first == f"opened(Permission.{place.permission.name}) as app", place.name
    asked = {"/" if place is PLACES[0] else f"/{place.name}": place.permission for place in PLACES}
    assert asked == access.PAGES


@pytest.mark.parametrize("role", Role)
def test_the_menu_holds_what_a_role_may_open(role: Role) -> None:
    who = Identity(id="x", username="x", name="X", roles=(role,))
    assert [place.title for place in PLACES if in_menu(place, who, personal=False)] == MENUS[role]
    forced = who.model_copy(update={"must_change": True})
    assert not any(in_menu(place, one, personal=False) for one in (None, forced) for place in PLACES)


def test_the_personal_mode_has_no_pages_about_accounts() -> None:
    who = Identity(id="local", username="local", name="Este equipo", roles=tuple(Role))
    titles = [place.title for place in PLACES if in_menu(place, who, personal=True)]
    assert titles == [
        *SHARED,
        "Revisión",
        "Evaluación",
        "Inspector",
        "Registro",
        "Consumo",
        "Ajustes",
    ]


@pytest.mark.parametrize("role", Role)
def test_each_page_opens_for_the_roles_that_may_and_tells_the_others(office: Office, role: Role) -> None:
    office.enter(role)
    for place in PLACES:
        page = page_at(place.name)
        allowed = place.title in MENUS[role]
        assert errors(page) == ([] if allowed else [FORBIDDEN]), place.name
        if not allowed:
            assert not page.button, place.name


def test_without_a_session_every_page_is_the_way_in_and_nothing_else(office: Office) -> None:
    office.leave()
    for place in PLACES:
        page = page_at(place.name)
        assert ENDED in html(page)
        assert 'href="/acceso?next=%2F' in html(page)
        assert not page.button
        assert not page.chat_input


def test_a_password_chosen_by_another_person_must_be_changed_first(office: Office) -> None:
    account, _ = office.accounts.add(None, "nuevo", "Nuevo", [Role.LAWYER])
    office.accounts.browser = office.accounts.sessions.open(account, address="127.0.0.1", agent="").token
    page = page_at("chat")
    assert MUST_CHANGE in html(page)
    assert 'href="/cuenta/clave"' in html(page)
    assert not page.chat_input


def test_the_way_in_leads_back_to_where_the_reader_was(office: Office) -> None:
    office.leave()
    assert "next=%2F%3Fc%3Dabc%2526x" in html(page_at("chat", c="abc&x"))


# The corpus, for reading only


def test_a_lawyer_reads_the_corpus_and_is_offered_nothing_that_changes_it(office: Office) -> None:
    office.enter(Role.LAWYER)
    page = page_at("normativa", tab="Trabajos")
    assert "documentos" in html(page)
    assert not page.tabs
    page = page_at("normativa", doc=NORM)
    assert not errors(page)
    actions = {"Modificar", "Nueva versión", "Eliminar…", "Actualizar desde el BOE"}
    assert actions.isdisjoint(labels(page))
    page.session_state["document-dialog"] = ("delete", NORM)
    assert "Eliminar definitivamente" not in labels(page.run())


def test_an_admin_has_the_whole_of_it(office: Office) -> None:
    office.enter(Role.ADMIN)
    assert [tab.label for tab in page_at("normativa").tabs] == ["Catálogo", "Cargar", "BOE", "Trabajos"]
    assert "Eliminar…" in labels(page_at("normativa", doc=NORM))


# Forged actions: what no page offers is refused all the same


REQUEST = UploadRequest([("a.txt", b"x")])
PREVIEW = Staged("0" * 32, "somebody", JobPayload(), ())
FORGED: dict[str, tuple[Permission, Callable[[Member], Any]]] = {
    "upload": (Permission.LOAD, lambda m: m.upload(REQUEST)),
    "preview": (Permission.LOAD, lambda m: m.preview(REQUEST)),
    "load of a preview": (Permission.LOAD, lambda m: m.load(PREVIEW)),
    "discarding a preview": (Permission.LOAD, lambda m: m.discard_staged(PREVIEW)),
    "add of the BOE": (Permission.LOAD, lambda m: m.boe_add(["BOE-A-2001-1"])),
    "update from the BOE": (Permission.LOAD, lambda m: m.boe_update()),
    "delete": (Permission.LOAD, lambda m: m.corrections.delete(NORM)),
    "delete several": (Permission.LOAD, lambda m: m.corrections.delete_all([NORM])),
    "edit": (Permission.LOAD, lambda m: m.corrections.edit(NORM, {"title": "X"})),
    "jobs": (Permission.LOAD, lambda m: m.jobs.jobs()),
    "cancel a job": (Permission.LOAD, lambda m: m.jobs.cancel("x")),
    "retry a job": (Permission.LOAD, lambda m: m.jobs.retry("x")),
    "loads to undo": (Permission.LOAD, lambda m: m.jobs.undoable()),
    "what a load changed": (Permission.LOAD, lambda m: m.jobs.changes("x")),
    "undo a load": (Permission.LOAD, lambda m: m.corrections.undo("x")),
    "try a question": (Permission.LOAD, lambda m: m.jobs.try_question("x", "¿Qué?")),
    "discard a job": (Permission.LOAD, lambda m: m.corrections.discard_job("x")),
    "review": (Permission.REVIEW, lambda m: m.reviews.cases()),
    "judge": (Permission.REVIEW, lambda m: m.reviews.judge(1, ReviewVerdict.CORRECT)),
    "assign an answer": (Permission.REVIEW, lambda m: m.reviews.assign(1, m.identity.id)),
    "withdraw a verdict": (Permission.REVIEW, lambda m: m.reviews.withdraw(1, 1)),
    "evaluate": (Permission.EVALUATE, lambda m: m.evaluations.datasets()),
    "remove an evaluation": (Permission.EVALUATE, lambda m: m.evaluations.remove("x")),
    "tools": (Permission.INSPECT, lambda m: m.toolbox),
    "search": (Permission.INSPECT, lambda m: m.services),
    "accounts": (Permission.ACCOUNTS, lambda m: m.accounts.accounts()),
    "add an account": (Permission.ACCOUNTS, lambda m: m.accounts.add("x", "X", [Role.ADMIN])),
    "make oneself admin": (
        Permission.ACCOUNTS,
        lambda m: m.accounts.change(m.identity.id, roles=[Role.ADMIN]),
    ),
    "reset a password": (Permission.ACCOUNTS, lambda m: m.accounts.reset_password(m.identity.id)),
    "end sessions": (Permission.ACCOUNTS, lambda m: m.accounts.revoke_all(m.identity.id)),
    "remove an account": (Permission.ACCOUNTS, lambda m: m.accounts.remove(m.identity.id)),
}


def test_a_forged_action_is_refused_without_the_permission(office: Office) -> None:
    for role in Role:
        member = office.enter(role)
        for name, (permission, forge) in FORGED.items():
            if not member.may(permission):
                with pytest.raises(Forbidden, match="no tiene permiso"):
                    forge(member)
                    pytest.fail(f"{role} may {name}")


@pytest.mark.parametrize("scope", Scope)
def test_a_forged_action_is_refused_to_a_token_beyond_its_scope(office: Office, scope: Scope) -> None:
    for role in Role:
        account = office.enter(role).account
        if scope not in offered((role,)):
            continue
        made = account.make_token("Prueba", [scope], 1)
        who = office.accounts.tokens.identify(made.secret)
        assert who is not None
        member = Member(office.program, who, partial(office.accounts.tokens.identify, made.secret))
        for name, (permission, forge) in FORGED.items():
            if not member.may(permission):
                with pytest.raises(Forbidden, match="no tiene permiso"):
                    forge(member)
                    pytest.fail(f"{role} may {name} with {scope}")
        with pytest.raises(Forbidden, match=r"no tiene permiso|«Mi cuenta»"):
            member.account.make_token("Otro", [Scope.READ], 1)
        with pytest.raises(Forbidden, match=r"no tiene permiso|«Mi cuenta»"):
            member.account.revoke_token(made.token.id)
        office.enter(role).account.revoke_token(made.token.id)
        with pytest.raises(SessionEnded):
            member.names()


def test_one_persons_conversation_is_unknown_to_another(office: Office) -> None:
    ana = office.enter(Role.LAWYER)
    secret = ana.conversations.create("Despido de la cliente")
    office.enter(Role.REVIEWER)
    page = page_at("chat", c=secret.id)
    assert page.toast[0].value == "No existe esa conversación\\."
    assert "Despido de la cliente" not in " ".join(labels(page))


def test_one_persons_question_is_neither_replaced_nor_shown_nor_copied_by_another(office: Office) -> None:
    ana = office.enter(Role.LAWYER)
    chat = ana.conversations.create("Despido de la cliente").id
    run = ana.runs.start(chat, "¿Qué plazo hay?")
    assert run.done.wait(30)
    asked = ana.conversations.exchange(run.message_id)[0].id
    blas = office.enter(Role.REVIEWER)
    own = blas.conversations.create("De Blas").id
    forged: tuple[Callable[[], object], ...] = (
        lambda: blas.conversations.choose(chat, asked),
        lambda: blas.conversations.choose(own, asked),
        lambda: blas.conversations.exchange(run.message_id),
        lambda: blas.runs.start(chat, "Otra", replaces=asked),
        lambda: blas.runs.start(own, "Otra", replaces=asked),
    )
    for forge in forged:
        with pytest.raises(NotFound):
            forge()
    assert blas.conversations.messages(own) == []
    assert len(office.program.database.conversations.messages(ana.identity.id, chat)) == 2
    blas.conversations.delete(own)


# A session that ends while its page is open


def test_a_button_of_an_ended_session_does_nothing_any_more(office: Office) -> None:
    ana = office.enter(Role.LAWYER)
    conversation = ana.conversations.create("Vacaciones")
    page = page_at("chat", c=conversation.id)
    page.menu_button(key=f"menu-{conversation.id}").click(DELETE).run()
    office.leave()
    next(button for button in page.button if button.key == "delete-yes").click().run()
    assert not page.exception
    assert ENDED in html(page)
    store = office.program.database.conversations
    assert conversation.id in [one.id for one in store.conversations(ana.identity.id)]


def test_what_an_open_page_still_holds_is_worth_nothing_once_the_session_ends(office: Office) -> None:
    ana = office.enter(Role.LAWYER)
    held = (ana.conversations, ana.runs, ana.feedback, ana.account)
    office.leave()
    calls: tuple[Callable[[], object], ...] = (
        held[0].conversations,
        held[0].listed,
        lambda: held[0].search("x"),
        lambda: held[0].pin("x", True),
        lambda: held[0].archive("x", True),
        lambda: held[0].choose("x", 1),
        lambda: held[0].exchange(1),
        lambda: held[1].start("x", "¿Qué?", replaces=1),
        lambda: held[1].stop(1),
        lambda: held[2].feedback(1),
        lambda: held[2].votes("x"),
        ana.watches.watches,
        held[3].sessions,
        ana.preferences.read,
        lambda: ana.preferences.change(toured=True),
        ana.runs.of,
        held[3].tokens,
        lambda: held[3].make_token("x", [Scope.READ], 1),
        lambda: held[3].revoke_token("x"),
        lambda: ana.corpus,
    )
    for call in calls:
        with pytest.raises(SessionEnded):
            call()


def test_a_role_that_is_taken_away_counts_at_once(office: Office) -> None:
    blas = office.enter(Role.REVIEWER)
    reviews = blas.reviews
    office.accounts.change(None, blas.identity.id, roles=[Role.LAWYER])
    try:
        with pytest.raises(Forbidden, match="no tiene permiso"):
            reviews.cases()
        assert errors(page_at("review")) == [FORBIDDEN]
    finally:
        office.accounts.change(None, blas.identity.id, roles=[Role.REVIEWER])


def test_the_account_page_is_the_last_place_of_the_menu() -> None:
    assert PLACES[-1] is ACCOUNT


# One's own data


def test_a_person_takes_a_copy_of_their_data_along_and_deletes_their_questions(office: Office) -> None:
    blas = office.enter(Role.REVIEWER)
    others = blas.conversations.create("De Blas")
    ana = office.enter(Role.LAWYER)
    for title in ("Una", "Otra"):
        ana.conversations.create(title)
    page = press(page_at("account"), "Preparar una copia")
    with zipfile.ZipFile(io.BytesIO(page.session_state["account-copy"])) as copy:
        assert sum(name.endswith(".json") and name.startswith("conv") for name in copy.namelist()) >= 2
    page = press(page, "Borrar mis consultas")
    assert ana.conversations.conversations(), "nothing is deleted before it is confirmed"
    next(button for button in page.button if button.key == "forget-yes").click().run()
    assert not page.exception
    assert ana.conversations.conversations() == []
    assert [one.id for one in office.program.database.conversations.conversations(blas.identity.id)] == [
        others.id
    ]
