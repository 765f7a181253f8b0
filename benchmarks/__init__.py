"""Measurements of speed; nothing else in the repository asserts a time. See README.md."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import bootstrap
from config import Settings

ROOT = Path(__file__).resolve().parents[1]
DEMO = bootstrap.DEMO
BOE = ROOT.parent / "shared" / "boe"


def build(home: Path, **values: Any) -> bootstrap.App:
    """A program on a home of its own, with no other setting than `values`."""
    for name in Settings.model_fields:
        os.environ.pop(name.upper(), None)
    return bootstrap.build(Settings(_env_file=None, articulado_home=home, **values))
