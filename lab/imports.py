"""Modules of the program and their imports, read off the syntax tree: no import has to run."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


def module_name(path: Path) -> str:
    """'loading.boe.boe_client'; a package is named by its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sources(*names: str) -> dict[str, Path]:
    """The Python files of these folders and files of the repository, by module name."""
    found: list[Path] = []
    for name in names:
        path = ROOT / name
        found += [path] if path.is_file() else sorted(path.rglob("*.py"))
    return {module_name(path): path for path in found}


CODE = sources(
    "app.py", "articulado", "calculations", "casework", "cli.py", "commands", "core", "domain", "index",
    "law", "lexicon", "loading", "masking", "models", "pages", "rag", "service", "storage", "text", "web",
    "worker.py",
)  # fmt: skip


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def imported(path: Path) -> frozenset[str]:
    """Names of modules that a file imports, members of packages among them as `package.member`."""
    names: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level, f"{path}: a relative import"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            names.update(inner if inner <= CODE.keys() else {node.module} | (inner & CODE.keys()))
    return frozenset(names)


def is_marker(path: Path) -> bool:
    """True for a package's file that holds a docstring and nothing else."""
    return path.name == "__init__.py" and len(tree(path).body) <= 1


HOUSED = {name: path for name, path in CODE.items() if not is_marker(path)}
"""Modules that hold code."""
