"""Text of the XML of a DOCX: with insertions, notes and text boxes, without what is deleted or hidden.

ISO/IEC 29500-1, 17.13.5 (tracked changes), 17.11 (notes). A note follows the paragraph that refers to it as a
paragraph of its own, so that the words before and after the mark stay together.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from rag.loaders.word_numbers import W

_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_DELETED = {f"{W}del", f"{W}moveFrom"}
_INSERTED = {f"{W}ins", f"{W}moveTo"}
_ALWAYS = {f"{W}tab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
_NOTES = {f"{W}footnoteReference": "pie", f"{W}endnoteReference": "final"}
_BOX = f"{W}txbxContent"
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
PICTURES = "El documento tiene imágenes: lo que esté escrito en ellas no se ha cargado."


class WordText:
    """The text of paragraphs of one document.

    Args:
        notes: kind ('pie' | 'final') and id of each note to its XML element.
        in_place: put a note of at most SHORT characters in brackets where its mark is.

    Attributes:
        warnings: Spanish sentences about what the text leaves out, so far.
    """

    def __init__(self, notes: Mapping[tuple[str, str], Any], *, in_place: bool = False) -> None:
        self._notes = dict(notes)
        self._in_place = in_place
        self._number = {"pie": 0, "final": 0}
        self._carried = ""
        self.warnings: dict[str, None] = {}

    def lines(self, paragraph: Any, number: str = "") -> Iterator[str]:
        """The paragraph's text after its automatic number, then the texts of its boxes and notes."""
        aside: list[str] = []
        text = "".join(self._of(paragraph, aside))
        text = f"{number} {text}" if number and text.strip() and not self._carried else self._carried + text
        self._carried = ""
        if paragraph.find(f"{W}pPr/{W}rPr/{W}del") is not None:
            # The paragraph's end is deleted: it goes on in the next one.
            self._carried, text = text, ""
            self.warnings[CHANGES] = None
        if text.strip():
            yield from text.strip().split("\n")
        yield from aside

    def rest(self) -> Iterator[str]:
        """Text that the last paragraph carried over to one that does not exist."""
        if self._carried.strip():
            yield self._carried.strip()

    def deleted_row(self, row: Any) -> bool:
        """True for a table row that a tracked change deletes."""
        gone = row.find(f"{W}trPr/{W}del") is not None
        if gone:
            self.warnings[CHANGES] = None
        return gone

    def _of(self, element: Any, aside: list[str]) -> Iterator[str]:
        for child in element:
            tag = child.tag
            if tag in _DELETED:
                self.warnings[CHANGES] = None
            elif tag == f"{W}r" and _hidden(child):
                self.warnings[HIDDEN] = None
            elif tag in {f"{W}t", _MATH}:
                yield child.text or ""
            elif tag in _ALWAYS:
                yield _ALWAYS[tag]
            elif tag in _NOTES:
                yield self._note(_NOTES[tag], child.get(f"{W}id") or "", aside)
            elif tag == _BOX:
                aside += [line for inner in _paragraphs(child) for line in self.lines(inner)]
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
        elif tag.endswith(("}chart", "}OLEObject")):
            self.warnings[OBJECTS] = None
        elif tag == f"{W}commentReference":
            self.warnings[COMMENTS] = None

    def _note(self, kind: str, note_id: str, aside: list[str]) -> str:
        """Replacement of a mark; if it is empty, the note itself goes into `aside`."""
        note = self._notes.pop((kind, note_id), None)  # one that refers to itself ends here
        if note is None:
            return ""
        self._number[kind] += 1
        text = " ".join(line for inner in _paragraphs(note) for line in self.lines(inner)).strip()
        if self._in_place and text and len(text) <= SHORT:
            return f" ({text})"
        if text:
            aside.append(NOTE[kind].format(number=self._number[kind], text=text))
        return ""


def _paragraphs(container: Any) -> Iterator[Any]:
    """The paragraphs of a text box or a note, without those of boxes inside it, which read their own."""
    for paragraph in container.iter(f"{W}p"):
        around = (one for one in paragraph.iterancestors() if one is container or one.tag == _BOX)
        if next(around) is container:
            yield paragraph


def _hidden(run: Any) -> bool:
    vanish = run.find(f"{W}rPr/{W}vanish")
    return vanish is not None and vanish.get(f"{W}val") not in {"0", "false", "off"}
