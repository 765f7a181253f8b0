"""A DOCX with comments put into its margin, and nothing else of it changed.

ISO/IEC 29500-1, 17.13.4 (comments). Their marks stand between runs, so that a run is divided where one begins
or ends within it. Word takes none in notes and text boxes: those stand at the note's mark and around the box.
"""

import copy
import textwrap
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import InputError
from loading.formats import archive, office_xml
from loading.formats.assemble import BETWEEN
from loading.formats.comment_part import CommentPart, Kept
from loading.formats.docx import MAIN, brief_paragraphs
from loading.formats.source_file import Source, format_of, read_source
from loading.formats.word_numbers import W
from loading.formats.word_places import Letter, Places
from loading.formats.word_text import BOX, NOTE_MARKS
from text.legible import legible

NOT_WORD = "{name}: solo un documento de Word (.docx) se puede devolver con comentarios; guárdelo así."
SIGNED = "{name}: lleva una firma digital, que dejaría de valer; suba una copia sin firmar."
MACROS = "{name}: lleva macros; guárdelo en Word como documento sin macros (.docx) y súbalo otra vez."
STRICT = "{name}: está guardado como «Open XML estricto»; guárdelo como «Documento de Word (.docx)»."
UNPLACED = "{name}: las citas no se pueden situar en el documento; use el informe en Word."
IN_NOTE, IN_BOX = "En la nota de esta llamada, «{words}»: ", "En este cuadro de texto, «{words}»: "
MOST_WORDS = 120
_BESIDE = frozenset(
    f"{W}{name}"
    for name in ("p", "hyperlink", "ins", "moveTo", "smartTag", "sdtContent", "fldSimple", "customXml", "bdo")
)
"""Elements whose runs may have marks between them."""
_RUN, _TEXT, _SPACE = f"{W}r", f"{W}t", "{http://www.w3.org/XML/1998/namespace}space"
_NOTES = {f"{W}footnote": "pie", f"{W}endnote": "final"}
_AFTER = 1 << 30


class Comment(NamedTuple):
    """A comment on a stretch of the text of a brief, as `load` gives it."""

    start: int
    end: int
    text: str


class _Point(NamedTuple):
    """A letter of an element of the body, or the whole element that stands for it.

    Attributes:
        told: words for where the letter is, if Word takes no comment there.
    """

    element: Any
    start: int = 0
    end: int = _AFTER
    told: str = ""


def write(path: Path, name: str, comments: Sequence[Comment], into: Path) -> None:
    """Write a copy of a DOCX with these comments to `into`.

    Raises:
        InputError: it is none, damaged, signed or with macros.
    """
    source = read_source(path, name)
    if format_of(source) != "docx":
        raise InputError(NOT_WORD.format(name=name))
    with office_xml.opened(source, "Word") as plain:
        package = Kept(plain)
        _refuse(package)
        text = legible(BETWEEN.join(brief_paragraphs(plain))).text
        changed = _commented(package, text, sorted(comments)) if comments else {}
    _copy(source, changed, into)


def _refuse(package: Kept) -> None:
    if any(one.startswith("_xmlsignatures/") for one in package.names):
        raise InputError(SIGNED.format(name=package.name))
    if any(one.lower().endswith("vbaproject.bin") for one in package.names):
        raise InputError(MACROS.format(name=package.name))
    if any("purl.oclc.org" in str(space) for space in package.part(MAIN).nsmap.values()):
        raise InputError(STRICT.format(name=package.name))


def _copy(source: Source, changed: dict[str, bytes], into: Path) -> None:
    """Write the package with some parts changed or added; the others as they are, in their order."""
    with archive.opened(source.data, source.name) as old, zipfile.ZipFile(into, "w") as new:
        if len(set(old.namelist())) < len(old.namelist()):
            raise zipfile.BadZipFile
        for entry in old.infolist():
            one = zipfile.ZipInfo(entry.filename, entry.date_time)
            one.compress_type = zipfile.ZIP_STORED if entry.is_dir() else zipfile.ZIP_DEFLATED
            one.external_attr = entry.external_attr
            data = changed.pop(entry.filename, None)
            new.writestr(one, old.read(entry) if data is None else data)
        for path, data in changed.items():
            new.writestr(path, data, zipfile.ZIP_DEFLATED)


def _commented(package: Kept, text: str, comments: Sequence[Comment]) -> dict[str, bytes]:
    """The parts that the comments change, by their path."""
    margin, part = _Margin(package, text), CommentPart(package)
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    marks: list[tuple[int, int, bool, int, Any]] = []
    for number, comment in enumerate(comments, part.first):
        start, end = margin.points(comment)
        words = textwrap.shorten(text[comment.start : comment.end], MOST_WORDS, placeholder=" […]")
        part.add(number, now, start.told.format(words=words) + comment.text)
        marks.append((margin.order[start.element], start.start, True, number, start.element))
        marks.append((margin.order[end.element], end.end, False, number, end.element))
    # From the last one on: what stands before a mark keeps its place.
    for _, offset, begins, number, element in sorted(marks, key=lambda one: one[:4], reverse=True):
        parent, at = _gap(element, offset)
        for mark in reversed(_marks(parent, begins, number)):
            parent.insert(at, mark)
    return part.written(MAIN)


def _marks(parent: Any, begins: bool, number: int) -> list[Any]:
    name = {f"{W}id": str(number)}
    if begins:
        return [parent.makeelement(f"{W}commentRangeStart", name)]
    run = parent.makeelement(_RUN)
    run.append(parent.makeelement(f"{W}commentReference", name))
    return [parent.makeelement(f"{W}commentRangeEnd", name), run]


