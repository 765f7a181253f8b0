"""Time until a lawyer sees the page and the first stage of an answer, in Chromium.

From an empty home to a page that can be used, as with `make run`, and the wait of its first question, for
which the demo corpus is loaded; from Enter to the first stage on screen; from a click in the list of
conversations to the last answer of a long one.
"""

from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from lab.harness import Scene, Server, program, scene
from lab.pipeline import DELAYS, QUESTION
from lab.table import Row, Tables, Watch, percentile, spread
from rag.shared.messages import Message
from service.program import assembly
from storage.chat.conversations import SqlConversationStore
from tests.e2e.conftest import CHROMIUM

STAGE_MS, START_SECONDS, LONG_MS = 500.0, 10.0, 300.0
QUESTIONS, STARTS, OPENINGS = 8, 3, 15
EXCHANGES, OTHERS = 250, 12
"""Questions of the long conversation, and conversations beside it in the list."""
ASKED = (
    QUESTION,
    "¿Qué plazo hay para impugnar un despido y desde cuándo se cuenta?",
    "¿Cuánto dura la suspensión del contrato por nacimiento de hijo?",
)
LAST = "¿Qué requisitos exige la jubilación ordinaria?"
# Resolved in the frame after the one that has the last answer with what stands under it.
OPENED = """([row, last]) => {
  window.opened = new Promise((resolve) => {
    let clicked = 0;
    document.addEventListener("click", (event) => {
      if (event.target.closest(row)) clicked ||= performance.now();
    }, true);
    new MutationObserver((_, observer) => {
      const asked = [...document.querySelectorAll(".art-question")].pop();
      const answer = [...document.querySelectorAll('[data-testid="stChatMessage"]')].pop();
      if (!asked?.textContent.includes(last) || !answer.querySelector(".art-tools")) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - clicked)));
    }).observe(document.body, { childList: true, subtree: true });
  });
}"""
WELCOME = ".art-welcome"
RESTING = '.stApp[data-test-script-state="notRunning"]'
BOX = "Escriba su consulta"
STAGE_LINE = '.art-stages li:not(:has-text("Preparando"))'
SOURCES = 'h3.art-head:has-text("Fuentes citadas")'
# As `make run` starts it, without settings of this environment.
AS_MAKE = {"EMBEDDINGS_PROVIDER": "local"}


def _start(folder: Path, page: Any) -> list[Row]:
    wholes: list[float] = []
    answers: list[float] = []
    for number in range(STARTS):
        start = folder / f"start{number}"
        start.mkdir()
        watch = Watch()
        with Server(start, AS_MAKE) as server:
            _open(page, server)
            wholes.append(watch.wall)
            answers.append(_ask(page, SOURCES))
    whole = percentile(wholes, 50)
    return [
        Row(f"empty home to usable page, median of {STARTS}", whole, "s", START_SECONDS),
        Row("first answer of that page, offline: Enter to answer on screen", percentile(answers, 50), "ms"),
    ]


def _stage_on_screen(place: Scene, page: Any) -> list[Row]:
    times = []
    folder = place.folder / "model"
    folder.mkdir()
    with program(folder / "home", embeddings_provider="local") as app:
        app.load_demo()
    with Server(folder, AS_MAKE | place.settings) as server:
        for _ in range(QUESTIONS + 1):
            _open(page, server)
            times.append(_ask(page, STAGE_LINE))
            page.locator(SOURCES).wait_for()
    return spread("Enter to first stage on screen", times[1:], "ms", STAGE_MS, STAGE_MS)


def _long_conversation(folder: Path, page: Any) -> list[Row]:
    folder.mkdir()
    row = f'[class*="st-key-open-{_write_long(folder / "home")}"] button'
    clicked = []
    with Server(folder, AS_MAKE) as server:
        _open(page, server)
        for _ in range(OPENINGS + 1):
            page.locator(WELCOME).wait_for()
            page.locator(RESTING).wait_for()
            page.evaluate(OPENED, [row, LAST])
            page.locator(row).click()
            clicked.append(page.evaluate("() => window.opened"))
            page.get_by_role("button", name="Nueva consulta").click()
    return spread(f"click to the last of {2 * EXCHANGES} messages", clicked[1:], "ms", LONG_MS)


def _write_long(home: Path) -> str:
    """Id of a conversation of EXCHANGES that stands in a list with OTHERS; the answers are the program's."""
    owner = assembly.LOCAL_USER
    with program(home) as app:
        app.load_demo()
        store = app.database.conversations
        conversation = store.create(owner, ASKED[0]).id
        for question in (*ASKED, LAST):
            app.runs.start(owner, conversation, question).done.wait()
        first = store.messages(owner, conversation, 2 * (len(ASKED) + 1))
        exchanges = list(zip(first[::2], first[1::2], strict=True))
        named = [store.create(owner, f"{ASKED[1]} {number}").id for number in range(OTHERS)]
        for number in range(EXCHANGES - len(exchanges) - 1):
            _repeat(store, conversation, *exchanges[number % len(ASKED)])
        for other in named:
            _repeat(store, other, *exchanges[1])
        _repeat(store, conversation, *exchanges[-1])
    return conversation


def _repeat(store: SqlConversationStore, conversation: str, asked: Message, answer: Message) -> None:
    _, reply = store.ask(assembly.LOCAL_USER, conversation, asked.text)
    store.finish(reply.id, answer.state, answer.text, answer.answer, None)


def _open(page: Any, server: Server) -> None:
    page.goto(server.address)
    page.get_by_placeholder(BOX).wait_for()


def _ask(page: Any, awaited: str) -> float:
    """Milliseconds from Enter until an element of that selector is on screen."""
    box = page.get_by_placeholder(BOX)
    box.fill(QUESTION)
    watch = Watch()
    box.press("Enter")
    page.locator(awaited).first.wait_for()
    return watch.ms


def tables(folder: Path) -> Tables:
    if CHROMIUM is None:
        print("page: Chromium is not installed (set CHROMIUM to its path)")
        return
    with scene(folder, DELAYS) as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        page = browser.new_page(locale="es-ES")
        page.set_default_timeout(60_000)
        rows = [
            *_start(folder, page),
            *_stage_on_screen(place, page),
            *_long_conversation(folder / "long", page),
        ]
        browser.close()
    yield "Page: first stage and start", rows
