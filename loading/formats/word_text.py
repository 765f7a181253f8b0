"""Text of the XML of a DOCX: with insertions, notes and text boxes, without what is deleted or hidden.

ISO/IEC 29500-1, 17.13.5 (tracked changes), 17.11 (notes). A note follows the paragraph that refers to it as a
paragraph of its own, so that the words before and after the mark stay together.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from loading.formats.word_numbers import W
from loading.formats.word_places import Places, unmarked

_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_DELETED = {f"{W}del", f"{W}moveFrom"}
_INSERTED = {f"{W}ins", f"{W}moveTo"}
_ALWAYS = {f"{W}tab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
_SYMBOL = f"{W}sym"
_WRITTEN = {f"{W}t", _MATH, _SYMBOL, *_ALWAYS}
NOTE_MARKS = {f"{W}footnoteReference": "pie", f"{W}endnoteReference": "final"}
_SYMBOL_FONT = re.compile(r"(?:symbol|wingdings|webdings|zapf ?dingbats)\b", re.IGNORECASE)
BOX = f"{W}txbxContent"
NOTES = ("Nota al pie ", "Nota final ")
NOTE = {"pie": "Nota al pie {number}: {text}", "final": "Nota final {number}: {text}"}

SHORT = 400

CHANGES = (
    "El documento tiene cambios sin aceptar: se ha leído como si se aceptaran todos, con lo insertado y sin "
    "lo borrado. Compruebe que es el texto que quiere cargar."
)
HIDDEN = "El documento tiene texto oculto, que no se ha cargado."
COMMENTS = "El documento tiene comentarios, que no se han cargado."
OBJECTS = "El documento tiene fórmulas, gráficos u objetos incrustados, que no se han cargado."
INCLUDED = (
    "El documento incluye otros archivos, que no se han cargado: ábralo en Word, guárdelo y súbalo otra vez."
)
SYMBOLS = "El documento tiene símbolos de un tipo de letra especial, que no se han cargado."
PICTURES = "El documento tiene imágenes: lo que esté escrito en ellas no se ha cargado."


class WordText:
    """The text of paragraphs of one document.

    Args:
        notes: kind ('pie' | 'final') and id of each note to its XML element.
        boxed: the lines of a text box.
        in_place: put a note of at most SHORT characters in brackets where its mark is.
        places: remembers the elements that the text is read from.

    Attributes:
        warnings: Spanish sentences about what the text leaves out, so far.
    """

    def __init__(
        self,
        notes: Mapping[tuple[str, str], Any],
        boxed: Callable[[Any], Iterable[str]],
        *,
        in_place: bool = False,
        places: Places | None = None,
    ) -> None:
        self._notes = dict(notes)
        self._places = places
        self._boxed = boxed
        self._in_place = in_place
        self._number = {"pie": 0, "final": 0}
        self._carried = ""
        self.warnings: dict[str, None] = {}

    def lines(self, paragraph: Any, number: Callable[[Any], str] | None = None) -> Iterator[str]:
        """The paragraph's text after its automatic number, then the texts of its boxes and notes.

        Args:
            number: counts it and gives its number; asked for each paragraph that is left when all tracked
                changes are accepted.
        """
        aside: list[str] = []
        carried, self._carried = self._carried, ""
        text = carried + "".join(self._of(paragraph, aside))
        deleted = self._ends_deleted(paragraph)
        if deleted and _precedes_another(paragraph):
            self._carried, text = text, ""
        elif number and (text.strip() or not deleted):
            before = number(paragraph)
            text = f"{before} {text}" if text.strip() else ""
        if text.strip():
            yield from text.strip().split("\n")
        yield from aside

    def _ends_deleted(self, paragraph: Any) -> bool:
        """True if a tracked change deletes or moves the paragraph's end: it goes on in the next one."""
        mark = paragraph.find(f"{W}pPr/{W}rPr")
        gone = mark is not None and any(mark.find(tag) is not None for tag in _DELETED)
        if gone:
            self.warnings[CHANGES] = None
        return gone

    def deleted(self, part: Any) -> bool:
        """True for a row or a cell of a table that a tracked change deletes."""
        properties = f"{W}trPr/{W}del" if part.tag == f"{W}tr" else f"{W}tcPr/{W}cellDel"
        gone = part.find(properties) is not None
        if gone:
            self.warnings[CHANGES] = None
        return gone

    def included(self) -> None:
        """Tell that the document includes another file, which Word reads when it opens it."""
        self.warnings[INCLUDED] = None

    def _of(self, element: Any, aside: list[str]) -> Iterator[str]:
        for child in element:
            tag = child.tag
            if tag in _DELETED:
                self.warnings[CHANGES] = None
            elif tag == f"{W}r" and _hidden(child):
                self.warnings[HIDDEN] = None
            elif tag in _WRITTEN:
                yield self._written(child)
            elif tag in NOTE_MARKS:
                yield self._note(NOTE_MARKS[tag], child.get(f"{W}id") or "", aside)
            elif tag == BOX:
                aside += self._boxed(child)
            elif tag == f"{_MC}AlternateContent":
                shown = child.find(f"{_MC}Choice")
                yield from self._of(shown if shown is not None else child, aside)
            elif isinstance(tag, str) and not tag.endswith("}pPr"):
                self._told(tag)
                yield from self._of(child, aside)

    def _told(self, tag: str) -> None:
        if tag in _INSERTED:
            self.warnings[CHANGES] = None
        elif tag.endswith(("}blip", "}imagedata")):
            self.warnings[PICTURES] = None
        elif tag.endswith(("}chart", "}OLEObject", "}relIds")):
            self.warnings[OBJECTS] = None
        elif tag == f"{W}commentReference":
            self.warnings[COMMENTS] = None

    def _written(self, element: Any) -> str:
        symbol = element.tag == _SYMBOL
        text = self._symbol(element) if symbol else _ALWAYS.get(element.tag, element.text or "")
        return self._places.marked(element, text) if self._places else text

    def _symbol(self, symbol: Any) -> str:
        """A character by its number; one of the private places of a font of symbols is only told."""
        code = symbol.get(f"{W}char") or ""
        number = int(code, 16) if re.fullmatch(r"[0-9A-Fa-f]{2,4}", code) else 0
        private = number < ord(" ") or 0xD800 <= number < 0xF900
        if private or _SYMBOL_FONT.match(symbol.get(f"{W}font") or ""):
            self.warnings[SYMBOLS] = None
            return ""
        return chr(number)

    def _note(self, kind: str, note_id: str, aside: list[str]) -> str:
        """Replacement of a mark; if it is empty, the note itself goes into `aside`."""
        note = self._notes.pop((kind, note_id), None)  # one that refers to itself ends here
        if note is None:
            return ""
        self._number[kind] += 1
        text = " ".join(line for inner in _paragraphs(note) for line in self.lines(inner)).strip()
        if self._in_place and text and len(unmarked(text)) <= SHORT:
            return f" ({text})"
        if text:
            aside.append(NOTE[kind].format(number=self._number[kind], text=text))
        return ""


def _paragraphs(container: Any) -> Iterator[Any]:
    """The paragraphs of a text box or a note, without those of boxes inside it, which read their own."""
    for paragraph in container.iter(f"{W}p"):
        around = (one for one in paragraph.iterancestors() if one is container or one.tag == BOX)
        if next(around) is container:
            yield paragraph


def _precedes_another(paragraph: Any) -> bool:
    following = next(paragraph.itersiblings(f"{W}p", f"{W}tbl"), None)
    return following is not None and following.tag == f"{W}p"


def _hidden(run: Any) -> bool:
    vanish = run.find(f"{W}rPr/{W}vanish")
    return vanish is not None and vanish.get(f"{W}val") not in {"0", "false", "off"}
