"""The XML parts of an office file (XLSX, ODT): checked first, and nothing that they declare is followed."""

import posixpath
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Literal, cast

from lxml import etree

from core.errors import InputError
from loading.formats import archive
from loading.formats.source_file import Source

MAX_TAGS = 3_000_000
"""Tags of a part that is read whole, about a hundred bytes of memory each."""
MAX_STREAMED_TAGS = 10_000_000
DAMAGE = (LookupError, ValueError, AttributeError, ArithmeticError, etree.XMLSyntaxError)
"""Exceptions that a damaged part raises."""
_STRICT = re.compile(r"(?<=\{http://)purl\.oclc\.org/ooxml/(\w+)/")
"""Beginning of a namespace of «Strict Open XML» (ISO/IEC 29500-1), which names the parts alike."""


class _Counted:
    """A stream that refuses more elements than fit into memory.

    Raises:
        InputError: on reading beyond them.
    """

    def __init__(self, stream: IO[bytes], name: str, most: int) -> None:
        self._stream, self._name, self._left = stream, name, most

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._left -= data.count(b"<")
        if self._left < 0:
            raise InputError(f"{self._name}: es demasiado grande para leerlo entero; divídalo en partes.")
        return data


class Package:
    """An office file that is open for reading.

    Attributes:
        bare: leave out the comments and instructions of the XML.
    """

    bare = True

    def __init__(self, package: zipfile.ZipFile, name: str) -> None:
        self._package = package
        self.names = frozenset(package.namelist())
        self.name = name

    def part(self, path: str) -> Any:
        """The XML element of a part, or None if the file has no such part.

        Raises:
            InputError: it declares a document type, or has too many elements.
        """
        if path not in self.names:
            return None
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, remove_comments=self.bare, remove_pis=self.bare
        )
        with self._package.open(path) as stream:
            root = etree.parse(cast(IO[bytes], _Counted(stream, self.name, MAX_TAGS)), parser).getroot()
        self._check(root)
        if _STRICT.match(root.tag, 1 + len("http://")):
            _rename(root)
        return root

    def events(self, path: str, *tags: str) -> Iterator[tuple[Literal["start", "end"], Any]]:
        """('start' | 'end', element) of those tags in a part, which is never whole in memory.

        Raises:
            InputError: it declares a document type, or has too many elements.
        """
        with self._package.open(path) as stream:
            found = etree.iterparse(
                _Counted(stream, self.name, MAX_STREAMED_TAGS),
                events=("start", "end"),
                tag=tags,
                no_network=True,
                resolve_entities=False,
                remove_comments=True,
            )
            checked = False
            for event, element in found:
                if not checked:
                    self._check(element)
                    checked = True
                if event == "start":
                    yield "start", element
                    continue
                yield "end", element
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]

    def relations(self, path: str) -> dict[str, tuple[str, str]]:
        """Id of each relation of a part to (last word of its type, path of the other part)."""
        folder, file = posixpath.split(path)
        root = self.part(f"{folder}/_rels/{file}.rels")
        return {
            one.get("Id", ""): (
                one.get("Type", "").rpartition("/")[2],
                posixpath.normpath(posixpath.join("/", folder, one.get("Target", ""))).lstrip("/"),
            )
            for one in (root if root is not None else ())
            if one.get("TargetMode") != "External"
        }

    def _check(self, element: Any) -> None:
        if element.getroottree().docinfo.doctype:
            raise InputError(
                f"{self.name}: contiene declaraciones XML no admitidas; guárdelo otra vez en su programa."
            )


@contextmanager
def opened(source: Source, program: str) -> Iterator[Package]:
    """The checked file; whatever fails while it is read is told as damage.

    Args:
        program: the one that its owner opens it with, for the sentence.

    Raises:
        InputError: it is damaged, protected or a bomb.
    """
    with archive.opened(source.data, source.name) as package:
        try:
            yield Package(package, source.name)
        except (*DAMAGE, RecursionError) as error:
            raise InputError(
                f"{source.name}: el archivo está dañado; ábralo en {program}, guárdelo y súbalo otra vez."
            ) from error


def _rename(root: Any) -> None:
    """Give the elements and attributes of a strict part the names that programs save by default."""
    for element in root.iter("*"):
        element.tag = _STRICT.sub(r"schemas.openxmlformats.org/\1/2006/", element.tag)
        for name, value in element.items():
            del element.attrib[name]
            element.set(_STRICT.sub(r"schemas.openxmlformats.org/\1/2006/", name), value)


def local(element: Any) -> str:
    """The name of an element or of an attribute without its namespace."""
    return str(getattr(element, "tag", element)).rpartition("}")[2]


def attribute(element: Any, name: str) -> str:
    """The value of the first attribute of that name, whatever its namespace; '' without one."""
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def whole_number(text: str | None, otherwise: int) -> int:
    """A whole number of at most seven digits; `otherwise` for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 8 else otherwise
