"""The doors of the program as somebody outside sees them: HTTP, MCP, command line, and whom each lets in."""

import argparse
import asyncio
import io
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import cli
from core.clock import today_in_spain
from domain.accounts import GRANTS, SCOPES, Identity, Role, Scope
from service import config
from service.program.assembly import App
from tests.api_app import Api, api_over
from tests.frozen.row_files import Row, Rows, fingerprint
from tests.homes import lay_demo, new_program
from tests.mcp_app import inside
from web.api.application import api
from web.base import access

LONG = 140
"""Characters of a text that is shown; a hash stands for a longer one."""
DAY = "2026-06-01"
VACATIONS = "¿Cuántos días de vacaciones me corresponden al año?"
ARTICLE = "art. 38 ET"
TOOL = "<tool_lexical_search><query>vacaciones anuales</query><top_k>2</top_k></tool_lexical_search>"
BRIEF = "El art. 38 del Estatuto de los Trabajadores y el artículo 400 ET, la STC 118/2019 y la Ley 1/2099."
RELEVANT = {"norm": "BOE-A-2015-11430", "article": "38", "grade": 2}
CASES = [{"id": "a", "question": VACATIONS, "relevant": [RELEVANT], "as_of": DAY}]
TEMPLATE = "preaviso-dimision"
FACTS = {"nombre": "Filomena Zurrutúa", "fecha": DAY, "efectos": "10/06/2026", "dias": "15"}
SEVERANCE = {"causa": "improcedente", "inicio": "2015-01-01", "fin": "2019-12-31", "salario": "36500"}
AS_A_MODEL = {"calculator": "indemnizacion", "data": "; ".join(f"{k}: {v}" for k, v in SEVERANCE.items())}
CITATION = {
    "quote": "treinta días naturales",
    "source": "ET",
    "marker": "C1",
    "norm_id": "demo-et",
    "block_id": "a38",
    "article": "38",
    "valid_from": "2015-10-24",
}
STORED = {"answer": "Son «treinta días naturales» [C1].", "citations": [CITATION], "as_of": DAY}
CHANGING = re.compile(
    r"elapsed|execution_time|started|trace|made_at|answered_at|provenance|sha256|revision|conversation"
    r"|request_id|^content$|^file$|^id$|^head$"
)
"""Names of values that differ from one run to the next."""


class Operation(NamedTuple):
    """One request of each door that has it: a method, a path and its values; a tool; a command."""

    http: tuple[str, str, Mapping[str, Any]] | None = None
    mcp: tuple[str, Mapping[str, Any]] | None = None
    command: tuple[str, ...] = ()


def _day(**values: Any) -> dict[str, Any]:
    return {**values, "as_of": DAY}


