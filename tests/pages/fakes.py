"""An application for the pages: real conversations in SQLite, an invented corpus, scripted answers."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from core.errors import InputError
from core.turns import Turns
from domain.accounts import Identity, Role
from domain.auth_settings import AuthSettings
from law.chunks import Chunk
from law.norms import Block, Norm
from masking.vault import Masked, Vault
from rag.run.runs import Run, StageProgress
from rag.shared.cited_answer import Answer, AnswerLength
from rag.shared.messages import MessageState
from service.accounts.accounts import Accounts
from service.accounts.passwords import Passwords
from service.oversight.audit import Auditor
from service.program.work_at_once import of_costly_work
from storage.base.engine import Engines
from storage.chat.conversations import SqlConversationStore
from storage.people.accounts import SqlAccountStore
from storage.people.audit import SqlAuditLog
from storage.people.login_sessions import SqlAttemptStore, SqlLoginSessionStore
from storage.people.tokens import SqlTokenStore
from storage.stores import Database
from tests.databases import new_database
from tests.pages.samples import BLOCK, NORM, SUMMARY, answer, trace_of

OWNER = "local"


@dataclass
class FakeCorpus:
    """A corpus in memory; `reads` counts the articles that were fetched."""

    listed: tuple[Norm, ...] = (NORM, SUMMARY)
    stored: dict[tuple[str, str], Block] = field(default_factory=lambda: {(NORM.id, BLOCK.id): BLOCK})
    aided: dict[str, Chunk] = field(default_factory=dict)
    refers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    reads: int = 0
    loads: int = 0

    def revision(self) -> str:
        return str(self.loads)

    def fingerprint(self) -> str:
        return f"corpus-{self.loads}"

    def norms(self) -> list[Norm]:
        return list(self.listed)

    def norm(self, norm_id: str) -> Norm | None:
        return next((norm for norm in self.listed if norm.id == norm_id), None)

    def block(self, norm_id: str, block_id: str) -> Block | None:
        self.reads += 1
        return self.stored.get((norm_id, block_id))

    def find(self, norm_id: str, label: str) -> list[Block]:
        return [one for (norm, _), one in self.stored.items() if norm == norm_id and one.label == label]

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        return [self.aided[one] for one in ids if one in self.aided]

    def referenced(self, ids: Sequence[str], as_of: date) -> dict[str, list[str]]:
        return {one: list(self.refers.get(one, ())) for one in ids}

    def counts(self) -> Any:
        return SimpleNamespace(norms=len(self.listed), chunks=12519 if self.listed else 0, pending_dense=0)


@dataclass
class FakeRuns:
    """Answers that a test scripts: each question ends at once with `outcome`, or waits for `end`."""

    conversations: SqlConversationStore
    outcome: Callable[[str], Answer | str]
    waits: bool = False
    asked: list[tuple[str, date | None]] = field(default_factory=list)
    runs: dict[int, Run] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def start(
        self,
        owner: str,
        conversation_id: str,
        question: str,
        as_of: date | None = None,
        *,
        agent: bool = False,
        replaces: int | None = None,
        length: AnswerLength = AnswerLength.NORMAL,
    ) -> Run:
        if self.active(owner, conversation_id):
            raise InputError("Espere a que termine la respuesta en curso o deténgala.")
        self.asked.append((question, as_of))
        _, pending = self.conversations.ask(owner, conversation_id, question, as_of, replaces)
        run = Run(pending.id, conversation_id, owner, question, agent, length)
        with self.lock:
            self.runs[pending.id] = run
        if not self.waits:
            self.end(run)
        return run

    def end(self, run: Run, state: MessageState = MessageState.COMPLETE) -> None:
        result = self.outcome(run.question)
        answer = result if isinstance(result, Answer) and state is MessageState.COMPLETE else None
        text = run.text if state is MessageState.STOPPED else result if isinstance(result, str) else ""
        if isinstance(result, str) and state is MessageState.COMPLETE:
            state = MessageState.FAILED
        trace = trace_of(run.question) if answer else None
        self.conversations.finish(run.message_id, state, answer.answer if answer else text, answer, trace)
        run.state = state
        with self.lock:
            self.runs.pop(run.message_id, None)
        run.done.set()

    def stop(self, owner: str, message_id: int) -> None:
        run = self.runs.get(message_id)
        if run is not None and run.owner == owner:
            self.end(run, MessageState.STOPPED)

    def of(self, owner: str) -> list[Run]:
        with self.lock:
            return [run for run in self.runs.values() if run.owner == owner]

    def active(self, owner: str, conversation_id: str) -> Run | None:
        with self.lock:
            runs = list(self.runs.values())
        return next((r for r in runs if r.owner == owner and r.conversation_id == conversation_id), None)


@dataclass
class FakeModels:
    """No models, or a mode that says so."""

    mode: str = "offline"
    embedder: None = None

    def names(self) -> dict[str, str]:
        return {"reader": "lector-1", "principal": "redactor-1"}


@dataclass
class FakeApp:
    """The application as the pages see it."""

    database: Database
    runs: FakeRuns
    home: Path
    notices: tuple[str, ...] = (
        "Modo sin modelo: las respuestas son frases literales de las normas, sin redacción.",
    )
    models: FakeModels = field(default_factory=FakeModels)
    sends_out: bool = False
    accounts: Accounts = field(init=False)
    audit: Auditor = field(init=False)
    papers: Any = field(default_factory=lambda: SimpleNamespace(tidy=lambda: None))
    deliveries: Any = field(default_factory=lambda: SimpleNamespace(by_mail=False, problem=lambda: None))
    background: Any = field(default_factory=lambda: SimpleNamespace(start=lambda: None))
    demo: Any = field(default_factory=lambda: SimpleNamespace(under_way=False, queue=lambda: None))
    costly: Turns = field(default_factory=of_costly_work)

    def __post_init__(self) -> None:
        self.accounts = Accounts(AuthSettings(), *account_stores(self.database.engines))
        self.audit = Auditor(self.database.audit)

    def leaving(self, question: str, earlier: Sequence[str]) -> Masked:
        return Vault((*earlier, question)).mask([question])

    def close(self) -> None: ...


def fake_app(folder: Path, outcome: Callable[[str], Answer | str] = lambda _: answer()) -> FakeApp:
    database = new_database(folder / "pages.db")
    database.corpus = FakeCorpus()  # type: ignore[assignment]
    return FakeApp(database, FakeRuns(database.conversations, outcome), folder)


class LocalAccounts(Accounts):
    """Real accounts with passwords. An AppTest has no cookies: the token of its browser is `browser`."""

    browser: str = ""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        identify = self.sessions.identify
        self.sessions.identify = lambda token: identify(token or self.browser)  # type: ignore[method-assign]

    def enter(self, username: str, agent: str = "AppTest") -> Identity:
        """Give the browser a session of that account, past the change of its first password."""
        account = self.named(None, username)
        self._accounts.set_password(account.id, "")
        opened = self.sessions.open(self.named(None, username), address="127.0.0.1", agent=agent)
        self.browser = opened.token
        return opened.identity


AccountStores = tuple[SqlAccountStore, SqlLoginSessionStore, SqlAttemptStore, SqlTokenStore]


def account_stores(engines: Engines) -> AccountStores:
    sessions, attempts = SqlLoginSessionStore(engines), SqlAttemptStore(engines)
    return SqlAccountStore(engines), sessions, attempts, SqlTokenStore(engines)


def local_accounts(engines: Engines, *people: str, audit: SqlAuditLog | None = None) -> LocalAccounts:
    """An account each: "rosa=admin+revisor", "ana=abogado". The first one must be an admin's, and sits at the
    browser until `enter` says otherwise."""
    accounts = LocalAccounts(
        AuthSettings(auth_mode="local"),
        *account_stores(engines),
        audit=audit,
        passwords=Passwords(12, memory=8, passes=1),
    )
    for person in people:
        username, _, roles = person.partition("=")
        accounts.add(None, username, username.title(), [Role(role) for role in roles.split("+")])
    accounts.enter(people[0].partition("=")[0])
    return accounts


def with_accounts(app: FakeApp, *people: str) -> LocalAccounts:
    """Put the app in the mode "local"; see `local_accounts`."""
    app.accounts = accounts = local_accounts(app.database.engines, *people)
    return accounts


def progress(run: Run, *finished: str, current: str = "", text: str = "") -> None:
    """Show a run as if these stages were over, `current` under way and `text` written."""
    run.stages[:] = [StageProgress(name, 120.0) for name in finished]
    if current:
        run.stages.append(StageProgress(current))
    run.text = text
