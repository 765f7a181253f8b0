"""A lawyer reads plain words: no page of theirs names what only those who run or review the program know."""

import ast
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from domain.accounts import Role
from domain.preferences import DefaultDay
from law.corpus_store import VectorGaps
from pages.parts.common.navigation import PLACES
from pages.parts.common.words import plain_note
from service.config import ROOT
from service.program.notices import notices
from tests.pages.driver import page_at, press
from tests.pages.test_roles import EVERYBODY, NORM, Office, office, shared_office  # noqa: F401

TECHNICAL = re.compile(
    r"\b(fragmentos?|chunks?|corpus|rerank\w*|embeddings?|tokens?|vectores|léxic[ao]s?|semántic[ao]s?|prompts?|"
    r"endpoints?|depuración|trazas?|backend|pipeline|BM25)\b|\b[A-Z]{2,}_[A-Z_]+\b|\w\.py\b",
    re.IGNORECASE,
)
SHOWN = ("label", "body", "help", "placeholder", "options", "captions", "text", "content")
FOR_OTHERS = {
    "debug.py",
    "candidates.py",
    "said.py",
    "trace_words.py",
    "aids.py",
    "trial.py",
    "jobs.py",
    "outcomes.py",
}
"""Parts that a reviewer or an admin opens, and a reader only as «detalle técnico»."""
FOLDERS = (
    "chat",
    "answer",
    "calculations",
    "citations",
    "matters",
    "normativa",
    "settings",
    "accounts",
    "news",
    "templates",
)
QUESTION = "¿Cuántos días de vacaciones me corresponden al año?"


def strings(node: Any) -> Iterator[str]:
    """Strings that an element and those in it show."""
    proto = getattr(node, "proto", None)
    for name in SHOWN:
        found = getattr(proto, name, None)
        if isinstance(found, str):
            yield found
        elif found is not None and not isinstance(found, bool) and hasattr(found, "__iter__"):
            yield from (one for one in found if isinstance(one, str))
    for child in getattr(node, "children", {}).values():
        yield from strings(child)


def read(page: AppTest) -> list[str]:
    """The same without markup; names for those who hear the page count, addresses and classes do not."""
    assert not page.exception, page.exception
    named = re.compile(r'<[^>]*?(?:aria-label|title)="([^"]*)"[^>]*>')
    return [unescape(re.sub(r"<[^>]+>", " ", named.sub(r" \1 ", text))) for text in strings(page._tree)]


def plain(page: AppTest) -> None:
    texts = read(page)
    assert sum(map(len, texts)) > 100, "the walk reads what is shown"
    assert [text for text in texts if TECHNICAL.search(text)] == []


@pytest.mark.parametrize("name", [place.name for place in PLACES if place.title in EVERYBODY])
def test_every_page_of_a_lawyer_is_in_plain_words(office: Office, name: str) -> None:  # noqa: F811
    office.enter(Role.LAWYER)
    plain(page_at(name))


def test_an_answer_its_sources_and_a_refusal_are_in_plain_words(office: Office) -> None:  # noqa: F811
    ana = office.enter(Role.LAWYER)
    for question in (QUESTION, "artículo 999 LTF", "¿Qué tipo de IVA llevan los yates?"):
        chat = ana.conversations.create(question).id
        run = ana.runs.start(chat, question)
        assert run.done.wait(30)
        page = page_at("chat", c=chat)
        if run.answer is not None and run.answer.citations:
            page.session_state[f"source-{run.message_id}-0"] = True
            page.run()
        plain(page)
        ana.conversations.delete(chat)


VIEWS: dict[str, Callable[[], AppTest]] = {
    "a norm": lambda: page_at("normativa", doc=NORM),
    "an article": lambda: page_at("normativa", doc=NORM, block="a2"),
    "a norm that is gone": lambda: page_at("normativa", doc="nada"),
    "a conversation that is gone": lambda: page_at("chat", c="nada"),
    "the last of the first steps": lambda: press(press(page_at("chat"), "Paso siguiente"), "Paso siguiente"),
    "a brief": lambda: press(briefed(), "Comprobar"),
}


def briefed() -> AppTest:
    page = page_at("citations")
    page.text_area[0].set_value("Según el artículo 2 de la LTF y la STS 99/2031, y el art. 400 LTF.").run()
    return page


@pytest.mark.parametrize("view", VIEWS)
def test_what_stands_behind_a_page_is_in_plain_words(office: Office, view: str) -> None:  # noqa: F811
    office.enter(Role.LAWYER)
    plain(VIEWS[view]())


def test_a_question_that_waits_for_its_day_is_in_plain_words(office: Office) -> None:  # noqa: F811
    ana = office.enter(Role.LAWYER)
    ana.preferences.change(day=DefaultDay.ASK)
    page = page_at("chat")
    page.chat_input[0].set_value(QUESTION).run()
    ana.preferences.change(day=DefaultDay.TODAY)
    assert any("¿A qué fecha" in text for text in read(page))
    plain(page)


def sentences(path: Path) -> Iterator[str]:
    """Strings of a file that are sentences: neither its docstrings nor keys and names."""
    tree = ast.parse(path.read_text("utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            text = re.sub(r"<[^>]+>", " ", node.value)
            if re.search(r"\w \w", text) and not text.lstrip().startswith(("[", ".")):
                yield text


@pytest.mark.parametrize(
    "path",
    [
        path
        for folder in FOLDERS
        for path in sorted((ROOT / "pages/parts" / folder).glob("*.py"))
        if path.name not in FOR_OTHERS
    ],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_no_sentence_of_a_readers_page_is_technical(path: Path) -> None:
    assert [text for text in sentences(path) if TECHNICAL.search(text)] == []


@pytest.mark.parametrize("working", [True, False])
@pytest.mark.parametrize("problem", ["", "los vectores están desactivados (EMBEDDINGS_PROVIDER=none)."])
def test_what_the_program_tells_of_itself_is_in_plain_words(problem: str, working: bool) -> None:
    told: tuple[str, ...] = ()
    for missing in (0, 1, 12):
        found = VectorGaps(missing=missing, total=100)
        told += notices(
            "offline", problem, 12, demo_only=True, gaps=lambda _, found=found: found, working=working
        )
    assert len(told) == 9
    told += notices("offline", problem, 0, demo_only=True, gaps=lambda _: VectorGaps(), preparing=True)
    assert [text for text in told if TECHNICAL.search(text)] == []


def test_a_note_of_a_stage_that_names_a_setting_is_told_in_plain_words() -> None:
    for note in (
        "No hay conexión con el modelo: revise OPENAI_BASE_URL.",
        "Búsqueda solo léxica: no hay vectores para la pregunta.",
    ):
        assert plain_note(note) == "con menos medios de los habituales"
    assert plain_note("1 búsqueda, 3 pasajes nuevos") == "1 búsqueda, 3 pasajes nuevos"
