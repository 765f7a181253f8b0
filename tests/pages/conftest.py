"""The application behind the pages of these tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.accounts import LOCAL
from service.members.member import Member
from service.program.assembly import App
from tests.homes import lexical_program, overriding
from tests.pages.fakes import FakeApp, fake_app


@pytest.fixture
def app(tmp_path: Path) -> Iterator[FakeApp]:
    fake = fake_app(tmp_path)
    with overriding(fake):  # type: ignore[arg-type]
        yield fake


@pytest.fixture
def whole(program: App) -> Iterator[App]:
    """A whole program of its own, over the invented corpus, behind the pages."""
    with overriding(program):
        yield program


@pytest.fixture(scope="module")
def shared_program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A whole program over the invented corpus."""
    with lexical_program(tmp_path_factory.mktemp("pages")) as program:
        yield program


@pytest.fixture
def ana(shared_program: App) -> Iterator[Member]:
    """The person of this machine, at whose pages the program is."""
    with overriding(shared_program):
        yield Member(shared_program, LOCAL)
