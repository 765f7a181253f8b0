"""The documents say what is there: links, modules, commands."""

import argparse
import importlib.util
import re
import shlex
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest

import cli
from lab import map as lab_map
from service.config import Settings
from tests.conftest import ROOT
from web.api.application import api
from web.mcp.tools import TOOLS

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
NAMED = re.compile(r"`(\w+)`\s+(?:of|in)\s+\[[^\]]*\]\(([^)]+)\)")
CODE_BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = "python cli.py"
NAME = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b(?!_?\*)")
SETTINGS = {field.upper() for field in Settings.model_fields}
OTHERS = {"OLLAMA_CONTEXT_LENGTH"}
"""Settings of other programs that the documents name."""
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|home|root|Users)/[\w.-]+|\b[A-Z]:\\Users\\")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def commands() -> list[str]:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = [line.strip() for block in CODE_BLOCK.findall(readme) for line in block.splitlines()]
    return [line.removeprefix("$ ") for line in lines if line.removeprefix("$ ").startswith(COMMAND)]


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("this is no git checkout")
    return [ROOT / line for line in listed.stdout.decode().split("\0") if line]


def test_every_relative_link_leads_to_a_file() -> None:
    broken = []
    for document in DOCUMENTS:
        for target in LINK.findall(document.read_text(encoding="utf-8")):
            path = unquote(target.partition("#")[0])
            if path and not re.match(r"[a-z]+:", path) and not (document.parent / path).exists():
                broken.append((name(document), target))
    assert broken == []


def test_every_name_that_the_guide_gives_is_in_the_file_that_it_links() -> None:
    guide = ROOT / "docs" / "how-to-add.md"
    found = NAMED.findall(guide.read_text(encoding="utf-8"))
    assert len(found) > 15
    texts = {target: (guide.parent / target).read_text(encoding="utf-8") for _, target in found}
    assert [one for one in found if not re.search(rf"\b{one[0]}\b", texts[one[1]])] == []


def test_the_walk_of_a_question_links_every_stage() -> None:
    linked = set(LINK.findall((ROOT / "docs" / "flow.md").read_text(encoding="utf-8")))
    stages = {
        f"../{name(path)}" for path in (ROOT / "rag" / "stages").glob("*.py") if path.stem != "__init__"
    }
    assert stages
    assert stages - linked == set()


def test_the_map_is_drawn_from_the_imports_of_today() -> None:
    assert lab_map.FILE.read_text(encoding="utf-8") == lab_map.document(), "run `make map`"


def test_the_map_is_small_enough_to_be_read() -> None:
    lines = list(lab_map.graph())
    assert 15 < sum("[" in line for line in lines) <= 30
    assert 20 < sum("-->" in line for line in lines) <= 60


def test_the_readme_shows_commands() -> None:
    assert {shlex.split(line, comments=True)[2] for line in commands()} >= {"ask", "search", "ingest"}


@pytest.mark.parametrize("line", commands())
def test_every_command_of_the_readme_is_understood(line: str) -> None:
    arguments = shlex.split(line, comments=True)[2:]
    assert callable(cli._parser().parse_args(arguments).run)


@pytest.mark.parametrize("line", re.findall(r"`python (cli\.py[^`]*)`", DOCUMENTS[0].read_text("utf-8")))
def test_every_command_in_a_sentence_of_the_readme_is_understood(line: str) -> None:
    assert callable(cli._parser().parse_args(shlex.split(line)[1:]).run)


def test_every_module_that_the_documents_run_is_there() -> None:
    texts = [document.read_text(encoding="utf-8") for document in DOCUMENTS]
    modules = {module for text in texts for module in re.findall(r"python -m ([a-z_.]+)", text)}
    assert "lab" in modules
    assert [module for module in modules if importlib.util.find_spec(module) is None] == []


def test_the_documents_name_no_setting_that_does_not_exist() -> None:
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    known = SETTINGS | set(re.findall(r"\$\{([A-Z_]+)", compose))
    texts = [document.read_text(encoding="utf-8") for document in DOCUMENTS]
    named = {setting for text in texts for setting in NAME.findall(text)}
    assert len(named & SETTINGS) > 15
    assert named - known == OTHERS


def test_the_example_environment_has_every_setting_once_and_no_other() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assigned = re.findall(r"^([A-Z_]+)=", example, re.MULTILINE)
    assert sorted(assigned) == sorted(SETTINGS)
    assert set(NAME.findall(example)) - SETTINGS <= OTHERS


def test_the_document_of_the_api_has_every_route_and_no_other() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `([A-Z]+ /[^`]*)` \|", text, re.MULTILINE))
    paths = api().openapi()["paths"]
    assert told == {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}


def test_every_tool_of_the_mcp_server_is_in_its_document() -> None:
    text = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    assert [tool for tool in TOOLS if f"`{tool}`" not in text] == []


def test_every_command_is_in_the_documents() -> None:
    text = "\n".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    parser = cli._parser()
    (group,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    assert len(group.choices) > 15
    assert [name for name in group.choices if not re.search(rf"\b{name}\b", text)] == []


def test_no_tracked_file_names_a_path_of_one_machine() -> None:
    found = {}
    for path in tracked():
        if not path.is_file():
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if path != Path(__file__) and (matches := MACHINE_PATH.findall(text)):
            found[name(path)] = matches[:3]
        if str(ROOT) in text and len(ROOT.parts) > 2:
            found[name(path)] = [str(ROOT)]
    assert found == {}
