"""A pattern in windows of a text: what the whole text has, and an end to what takes long."""

import random
import re
import time
from typing import Any

import pytest
import re2

from rag.tools import regex_search
from rag.tools.regex_search import RegexParams, spans
from rag.tools.tool import ToolScope
from rag.tools.tool_calls import ToolFailure

PATTERNS = (
    r"\bluz\b",
    r"^Art[a-z]+ \d+",
    r"\d+ euros?$",
    r"(?:luz|faro)\s+\d",
    r"[a-z]+",
    r"luz\nfaro",
    r"x*",
    r"\d{1,3}(?:\.\d{3})*",
    r"f.?r.",
    r"\S+ \S+",
)
WORDS = ("luz", "faro", "12", "1.500", "euros", "Artículo 3", "a", "\n", "\n\n", "faros,")
FOREVER = float("inf")


def texts() -> list[str]:
    dice = random.Random(11)
    return [" ".join(dice.choices(WORDS, k=dice.randint(0, 120))).replace(" \n", "\n") for _ in range(60)]


@pytest.mark.parametrize("window", [64, 100, 5000])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_windows_find_what_the_whole_text_holds(pattern: str, window: int) -> None:
    compiled = re2.compile(f"(?m){pattern}")
    for text in texts():
        whole = [found.span() for found in re.finditer(pattern, text, re.MULTILINE) if found.group()]
        assert list(spans(compiled, text, window, FOREVER)) == whole


@pytest.mark.parametrize("text", ["x" * 1000, "ab" * 500, "x" * 99 + "\n" + "x" * 300])
def test_a_match_longer_than_a_window_is_parted_and_the_search_ends(text: str) -> None:
    found = list(spans(re2.compile(r"\w+"), text, 64, FOREVER))
    assert "".join(text[start:end] for start, end in found) == text.replace("\n", "")


def test_the_deadline_holds_between_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10**6))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    with pytest.raises(ToolFailure, match="ha pasado de 1 segundo"):
        list(spans(re2.compile("y"), "x" * 100_000, 100, 50.0))
    assert next(clock) < 60


class Library:
    """Tells whoever asks for its documents that none was to be read."""

    def views(self, day: Any) -> Any:
        raise AssertionError(day)


def test_a_pattern_of_too_many_repetitions_is_refused_unread() -> None:
    scope: Any = ToolScope.__new__(ToolScope)
    object.__setattr__(scope, "library", Library())
    with pytest.raises(ToolFailure, match="demasiado complejo"):
        regex_search.run(RegexParams.model_validate({"pattern": "(?:.{0,99}){9}" * 30}), scope)
