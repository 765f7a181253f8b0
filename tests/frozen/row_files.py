"""Rows of the frozen files: how they are written, read and compared, and the hashes that stand for texts."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "rows"
SHOWN, WIDTH = 10, 300
"""Rows that a failure names, and characters of each of their values."""

Row = Mapping[str, Any]
"""The values of a case by name; JSON."""
Rows = dict[str, Row]
"""The rows of a seam by the name of their case."""


class Texts:
    """Where the texts behind the hashes are written, if anybody wants to read them."""

    folder: Path | None = None


def fingerprint(value: Any) -> str:
    """Sixteen hexadecimal digits that stand for a text, or for a value by its JSON."""
    text = (
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True, indent=0)
    )
    found = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    if Texts.folder is not None:
        (Texts.folder / found).write_text(text, "utf-8", errors="surrogatepass")
    return found


def lines(rows: Rows) -> str:
    """The frozen file of these rows: sorted by case, one a line, without the values that are empty."""
    return "".join(
        f"{json.dumps({'case': case, **_said(row)}, ensure_ascii=False, sort_keys=True)}\n"
        for case, row in sorted(rows.items())
    )


def _said(row: Row) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value not in (None, "", [], {}, (), False)}


def write(seam: str, rows: Rows) -> int:
    """Write the frozen file of a seam; the number of cases that it changes."""
    before, text = frozen(seam), lines(rows)
    FOLDER.mkdir(exist_ok=True)
    _path(seam).write_text(text, "utf-8")
    return len(_differing(before, _parsed(text)))


def differences(seam: str, rows: Rows) -> str:
    """Empty for the frozen rows, else the first cases that differ and how to freeze them anew."""
    before, now = frozen(seam), _parsed(lines(rows))
    cases = _differing(before, now)
    if not cases:
        return ""
    told = "\n".join(_told(case, before.get(case), now.get(case)) for case in cases[:SHOWN])
    return (
        f"{len(cases)} of {len(before)} cases of the seam «{seam}» differ (- frozen, + now):\n{told}\n"
        f"If every one is meant: python -m lab freeze {seam}"
    )


def _told(case: str, before: Row | None, now: Row | None) -> str:
    if before is None or now is None:
        return f"{case}: {'new' if before is None else 'gone'}"
    names = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    pairs = [(name, *_apart(before.get(name), now.get(name))) for name in names]
    return "\n".join(
        [f"{case}:", *(f"  {name}\n    - {_short(old)}\n    + {_short(new)}" for name, old, new in pairs)]
    )


def _apart(one: Any, other: Any) -> tuple[Any, Any]:
    """The parts of two values in which they differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
        pairs = {name: _apart(one.get(name), other.get(name)) for name in names}
        return {name: old for name, (old, _) in pairs.items()}, {
            name: new for name, (_, new) in pairs.items()
        }
    if isinstance(one, list) and isinstance(other, list):
        alone = [value for value in one if value not in other], [value for value in other if value not in one]
        return alone if any(alone) else (one, other)
    return one, other


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= WIDTH else f"{text[:WIDTH]}…"


def _differing(before: Rows, now: Rows) -> list[str]:
    return sorted(case for case in before.keys() | now.keys() if before.get(case) != now.get(case))


def _path(seam: str) -> Path:
    return FOLDER / f"{seam}.jsonl"


def frozen(seam: str) -> Rows:
    """The rows of a seam as they are frozen; none before the first time."""
    return _parsed(_path(seam).read_text("utf-8")) if _path(seam).exists() else {}


def _parsed(text: str) -> Rows:
    found: Iterable[dict[str, Any]] = map(json.loads, text.splitlines())
    return {row.pop("case"): row for row in found}
