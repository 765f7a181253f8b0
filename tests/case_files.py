"""The cases of `tests/cases`, which a lawyer reads and writes."""

import re
from pathlib import Path

FOLDER = Path(__file__).parent / "cases"


def pairs(name: str, section: str = "") -> list[tuple[str, str]]:
    """Text and what is read in it, of each line of a file or of one section of it.

    «¶» parts paragraphs and «↵» lines; «nada» is nothing.
    """
    rows = [line.split(" → ") for line in listed(name, section)]
    return [(text, "" if read == "nada" else read) for text, read in rows]


def rows(name: str) -> list[tuple[str, str, str]]:
    """Section, text and what is read in it, of every section of a file."""
    sections = re.findall(r"(?m)^## (.+)$", (FOLDER / f"{name}.md").read_text("utf-8"))
    return [(section, *pair) for section in sections for pair in pairs(name, section)]


def listed(name: str, section: str = "") -> list[str]:
    """The lines of a file or of one section of it."""
    return [lines(line[2:]) for line in part(name, section).splitlines() if line.startswith("- ")]


def lines(text: str) -> str:
    return text.replace("¶", "\n\n").replace("↵", "\n")


def texts(name: str) -> list[tuple[str, str, list[str]]]:
    """Title, text and what is read in it, of each section of a file."""
    found = []
    for case in re.split(r"(?m)^## ", (FOLDER / f"{name}.md").read_text("utf-8"))[1:]:
        title, *rest = case.splitlines()
        first = next(place for place, line in enumerate(rest) if line.startswith("    "))
        read = [line[2:] for line in rest if line.startswith("- ")]
        text = "\n".join(line[4:] for line in rest[first : rest.index(f"- {read[0]}")])
        found.append((title, text.rstrip(), read))
    return found


def passage(name: str, section: str) -> str:
    """The indented text of one section of a file, to the letter."""
    return "\n".join(line[4:] for line in part(name, section).strip("\n").splitlines())


def part(name: str, section: str) -> str:
    whole = (FOLDER / f"{name}.md").read_text("utf-8")
    return re.split(rf"(?m)^## {re.escape(section)}$", whole)[1].partition("\n## ")[0] if section else whole
