"""Do settings, database and index agree?"""

from __future__ import annotations

from typing import Any

from rag.errors import ArticuladoError
from rag.index_types import Fingerprint
from rag.ports import CorpusStore, VectorIndex


def examine(
    store: CorpusStore, index: VectorIndex, fingerprint: Fingerprint, embedder_problem: str
) -> dict[str, Any]:
    """The findings: `{"healthy": bool, "checks": [{"name", "ok", "detail"}]}`; details in Spanish.

    A missing embedder is a degraded mode, told but not unhealthy; an index that differs is.
    """
    stored = store.ids()
    norms = store.norms()
    checks = [
        _check("base de datos", True, f"{len(norms)} normas, {len(stored)} fragmentos"),
        _check("modelo de vectores", True, embedder_problem or fingerprint.embedding),
    ]
    try:
        index.open(fingerprint)
        held = index.ids()
    except ArticuladoError as error:
        checks.append(_check("índice", False, str(error)))
    else:
        detail = f"{len(held)} puntos; faltan {len(stored - held)}, sobran {len(held - stored)}"
        checks.append(_check("índice", held == stored, detail))
        if not embedder_problem:
            pending = len(store.pending_index(dense=True, limit=1))
            checks.append(_check("vectores", not pending, "faltan por calcular" if pending else "completos"))
    return {"healthy": all(check["ok"] for check in checks), "checks": checks}


def _check(name: str, ok: bool, detail: str) -> dict[str, Any]:
    return {"name": name, "ok": ok, "detail": detail}
