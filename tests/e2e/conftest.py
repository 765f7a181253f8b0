"""A real server in a process of its own, and Chromium in front of it."""

import os
import re
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from pages.parts.common.navigation import PLACES, SUPERVISION, TOOLS
from tests.e2e.visitors import FLAGS, Visitors
from tests.homes import lay_demo
from tests.model_replies import Request, as_json, says
from tests.model_server import ModelServer
from tests.processes import ForkedServer
from tests.scripted import MARKERS
from web.cookies import PLAIN

axe = pytest.importorskip("axe_playwright_python", reason="pip install -r requirements-dev.txt")
sync_api = pytest.importorskip("playwright.sync_api", reason="pip install -r requirements-dev.txt")

ROOT = Path(__file__).parents[2]
ARTIFACTS = ROOT / "artifacts"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The same engine without the windows of a browser opens a page for half the work."""
AXE = (Path(axe.__file__).parent / "axe.min.js").read_text("utf-8")
SCREENSHOTS = "SCREENSHOTS" in os.environ
"""True if pictures of the pages are wanted, to be looked at: drawing them proves nothing."""
PATIENCE = 45_000
"""Milliseconds that a journey waits for what it expects."""
PLACE = """() => {
  const frame = document.querySelector('[data-testid="stAppScrollToBottomContainer"]');
  const said = [...document.querySelectorAll('[data-testid="stChatMessage"]')];
  const focused = document.activeElement;
  return JSON.stringify({
    focus: `${focused.tagName} ${focused.className} ${focused.innerText?.slice(0, 80)}`,
    tops: said.map((one) => Math.round(one.getBoundingClientRect().top)),
    frame: frame && [frame.scrollTop, frame.clientHeight, frame.scrollHeight],
    state: document.querySelector(".stApp")?.dataset.testScriptState,
  });
}"""
"""Where a page stands that failed: what has the focus and how far it is scrolled."""
READY = '[data-testid="stApp"][data-test-script-state="notRunning"]'
AT_REST = """() => document.getAnimations().every(
  (one) => one.playState !== "running" || one.effect.getComputedTiming().endTime === Infinity)"""
"""True but while something slides open or away; what turns for as long as one waits does not count."""
BACKGROUNDS = {"light": "rgb(253, 252, 250)", "dark": "rgb(20, 25, 29)"}


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[str]:
    """The address of a server with these settings alone; its home has the demo corpus unless one is there."""
    if not (folder / "home" / "articulado.db").exists():
        lay_demo(folder / "home")
    with ForkedServer(folder, {"EMBEDDINGS_PROVIDER": "none", **environment}) as server:
        yield server.address


@pytest.fixture(scope="session")
def offline_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("offline") / "home"


@pytest.fixture(scope="session")
def offline_server(offline_home: Path) -> Iterator[str]:
    with served(offline_home.parent) as address:
        yield address


@pytest.fixture(scope="session")
def model_server() -> Iterator[ModelServer]:
    """The scripted endpoint; a test sets `answer`."""
    with ModelServer() as server:
        server.markers = dict(MARKERS)
        server.script(
            decompose=[as_json(["vacaciones anuales retribuidas artículo 38 ET"])],
            rerank=[says("[0, 1, 2]")],
            assess=[says("READY")],
        )
        yield server


@pytest.fixture(scope="session")
def online_server(model_server: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    settings = {"OPENAI_BASE_URL": model_server.url, "OPENAI_API_KEY": "sk-test"}
    with served(tmp_path_factory.mktemp("online"), **settings) as address:
        yield address


# Not for the whole session: an open Playwright leaves its event loop running in this thread, and
# `asyncio.run` in the tests outside of this folder would fail.
@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (set CHROMIUM to its path)")
    sync_api.expect.set_options(timeout=PATIENCE)
    with sync_api.sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", *FLAGS]
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def visitors(browser: Any) -> Visitors:
    return Visitors(browser)


Opener = Callable[..., Any]


OPEN = pytest.StashKey[list[Any]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to the report of a failed journey what its pages showed: elsewhere nobody can look at them."""
    report = yield
    if report.when == "call" and report.failed:
        for page in item.stash.get(OPEN, []):
            with suppress(sync_api.Error):  # it may be leaving, or have no content yet
                report.sections.append((f"place {page.url}", page.evaluate(PLACE)))
                shown = page.evaluate("document.body.innerText")
                report.sections.append((f"page {page.url}", shown[:6_000]))
    return report


