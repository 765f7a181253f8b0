"""Reading and cutting into chunks cost in proportion to the size of a text, whatever it repeats."""

from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from core.errors import InputError
from loading.chunking.chunk import chunk_document
from loading.formats import load
from tests.bombs import PATTERNS
from tests.growth import FACTOR, assert_linear


@pytest.mark.parametrize("name", PATTERNS)
def test_reading_grows_with_the_size(tmp_path: Path, name: str) -> None:
    pattern = PATTERNS[name]

    @cache
    def made(count: int) -> Path:
        folder = tmp_path / str(count)
        folder.mkdir()
        (folder / pattern.name).write_bytes(pattern.made(count))
        return folder / pattern.name

    def read(count: int) -> None:
        with suppress(InputError):
            for document in load(made(count)):
                chunk_document(document)

    made(pattern.repeated)
    made(pattern.repeated // FACTOR)
    assert_linear(read, pattern.repeated)
