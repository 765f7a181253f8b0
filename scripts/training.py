"""The labelled questions of `data/training`, which teach what `scripts` learn; no evaluation set is there."""

import json
from collections.abc import Iterator
from typing import Any

from service.config import ROOT


def entries(name: str) -> Iterator[dict[str, Any]]:
    """The entries of one file, by its name without the ending."""
    return map(json.loads, (ROOT / "data" / "training" / f"{name}.jsonl").read_text("utf-8").splitlines())