OPERATIONS = {
    "search": Operation(
        ("GET", "/search", _day(query="vacaciones anuales", limit=3)),
        ("search", _day(query="vacaciones anuales", limit=3)),
        ("search", "vacaciones anuales", "--limit", "3", "--as-of", DAY),
    ),
    "search by words in a collection": Operation(
        ("GET", "/search", _day(query="baja", mode="lexical", limit=3, collection="sentencias")),
        ("search", _day(query="baja", mode="lexical", limit=3, collection="sentencias")),
        ("search", "baja", "--mode", "lexical", "--limit", "3", "--collection", "sentencias", "--as-of", DAY),
    ),
    "ask": Operation(
        ("POST", "/ask", _day(question=VACATIONS)),
        ("ask", _day(question=VACATIONS)),
        ("ask", VACATIONS, "--as-of", DAY),
    ),
    "ask what cannot be answered": Operation(
        ("POST", "/ask", _day(question="¿Qué tiempo hará mañana?")),
        ("ask", _day(question="¿Qué tiempo hará mañana?")),
        ("ask", "¿Qué tiempo hará mañana?", "--as-of", DAY),
    ),
    "norms": Operation(("GET", "/norms", {"limit": 3})),
    "norm": Operation(("GET", "/norms/demo-et", {})),
    "no such norm": Operation(("GET", "/norms/BOE-A-1900-1", {})),
    "article": Operation(("GET", "/articles", _day(reference=ARTICLE)), ("article", _day(reference=ARTICLE))),
    "no such article": Operation(
        ("GET", "/articles", _day(reference="art. 400 ET")), ("article", _day(reference="art. 400 ET"))
    ),
    "article by label": Operation(("GET", "/norms/demo-et/articles/38", _day())),
    "diff": Operation(
        ("GET", "/diff", {"article": ARTICLE, "to": DAY}),
        ("diff", {"article": ARTICLE, "to": DAY}),
        ("diff", ARTICLE, "--to", DAY),
    ),
    "news": Operation(("GET", "/news", {}), None, ("news",)),
    "verify": Operation(("POST", "/verify", STORED), ("verify", STORED), ("verify", "{stored}")),
    "citations": Operation(
        ("POST", "/citations", _day(text=BRIEF)),
        ("check_citations", _day(text=BRIEF)),
        ("citations", "{brief}", "--date", DAY),
    ),
    "certificate": Operation(
        ("POST", "/certificates/verify", {"certificate": "{}", "text": ""}),
        ("verify_certificate", {"certificate": "{}", "text": ""}),
        ("certificate", "verify", "{empty}"),
    ),
    "tool": Operation(
        ("POST", "/tool", _day(calls=TOOL)),
        ("tool_lexical_search", _day(query="vacaciones anuales", top_k=2)),
        ("tool", TOOL, "--as-of", DAY),
    ),
    "calculation": Operation(
        ("POST", "/calculations/indemnizacion", {"data": SEVERANCE}),
        ("tool_calculation", AS_A_MODEL),
        ("calculate", "indemnizacion", *(f"{name}={value}" for name, value in SEVERANCE.items())),
    ),
    "calculation without its data": Operation(
        ("POST", "/calculations/indemnizacion", {"data": {}}), None, ("calculate", "indemnizacion")
    ),
    "templates": Operation(("GET", "/templates", {}), ("templates", {}), ("template", "list")),
    "template": Operation(
        ("GET", f"/templates/{TEMPLATE}", {}),
        ("template", {"name": TEMPLATE}),
        ("template", "show", TEMPLATE),
    ),
    "fill": Operation(
        ("POST", f"/templates/{TEMPLATE}", {"data": FACTS}),
        ("fill_template", {"name": TEMPLATE, "data": FACTS}),
    ),
    "evaluate": Operation(("POST", "/evaluate", {"cases": CASES}), None, ("evaluate", "{cases}")),
    "answers of no conversation": Operation(("GET", "/conversations/none/answers", {})),
    "opinion of no conversation": Operation(
        ("POST", "/opinions", {"conversation": "none"}), None, ("opinion", "none")
    ),
    "health": Operation(("GET", "/health", {})),
    "doctor": Operation(command=("doctor",)),
    "audit": Operation(command=("audit", "verify")),
    "usage": Operation(command=("usage", "--since", DAY, "--until", DAY)),
    "boe": Operation(command=("boe", "list")),
    "wrong value": Operation(
        ("GET", "/search", {"query": "x", "limit": 0}),
        ("search", {"query": "x", "limit": 0}),
        ("search", "x", "--limit", "0"),
    ),
    "empty": Operation(("POST", "/ask", {"question": " "}), ("ask", {"question": " "}), ("ask", " ")),
}


# Documents


def documents(folder: Path) -> Rows:
    """Documents of each operation over the demo corpus, from each door that has it."""
    lay_demo(folder / "home")
    program = new_program(folder / "home")
    try:
        with api_over(program) as served:
            found = {name: _asked(served, one) for name, one in OPERATIONS.items() if one.http}
        called = asyncio.run(_called(program))
    finally:
        program.close()
    rows: Rows = {f"{name} · http": one for name, one in found.items()}
    for door, others in (("mcp", called), ("command", _typed(folder))):
        for name, one in others.items():
            same = name in found and one["document"] == found[name]["document"]
            rows[f"{name} · {door}"] = {**one, "document": "as http"} if same else one
    return rows


