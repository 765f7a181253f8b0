"""«Plantillas»: one is added, chosen for an opinion, and removed; what is refused is told."""

from collections.abc import Iterator

import pytest

from pages.parts.templates.letterheads import NO_FILE, NONE
from pages.parts.templates.listed import OPINIONS
from service.opinions.letterheads import add, example, names
from service.program.assembly import App
from tests.factories import settings_of
from tests.homes import new_program, overriding
from tests.pages.driver import asked, html, last_id, opened, page_at
from tests.pages.fakes import FakeApp


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    made = new_program(tmp_path_factory.mktemp("home"))
    with overriding(made):
        yield made
    made.close()


def test_a_template_is_added_and_removed(program: App) -> None:
    shown = page_at("templates", {"templates-of": OPINIONS})
    assert NONE in html(shown)
    shown.file_uploader[0].set_value([("Bufete <b>.docx", example(), "application/octet-stream")])
    shown.button(key="template-add").click().run()
    assert not shown.exception and not shown.error
    assert "Bufete b" in shown.success[0].value and names(program.home) == ["Bufete b"]
    shown.button(key="template-remove-0").click().run()
    assert names(program.home) == [] and NONE in html(shown)


def test_what_is_no_template_is_told_and_not_kept(program: App) -> None:
    shown = page_at("templates", {"templates-of": OPINIONS})
    shown.button(key="template-add").click().run()
    assert NO_FILE.strip(".") in shown.error[0].value
    shown.file_uploader[0].set_value([("x.docm", b"PK", "application/octet-stream")])
    shown.button(key="template-add").click().run()
    assert "sin macros" in shown.error[0].value
    assert names(program.home) == []


def test_an_opinion_offers_the_templates_for_word_alone(app: FakeApp) -> None:
    add(app.home, settings_of(), "Bufete.docx", example())
    conversation = asked(app, "¿Cuánto dura el descanso?")
    shown = opened(conversation)
    number = last_id(app, conversation)
    shown.button(key=f"opinion-{number}").click().run()
    [template] = [one for one in shown.selectbox if one.label == "Plantilla"]
    assert template.options == ["Sin plantilla", "Bufete"]
