"""Word templates of the firm: examined, then kept in a folder of the home, which backups take along.

A template is data: nothing that Word would run, fetch or ask another program for is let in, and it is read in
the confined process of loads before the program opens it itself.
"""

import re
import tempfile
from pathlib import Path
from uuid import uuid4

from core.errors import InputError, NotFound
from law.norms import BRIEF
from loading.parsing.file_reader import reader_of
from loading.parsing.limits import Limits
from service.contract.citations import Reading
from service.opinions.opinion import TITLES, PartName
from service.opinions.placeholders import STATE, TITLE, WORDS, problems
from service.opinions.template_check import SUFFIX, examined
from text.textnorm import visible

FOLDER = "letterheads"
MOST, LONGEST_NAME = 20, 60
TOO_MANY = "Ya hay {most} plantillas, que es lo más que se guarda: quite antes alguna."
NO_NAME = "El nombre del archivo no tiene letras ni números: cámbielo y súbalo otra vez."
GONE = "Esa plantilla ya no está: vuelva a abrir la página."


def names(home: Path) -> list[str]:
    """The names of the templates, in alphabetical order."""
    return sorted(path.stem for path in (home / FOLDER).glob(f"*{SUFFIX}") if not path.name.startswith("."))


def content(home: Path, name: str) -> bytes:
    """A template. Raises NotFound."""
    if name not in names(home):
        raise NotFound(GONE)
    try:
        return (home / FOLDER / f"{name}{SUFFIX}").read_bytes()
    except OSError as error:
        raise NotFound(GONE) from error


def add(home: Path, settings: Reading, name: str, contents: bytes) -> str:
    """Keep a template under the name of its file; one of that name is replaced. Its name here.

    Raises:
        InputError: it is no template that can be used; the sentence says why.
    """
    told = " ".join(visible(Path(name).name).split())
    stem = re.sub(r"[^\w .()-]", "", Path(told).stem).strip(" .")[:LONGEST_NAME].strip(" .")
    if not any(map(str.isalnum, stem)):
        raise InputError(NO_NAME)
    _examine(settings, told, contents)
    known = names(home)
    if stem not in known and len(known) >= MOST:
        raise InputError(TOO_MANY.format(most=MOST))
    folder = home / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    draft = folder / f".{uuid4().hex}"
    draft.write_bytes(contents)
    draft.replace(folder / f"{stem}{SUFFIX}")
    return stem


def remove(home: Path, name: str) -> None:
    """Remove a template. Raises NotFound."""
    content(home, name)
    (home / FOLDER / f"{name}{SUFFIX}").unlink(missing_ok=True)


def _examine(settings: Reading, name: str, contents: bytes) -> None:
    examined(name, contents)
    with tempfile.TemporaryDirectory(prefix="articulado-") as folder:
        path = Path(folder) / f"plantilla{SUFFIX}"
        path.write_bytes(contents)
        reader_of(Limits(settings.parse_seconds, settings.parse_memory_mb)).load(path, BRIEF, name)
    if told := problems(contents):
        raise InputError(f"{name}: {told}")


def example() -> bytes:
    """A template to begin with: every placeholder in its place."""
    from service.opinions.word import Writer

    writer = Writer(WORDS.format(name=TITLE))
    writer.line(WORDS.format(name=STATE))
    for name in PartName:
        writer.heading(TITLES[name])
        writer.line(WORDS.format(name=name.value))
    return writer.saved()