class _Margin:
    """Points of a document's body for stretches of its text.

    Attributes:
        order: of the elements of the body.
    """

    def __init__(self, package: Kept, text: str) -> None:
        self._name = package.name
        self._body = package.part(MAIN)
        self._places = Places()
        self._marked = brief_paragraphs(package, self._places)
        self._said = text.split(BETWEEN)
        self._starts = [0, *accumulate(len(one) + len(BETWEEN) for one in self._said)]
        self._read: dict[int, list[tuple[int, Letter]]] = {}
        every = list(self._body.iter())
        self.order = {one: at for at, one in enumerate(every)}
        self._notes = {
            (NOTE_MARKS[one.tag], one.get(f"{W}id")): one for one in every if one.tag in NOTE_MARKS
        }
        if len(self._said) != len(self._marked):
            raise InputError(UNPLACED.format(name=self._name))

    def points(self, comment: Comment) -> tuple[_Point, _Point]:
        """Where a comment begins and ends; one over several cells of a table ends in its first."""
        first, last = (bisect_right(self._starts, at) - 1 for at in (comment.start, comment.end - 1))
        near = [self._letters(number) for number in range(first, last + 1)]
        found = [one for letters in near for _, one in _between(letters, comment.start, comment.end)]
        found = found or [one for letters in near for _, one in letters]
        if not found:
            raise InputError(UNPLACED.format(name=self._name))
        start = self._point(found[0])
        cell, order = _cell(start.element), self.order[start.element]
        ends = (self._point(one) for one in reversed(found))
        end = next(one for one in ends if _cell(one.element) is cell and self.order[one.element] >= order)
        return start, _past_control(end)

    def _letters(self, number: int) -> list[tuple[int, Letter]]:
        """The letters of a paragraph that have an element, each with its offset in the text.

        The offset is -1 where the text was read in another way: all of the paragraph is meant then.
        """
        if number not in self._read:
            letters = [one for one in self._places.letters(self._marked[number]) if _seen(one.sign)]
            spots = [at for at, sign in enumerate(self._said[number], self._starts[number]) if sign.strip()]
            signs = "".join(self._said[number].split())
            # Letters of other alphabets are read as the Latin ones that they look like.
            same = len(signs) == len(letters) and all(
                one.sign == sign or not one.sign.isascii() for one, sign in zip(letters, signs, strict=True)
            )
            spots = spots if same else [-1] * len(letters)
            pairs = zip(spots, letters, strict=True)
            self._read[number] = [(at, one) for at, one in pairs if one.element is not None]
        return self._read[number]

    def _point(self, letter: Letter) -> _Point:
        """The place of a letter; of one in a note or a text box, that of the note's mark or of the box."""
        element, told = letter.element, ""
        note = next(element.iterancestors(*_NOTES), None)
        if note is not None:
            element, told = self._notes.get((_NOTES[note.tag], note.get(f"{W}id"))), IN_NOTE
        for box in element.iterancestors(BOX) if element is not None else ():
            element, told = box, told or IN_BOX
        while element is not None:
            parent = element.getparent()
            if parent is not None and parent.tag in _BESIDE:
                break
            if parent is not None and parent.tag == _RUN and parent.getparent().tag in _BESIDE:
                break
            element = parent
        if element is None or element not in self.order:
            raise InputError(UNPLACED.format(name=self._name))
        return (
            _Point(element, letter.start, letter.end)
            if element is letter.element
            else _Point(element, told=told)
        )


def _between(letters: list[tuple[int, Letter]], start: int, end: int) -> list[tuple[int, Letter]]:
    """Those of a paragraph from one offset of the text to another; all, if their offsets are not known."""
    if letters and letters[0][0] < 0:
        return letters
    first, last = (bisect_left(letters, at, key=itemgetter(0)) for at in (start, end))
    return letters[first:last]


def _past_control(point: _Point) -> _Point:
    """The beginning of the paragraph after a content control of whole paragraphs, for the end of a comment.

    LibreOffice (7.4) drops the text before a comment that ends inside of one.
    """
    control = next(reversed([*point.element.iterancestors(f"{W}sdt")]), None)
    after = None if control is None or control.getparent().tag == f"{W}p" else control.getnext()
    if after is None or after.tag != f"{W}p" or not len(after):
        return point
    return _Point(after[0], end=int(after[0].tag == f"{W}pPr"))


def _cell(element: Any) -> Any:
    return next(element.iterancestors(f"{W}tc"), None)


def _seen(sign: str) -> bool:
    return sign.isascii() or bool(legible(sign).text.strip())


def _gap(element: Any, offset: int) -> tuple[Any, int]:
    """The parent and the place in it of an offset in an element; the run is divided if it is within one."""
    run = element.getparent()
    if run.tag != _RUN:
        return run, run.index(element) + (offset > 0)
    text, after = element.text or "", list(element.itersiblings())
    if element.tag == _TEXT and not len(element) and 0 < offset < len(text):
        rest = copy.copy(element)
        element.text, element.tail, rest.text = text[:offset], None, text[offset:]
        for part in (element, rest):
            part.set(_SPACE, "preserve")
        after = [rest, *after]
    elif not offset:
        after = [element, *after]
    parent, at = run.getparent(), run.getparent().index(run)
    if not offset and all(one.tag == f"{W}rPr" for one in element.itersiblings(preceding=True)):
        return parent, at
    if after:
        more = parent.makeelement(run.tag, dict(run.attrib))
        more.tail, run.tail = run.tail, None
        properties = run.find(f"{W}rPr")
        more.extend([*([copy.deepcopy(properties)] if properties is not None else []), *after])
        parent.insert(at + 1, more)
    return parent, at + 1
