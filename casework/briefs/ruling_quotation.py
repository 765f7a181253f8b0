"""The state of a quotation of a ruling: held letter by letter against the ruling, loaded or attached."""

from collections.abc import Sequence
from typing import NamedTuple

from casework.briefs import quotation_words
from casework.briefs.findings import Finding, Quotation, State
from casework.briefs.likeness import sharing
from casework.briefs.norm_library import Library, Place
from casework.briefs.quotation_state import MEANT, SURE, finding_of, left_out
from casework.briefs.ruling_state import Attached, held
from law.norms import Norm
from law.rulings import Ruling
from rag.answers.verbatim import typeset

LITERAL = "Literal: está letra por letra en la sentencia."
TURNED = "Así cortada, la cita dice lo contrario que la sentencia."
NOT_LITERAL = "No es literal: las diferencias con la sentencia van marcadas."
ABSENT = "Esas palabras no están en la sentencia, ni otras que se les parezcan."
BEFORE = 40
"""Characters of a ruling before a quotation that lost its «no»."""
UNCHECKED = "La sentencia no está cargada ni aportada: ni se confirma ni se niega que lo diga."


class Held(NamedTuple):
    """A ruling with its text, also in stretches and as quotations are compared."""

    places: Sequence[Place]
    text: str
    plain: str


class Rulings:
    """The rulings that quotations of one brief are of; each that is held is read once."""

    def __init__(self, cited: Sequence[Ruling], library: Library, papers: Sequence[Attached]) -> None:
        self._library = library
        found = [held(one, library, papers) for one in cited]
        read = {_title(one): self._text(one) for one in found if one is not None}
        self._held = [read[_title(one)] if one is not None else None for one in found]
        self._read = list(read.values())

    def literal(self, quotation: Quotation) -> Finding | None:
        """The state of one that stands in its ruling letter by letter; None for any other."""
        own = self._of(quotation)
        return _literal(quotation, own) if own else None

    def elsewhere(self, quotation: Quotation) -> Finding | None:
        """The same of one whose own ruling is not held, in another one of the brief: of a list, for one."""
        if self._of(quotation) or len(quotation.text.split()) < SURE:
            return None
        return next((found for one in self._read if (found := _literal(quotation, one))), None)

    def judged(self, quotation: Quotation) -> Finding | None:
        """The state of one that is not literal; None if the text does not say that it quotes the ruling."""
        parts, own = quotation_words.pieces(quotation.text), self._of(quotation)
        places = sharing(parts, own.places) if own else []
        near = ((quotation_words.nearest(parts, one.version.text), one) for one in places)
        likest = max(near, key=lambda one: one[0].likeness, default=None)
        if likest is not None and likest[0].likeness >= (MEANT if quotation.loose else quotation_words.LIKE):
            return _finding(quotation, State.DIFFERENT, NOT_LITERAL, likest[1], likest[0])
        if quotation.ruling is None or quotation.loose or not parts:
            return None
        if own:
            return _finding(quotation, State.ABSENT, ABSENT, own.places[0])
        return finding_of(quotation, State.UNCHECKED, UNCHECKED)

    def _of(self, quotation: Quotation) -> Held | None:
        found = self._held[quotation.ruling] if quotation.ruling is not None else None
        return found if found and found.places else None

    def _text(self, found: Attached | Norm) -> Held:
        if isinstance(found, Attached):
            return Held(found.places, found.text, typeset(found.text))
        shelf = self._library.shelf(found.id)
        places = shelf.places if shelf else ()
        text = "\n".join(one.version.text for one in places)
        return Held(places, text, typeset(text))


def _title(found: Attached | Norm) -> str:
    return found.name if isinstance(found, Attached) else found.id


def _literal(quotation: Quotation, own: Held) -> Finding | None:
    parts = quotation_words.pieces(quotation.text)
    if not (parts and quotation_words.may_hold(quotation_words.prepared(parts), own.plain)):
        return None
    found = quotation_words.find_quotation(parts, own.text)
    if found is None:
        return None
    lost = not quotation.negated and quotation_words.lost_no(found, own.text)
    if lost or quotation_words.hides_a_no(found, own.text):
        near = quotation_words.nearest(parts, own.text[max(0, found.start - BEFORE) : found.end])
        return _finding(quotation, State.DIFFERENT, TURNED, own.places[0], near)
    exact = _finding(quotation, State.EXACT, LITERAL, own.places[0])
    return exact.model_copy(update={"warning": left_out(own.text, found)})


def _finding(
    quotation: Quotation, state: State, said: str, place: Place, near: quotation_words.Near | None = None
) -> Finding:
    norm = place.norm
    held_against = {"source": norm.title, "norm_id": norm.id, "url": norm.url}
    return finding_of(quotation, state, said, near=near).model_copy(update=held_against)