@pytest.fixture
def open_page(visitors: Visitors, request: pytest.FixtureRequest) -> Iterator[Opener]:
    """Open pages that fail the test when the browser calls out, a policy is broken or a dialog pops up."""
    lent: list[tuple[str, Any]] = []
    pages = request.node.stash[OPEN] = list[Any]()
    problems: list[str] = []

    def watch(page: Any, address: str, tolerated: str) -> None:
        local = (address, "data:", "blob:", address.replace("http", "ws", 1))
        page.on("request", lambda r: r.url.startswith(local) or problems.append(f"request to {r.url}"))
        page.on(
            "console",
            lambda m: is_harmless(m, tolerated) or problems.append(f"console: {m.text} {m.location}"),
        )
        page.on("pageerror", lambda error: problems.append(f"script error: {error}"))
        page.on("dialog", lambda dialog: (problems.append("a dialog popped up"), dialog.dismiss()))

    def open_one(
        address: str,
        scheme: str = "light",
        width: int = 1280,
        height: int = 900,
        *,
        path: str = "/",
        session: str = "",
        ready: str = READY,
        tolerated: str = "",
    ) -> Any:
        """`session` is the token of its cookie; errors that begin as `tolerated` says belong to the test."""
        context = visitors.lend(address)
        lent.append((address, context))
        if session:
            context.add_cookies([{"name": PLAIN, "value": session, "url": address, "httpOnly": True}])
        page = context.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.set_default_timeout(PATIENCE)
        watch(page, address, tolerated)
        page.goto(path)
        page.wait_for_selector(ready)
        return page

    yield open_one
    for address, context in lent:
        visitors.take_back(address, context)
    assert problems == []


# Streamlit's box fetches the module of its microphone late: a page that is left or turned away may miss it.
LATE = r"Recording error: .*dynamically imported module|WebSocket connection to .* before the connection"
# Its button asks once whether its file is there, sometimes when the button and the file are gone already;
# what a press downloads is compared by the journeys themselves.
GONE = re.compile(r"Failed to load resource: .*\b404\b|.*Download Button source error - 404")


def is_harmless(message: Any, tolerated: str) -> bool:
    """True but for errors of a page; a browser asks by itself, late, for the icon of what is no page."""
    expected = "|".join(one for one in (LATE, tolerated) if one)
    url = message.location["url"]
    late = url.endswith("/favicon.ico") or (
        bool(GONE.match(message.text)) and ("/media/" in url or "Download Button" in message.text)
    )
    return message.type != "error" or late or bool(re.match(expected, message.text))


def settled(page: Any) -> None:
    """Wait until the page is drawn and at rest: a link that slides away under a click leads nowhere."""
    page.wait_for_selector(READY)
    page.wait_for_function(AT_REST)


def look(page: Any, scheme: str = "light", width: int = 1280) -> None:
    """Give an open page the colours and the width of another device, which spares loading it there again."""
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    has_background(page, scheme)


def has_background(page: Any, scheme: str) -> None:
    sync_api.expect(page.locator(".stApp")).to_have_css("background-color", BACKGROUNDS[scheme])
    settled(page)


def assert_fits(page: Any, width: int = 390) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url


def ask(page: Any, question: str) -> None:
    box = page.get_by_placeholder("Escriba su consulta")
    box.fill(question)
    box.press("Enter")


def screenshot(page: Any, name: str) -> None:
    if not SCREENSHOTS:
        return
    ARTIFACTS.mkdir(exist_ok=True)
    page.evaluate("document.fonts.ready")
    page.screenshot(path=ARTIFACTS / f"{name}.png", animations="disabled")


def assert_accessible(page: Any, within: str = "html") -> None:
    """No serious or critical finding of axe-core. Evaluated by the browser's debugger: the CSP stays."""
    page.evaluate(AXE)
    found = page.evaluate("where => axe.run(where, {resultTypes: ['violations']})", within)["violations"]
    grave = {
        one["id"]: [(node["target"], node["failureSummary"]) for node in one["nodes"]]
        for one in found
        if one["impact"] in ("serious", "critical")
    }
    assert grave == {}, grave


def contrast(foreground: str, background: str) -> float:
    """WCAG contrast ratio of two `rgb(…)` colours."""

    def luminance(colour: str) -> float:
        channels = [int(value) / 255 for value in re.findall(r"\d+", colour)[:3]]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(foreground), luminance(background)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


COLOURS = """selector => {
    const colours = element => getComputedStyle(element)
    let ground = document.querySelector(selector)
    const colour = colours(ground).color
    while (!colours(ground).backgroundColor.startsWith("rgb(")) ground = ground.parentElement
    return [colour, colours(ground).backgroundColor]
}"""


def assert_contrast(page: Any, *selectors: str) -> None:
    """The words of these elements meet WCAG AA on what lies under them: an open source's chip is filled."""
    for selector in selectors:
        colour, ground = page.evaluate(COLOURS, selector)
        assert contrast(colour, ground) >= 4.5, (selector, colour, ground)


def quoted_from_context(request: Request) -> str:
    """A sentence of the first fragment that the prompt holds, to be quoted exactly."""
    fragment = request.prompt.split("[C1] [Fuente 1")[1].split("[C2] [Fuente 2")[0]
    found = re.search(r"\n1\. ([^\n.]{30,400}\.)", fragment)
    assert found, fragment
    return found[1]


def go_to(page: Any, title: str) -> None:
    """Open a page from the menu, in its section if it has one."""
    place = next(one for one in PLACES if one.title == title)
    shared = place.section in (TOOLS, SUPERVISION)
    if shared:
        page.get_by_role("button", name=place.section).click()
    page.get_by_role("menuitem" if shared else "link", name=title, exact=True).click()
