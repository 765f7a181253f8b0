"""Opens the chat page with Streamlit's AppTest, and reads and presses what it shows."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.parts.common.words import today
from tests.pages.fakes import OWNER, FakeApp

ROUTER = str(Path(__file__).parents[2] / "app.py")
HOSTILE = (
    '<img src="https://evil.example/a.png" onerror="alert(1)"> <script>alert(1)</script>\n\n'
    "![x](https://evil.example/b.png) [pulse](https://evil.example) [C1] [C9]\n\n"
    '<span class="art-chip">C7</span> :material/home: $x^2$'
)


def opened(conversation: str | None = None) -> AppTest:
    page = AppTest.from_file(ROUTER, default_timeout=20)
    if conversation:
        page.query_params["c"] = conversation
    page.run()
    assert not page.exception, page.exception
    return page


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
    page.run()
    assert not page.exception, page.exception
    return page
