"""The application behind the pages of these tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import bootstrap
from tests.pages.fakes import FakeApp, fake_app


@pytest.fixture
def app(tmp_path: Path) -> Iterator[FakeApp]:
    fake = fake_app(tmp_path)
    bootstrap.override(fake)  # type: ignore[arg-type]
    yield fake
    bootstrap.override(None)
