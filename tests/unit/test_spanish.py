"""The sentences that people read are Spanish: errors, the help of the command line and its own errors."""

import argparse
import ast
import re
from collections.abc import Iterator
from pkgutil import resolve_name

import pytest

import cli
from commands.parser import Parser
from lab.imports import CODE, tree

ENGLISH = re.compile(
    r"\b(the|an|is|are|was|not|with|without|cannot|there|needs?|must|of|its|has|have|which|found|or|and|to|for)\b"
)
OPTION = re.compile(r"--[\w-]+")
ERRORS = re.compile(
    r"(Error|Unavailable|NotFound|Forbidden|Failure|Refused|Mismatch|Held|Throttled|BadForm)$"
)
INTERNAL = {"ValueError", "TypeError", "RuntimeError", "KeyError", "NotImplementedError", "DraftError"}
SETTINGS = {"service.config", "domain.auth_settings", "core.profile"}
"""Their validators raise ValueError, and its text is part of a ConfigurationError."""


def words_of(node: ast.AST) -> str:
    """The constant parts of a text."""
    parts = (one.value for one in ast.walk(node) if isinstance(one, ast.Constant))
    return " … ".join(part for part in parts if isinstance(part, str))


def sentences(module: str) -> Iterator[str]:
    """Texts of the errors that a module raises for people."""
    for node in ast.walk(tree(CODE[module])):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            name = ast.unparse(node.exc.func).split(".")[-1]
            told = ERRORS.search(name) and (name not in INTERNAL or module in SETTINGS)
            yield from [OPTION.sub("", words_of(node.exc.args[0]))] if told else []


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    if isinstance(parser, Parser):
        parser.complete()
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from parsers(inner)


def test_the_errors_that_people_read_are_spanish():
    told = [(module, text) for module in CODE for text in sentences(module)]
    assert len(told) > 150
    assert [(module, text) for module, text in told if ENGLISH.search(text)] == []


@pytest.mark.parametrize("parser", parsers(cli._parser()), ids=lambda parser: parser.prog)
def test_the_help_of_each_command_is_spanish_and_whole(parser: argparse.ArgumentParser):
    text = OPTION.sub("", parser.format_help())
    assert ENGLISH.search(text) is None, ENGLISH.search(text)
    shown = [one for one in parser._actions if not isinstance(one, argparse._SubParsersAction)]
    assert [one.dest for one in shown if not one.help] == []


def test_every_command_that_is_named_is_there():
    named = set(re.findall(r'"(?:commands\.)?(\w+:\w+)"', CODE["cli"].read_text("utf-8")))
    assert len(named) > 15
    assert [name for name in named if not callable(resolve_name(f"commands.{name}"))] == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "faltan ORDEN"),
        ("cantar", "ORDEN: 'cantar' no vale; elija uno de 'ingest', 'search'"),
        ("search", "faltan BÚSQUEDA"),
        ("search x --limit", "--limit: falta su valor"),
        ("search x --limit mil", "--limit: «mil» no vale; escriba un número de 1 a 100"),
        ("search x --as-of ayer", "--as-of: «ayer» no es una fecha; escríbala como 2019-03-01"),
        ("search x --otra", "sobran --otra"),
        ("search x --mode mágico", "--mode: 'mágico' no vale"),
        ("ingest x --in-force-from 2024-01-01 --correct", "--correct: no puede ir con --in-force-from"),
        ("boe add", "falta uno de ID --list --all"),
        ("boe add --all --list x", "--list: no puede ir con --all"),
        ("users add ana --role jefe", "--role: 'jefe' no vale; elija uno de 'abogado'"),
        ("audit list --limit muchas", "--limit: 'muchas' no es un número"),
    ],
)
def test_wrong_usage_is_told_in_spanish(line: str, told: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        cli._parser().parse_args(line.split())
    printed = capsys.readouterr().err
    assert ended.value.code == 2
    assert printed.startswith("uso:   cli.py") and told in printed.splitlines()[-1]
