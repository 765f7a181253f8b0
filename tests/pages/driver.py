"""Opens the chat page with Streamlit's AppTest, and reads and presses what it shows."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from pages.parts.common.navigation import PLACES
from pages.parts.common.words import today
from tests.pages.fakes import OWNER, FakeApp

ROUTER = str(Path(__file__).parents[2] / "app.py")
HOSTILE = (
    '<img src="https://evil.example/a.png" onerror="alert(1)"> <script>alert(1)</script>\n\n'
    "![x](https://evil.example/b.png) [pulse](https://evil.example) [C1] [C9]\n\n"
    '<span class="art-chip">C7</span> :material/home: $x^2$'
)


def drawn(page: AppTest) -> AppTest:
    """The page, run once more."""
    page.run()
    assert not page.exception, page.exception
    return page


def page_at(name: str, state: Mapping[str, Any] | None = None, **address: str) -> AppTest:
    """The page of a name at an address, over what its session holds."""
    page = AppTest.from_file(ROUTER, default_timeout=30)
    if name != PLACES[0].name:
        page.switch_page(f"pages/{name}.py")
    for key, value in (state or {}).items():
        page.session_state[key] = value
    for key, value in address.items():
        page.query_params[key] = value
    return drawn(page)


def opened(conversation: str | None = None) -> AppTest:
    """The page of the chat."""
    return page_at("chat", **({"c": conversation} if conversation else {}))


def asked(app: FakeApp, *questions: str) -> str:
    conversation = app.database.conversations.create(OWNER, questions[0])
    for question in questions:
        app.runs.start(OWNER, conversation.id, question, today())
    return conversation.id


def last_id(app: FakeApp, conversation: str) -> int:
    return app.database.conversations.messages(OWNER, conversation)[-1].id


def html(page: AppTest) -> str:
    return "\n".join(element.value for element in page.html)


def labels(page: AppTest) -> list[str]:
    return [button.label for button in page.button]


def press(page: AppTest, label: str) -> AppTest:
    next(button for button in page.button if button.label.startswith(label)).click().run()
    assert not page.exception, page.exception
    return page


def set_open(page: AppTest, key: str) -> AppTest:
    page.session_state[key] = True
    return drawn(page)