def _asked(served: Api, one: Operation) -> Row:
    assert one.http
    method, path, values = one.http
    given = {"params": values} if method == "GET" else {"json": values}
    reply = served(method, path, headers={"accept": "application/json"}, **given)
    return {"status": reply.status_code, "document": readable(reply.json())}


async def _called(program: App) -> Rows:
    async with inside(program) as client:
        asked = {name: one.mcp for name, one in OPERATIONS.items() if one.mcp}
        results = {name: await client.call_tool(*one) for name, one in asked.items()}
    return {
        name: {
            "document": readable(one.structured_content),
            "error": [content.text for content in one.content] if one.is_error else [],
        }
        for name, one in results.items()
    }


def _typed(folder: Path) -> Rows:
    files = {"stored": STORED, "empty": {}, "cases": CASES[0], "brief": BRIEF}
    for name, value in files.items():
        text = value if isinstance(value, str) else json.dumps(value)
        (folder / f"{name}.txt").write_text(text, "utf-8")
    with _at(folder / "home"):
        return {
            name: _command([re.sub(r"^{(\w+)}$", rf"{folder}/\1.txt", word) for word in one.command])
            for name, one in OPERATIONS.items()
            if one.command
        }


def _command(words: list[str]) -> Row:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code: Any = cli.main([*words, "--json"])
        except SystemExit as ended:
            code = ended.code
    try:
        document = readable(json.loads(out.getvalue()))
    except ValueError:
        document = out.getvalue()
    # The usage before an error is folded to the width of the terminal.
    return {"code": code, "document": document, "error": err.getvalue().rstrip().rpartition("\n")[2]}


@contextmanager
def _at(home: Path) -> Iterator[None]:
    """The command line over this home and no other settings."""
    names = {name.upper() for name in config.Settings.model_fields}
    kept = {name: os.environ.pop(name) for name in names & os.environ.keys()}
    os.environ |= {"ARTICULADO_HOME": str(home), "EMBEDDINGS_PROVIDER": "none"}
    config.settings.cache_clear()
    try:
        yield
    finally:
        del os.environ["ARTICULADO_HOME"], os.environ["EMBEDDINGS_PROVIDER"]
        os.environ |= kept
        config.settings.cache_clear()


def readable(value: Any) -> Any:
    """A document without what differs from run to run; a hash stands for each long text."""
    if isinstance(value, dict):
        return {key: readable(one) for key, one in value.items() if not CHANGING.search(key)}
    if isinstance(value, list | tuple):
        return [readable(one) for one in value]
    if isinstance(value, str):
        return "today" if value == f"{today_in_spain()}" else shortened(value)
    return round(value, 6) if isinstance(value, float) else value


def shortened(text: str) -> str:
    """The text, or the hash of a long one."""
    return f"#{fingerprint(text)}" if len(text) > LONG else text


# Descriptions


def openapi() -> Rows:
    """Each operation of the HTTP API, and each schema that they name."""
    found = api().openapi()
    rows: Rows = {
        f"{method.upper()} {path}": {"operation": one}
        for path, methods in found["paths"].items()
        for method, one in methods.items()
    }
    return rows | {f"schema {name}": {"schema": one} for name, one in found["components"]["schemas"].items()}


def mcp(folder: Path) -> Rows:
    """Each tool, resource and prompt of the MCP server, as a client is told of it."""
    program = new_program(folder / "home")
    try:
        return asyncio.run(_listed(program))
    finally:
        program.close()


