"""Invented documents as files, and waiting for what another thread or process does."""

import time
from collections.abc import Callable, Mapping

WAIT_SECONDS = 150.0


def law(name: str, articles: Mapping[str, str], **fields: str) -> bytes:
    """A Markdown norm with the identifier `name` in capitals; `articles` are texts by number."""
    front = {
        "id": name.upper(),
        "title": f"Ley {name}",
        "law": f"Ley {name}",
        "rank": "Ley",
        "valid_from": "2020-01-01",
    } | fields
    lines = ["---", *(f"{key}: {value}" for key, value in front.items()), "---", ""]
    for number, text in articles.items():
        lines += [f"#### Artículo {number}. Prueba.", "", text, ""]
    return "\n".join(lines).encode()


def big_law(name: str, articles: int, words: str = "Texto inventado sobre descansos.") -> bytes:
    """A norm with many articles, each of some length."""
    return law(name, {str(n): f"{words} Apartado {n}. " * 6 for n in range(1, articles + 1)})


def eventually(happened: Callable[[], bool], seconds: float = WAIT_SECONDS) -> None:
    """Return as soon as it has happened; fail when it has not in that time."""
    end = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > end:
            raise AssertionError(f"it did not happen in {seconds} s")
        time.sleep(0.02)
