"""The state of a quotation of a ruling: held letter by letter against the ruling, loaded or attached."""

from collections.abc import Sequence

from casework.briefs import quotation_words
from casework.briefs.findings import Finding, Quotation, State
from casework.briefs.likeness import sharing
from casework.briefs.norm_library import Library, Place
from casework.briefs.quotation_state import MEANT, finding_of, left_out
from casework.briefs.ruling_state import Attached, held
from law.rulings import Ruling
from rag.answers.quotation_place import typeset

LITERAL = "Literal: está letra por letra en la sentencia."
TURNED = "Así cortada, la cita dice lo contrario que la sentencia."
NOT_LITERAL = "No es literal: las diferencias con la sentencia van marcadas."
ABSENT = "Esas palabras no están en la sentencia, ni otras que se les parezcan."
UNCHECKED = "La sentencia no está cargada ni aportada: ni se confirma ni se niega que lo diga."


class Rulings:
    """The rulings that quotations of one brief are of, each read once."""

    def __init__(self, cited: Sequence[Ruling], library: Library, papers: Sequence[Attached]) -> None:
        self._cited, self._library, self._papers = cited, library, papers
        self._read: dict[int, tuple[list[Place], str, str]] = {}

    def literal(self, quotation: Quotation) -> Finding | None:
        """The state of one that stands in its ruling letter by letter; None for any other."""
        places, text, plain = self._of(quotation)
        parts = quotation_words.pieces(quotation.text)
        if not (parts and places and quotation_words.may_hold(quotation_words.prepared(parts), plain)):
            return None
        found = quotation_words.find_quotation(parts, text)
        if found is None:
            return None
        lost = not quotation.negated and quotation_words.lost_no(found, text)
        if lost or quotation_words.hides_a_no(found, text):
            near = quotation_words.nearest(parts, text[max(0, found.start - 40) : found.end])
            return self._finding(quotation, State.DIFFERENT, TURNED, places[0], near)
        exact = self._finding(quotation, State.EXACT, LITERAL, places[0])
        return exact.model_copy(update={"warning": left_out(text, found)})

    def judged(self, quotation: Quotation) -> Finding | None:
        """The state of one that is not; None if the text does not say that it quotes the ruling."""
        places, _, _ = self._of(quotation)
        parts = quotation_words.pieces(quotation.text)
        near = ((quotation_words.nearest(parts, one.version.text), one) for one in sharing(parts, places))
        likest = max(near, key=lambda one: one[0].likeness, default=None)
        enough = MEANT if quotation.loose else quotation_words.LIKE
        if likest is not None and likest[0].likeness >= enough:
            return self._finding(quotation, State.DIFFERENT, NOT_LITERAL, likest[1], likest[0])
        if quotation.ruling is None or quotation.loose or not parts:
            return None
        state, said = (State.ABSENT, ABSENT) if places else (State.UNCHECKED, UNCHECKED)
        return self._finding(quotation, state, said, places[0] if places else None)

    def _finding(
        self,
        quotation: Quotation,
        state: State,
        said: str,
        place: Place | None,
        near: quotation_words.Near | None = None,
    ) -> Finding:
        found = finding_of(quotation, state, said, near=near)
        if place is None:
            return found
        norm = place.norm
        return found.model_copy(update={"source": norm.title, "norm_id": norm.id, "url": norm.url})

    def _of(self, quotation: Quotation) -> tuple[list[Place], str, str]:
        """Stretches of the ruling of a quotation, its whole text, and that as quotations are compared."""
        if quotation.ruling is None:
            return [], "", ""
        if quotation.ruling not in self._read:
            found = held(self._cited[quotation.ruling], self._library, self._papers)
            shelf = self._library.shelf(found.id) if found and not isinstance(found, Attached) else None
            places = found.places if isinstance(found, Attached) else list(shelf.places) if shelf else []
            own = found.text if isinstance(found, Attached) else "\n".join(one.version.text for one in places)
            self._read[quotation.ruling] = places, own, typeset(own)
        return self._read[quotation.ruling]