async def _listed(program: App) -> Rows:
    async with inside(program) as client:
        tools = (await client.list_tools()).tools
        templates = (await client.list_resource_templates()).resource_templates
        instructions = client.instructions
    rows: Rows = {"instructions": {"text": instructions}}
    for kind, ones in (("tool", tools), ("resource", templates)):
        rows |= {f"{kind} {one.name}": one.model_dump(mode="json", exclude_none=True) for one in ones}
    for row in rows.values():
        if "output_schema" in row:
            row["output_schema"] = fingerprint(row["output_schema"])  # type: ignore[index]
    return rows


def commands() -> Rows:
    """Each command of the command line with its arguments."""
    return dict(_commands("cli.py", cli._parser()))


def _commands(name: str, parser: Any) -> Iterator[tuple[str, Row]]:
    if hasattr(parser, "complete"):
        parser.complete()
    own = [one for one in parser._actions if not isinstance(one, argparse._SubParsersAction)]
    yield name, {"about": parser.description, "arguments": [_argument(one) for one in own]}
    for group in parser._actions:
        if isinstance(group, argparse._SubParsersAction):
            for word, below in group.choices.items():
                yield from _commands(f"{name} {word}", below)


def _argument(one: argparse.Action) -> str:
    words = " ".join(one.option_strings) or one.dest
    choices = f" of {sorted(map(str, one.choices))}" if one.choices else ""
    default = "" if one.default in (None, False, argparse.SUPPRESS) else f" = {one.default}"
    needed = " (required)" if one.required else ""
    return f"{words} {one.nargs or ''}{choices}{default}{needed}: {one.help or ''}".strip()


# Guards


def guards(folder: Path) -> Rows:
    """Whom each address and each operation lets in, and the entries that the audit log keeps of it."""
    people = {role.value: _person(role) for role in Role}
    paths = [*access.PAGES, *access.MEMBERS, *access.OPEN, access.PASSWORD, access.STREAM, "/no-existe"]
    rows: Rows = {
        f"page {path}": {
            "open": path in access.OPEN,
            **{name: access.verdict(path, "GET", one).value for name, one in people.items()},
            "must change": access.verdict(path, "GET", _person(*Role, must_change=True)).value,
            "websocket": access.verdict(path, "WEBSOCKET", _person(*Role)).value,
        }
        for path in sorted(set(paths))
    }
    rows |= {f"role {role.value}": {"may": sorted(GRANTS[role])} for role in Role}
    rows |= {f"scope {scope.value}": {"may": sorted(SCOPES[scope])} for scope in Scope}
    return rows | _operations(folder)


def _person(*roles: Role, **more: Any) -> Identity:
    return Identity(id="x", username="x", name="X", roles=roles, **more)


def _operations(folder: Path) -> Rows:
    """The status of each operation of the API by scope of the token, and its audit entries."""
    program = new_program(folder / "guarded", auth_mode="local")
    rows: Rows = {}
    try:
        with api_over(program) as served:
            who = served.person("ana", *Role)
            tokens = {"none": "", **{scope.value: served.token(who, scope) for scope in Scope}}
            for name, one in OPERATIONS.items():
                if one.http and one.http[1] != "/health":
                    rows[f"operation {name}"] = _of_scopes(served, one.http, tokens)
    finally:
        program.close()
    return rows


def _of_scopes(served: Api, request: tuple[str, str, Mapping[str, Any]], tokens: Mapping[str, str]) -> Row:
    method, path, values = request
    given = {"params": values} if method == "GET" else {"json": values}
    before = len(served.program.audit.log.entries())
    status = {name: served(method, path, token, **given).status_code for name, token in tokens.items()}
    entries = served.program.audit.log.entries()
    made = reversed(entries[: len(entries) - before])
    logged = [" ".join([one.action.value, _named(one.target), *sorted(one.detail)]) for one in made]
    return {"status": status, "logged": logged}


def _named(target: str) -> str:
    """A target, unless its name is made anew each time."""
    return re.sub(r"^[0-9a-f]{32}$", "…", target)
