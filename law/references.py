"""Legal references in a text: `resolve` finds the targets of its mentions. Pure functions.

`resolve` needs a catalogue of norms and, for the text of a norm, where that text stands. What is unknown or
ambiguous resolves to no norm: a wrong reference is worse than none.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from operator import itemgetter

from law.norm_names import GENERIC, NUMBERED, ONLY_AFTER_AN_ARTICLE, NormCatalogue
from law.norms import Reference
from law.reference_reading import Mention

MAX_RANGE = 30
MIN_STANDALONE = 4
COLLOQUIAL = "estatuto"

NAMED, SAME, SAID, OTHER = "named", "same", "said", "other"

_CONNECT = re.compile(
    r"(?:\.(?=\s+del?\s))?[\s(]*(?:,?\s*(?:de la|de los|de las|del|de|en la|en el|segun la|segun el)\s+)?"
)
_THING = (
    r"ley|real decreto|decreto|reglamento|norma|texto|orden|codigo|disposicion|estatuto|constitucion|capitulo"
    r"|titulo|seccion|subseccion|libro"
)
_SAME = re.compile(rf"(?:(?:la|el)\s+)?(?:est[ea]|presente)\s+(?:mism[oa]\s+|propi[oa]\s+)?(?:{_THING})\b")
_SAID = re.compile(
    r"(?:(?:la|el)\s+)?(?:dich[oa]|(?:pre|ante)?citad[oa]|referid[oa]|mencionad[oa]|indicad[oa]|mism[oa]|repetid[oa]"
    r"|antedich[oa]|expresad[oa]|aludid[oa]|aquel(?:la)?)\s+"
    r"(?P<rank>ley organica|ley|real decreto legislativo|real decreto[- ]ley|real decreto|orden|reglamento"
    r"|norma|texto refundido|texto)\b"
)
_OTHER = re.compile(
    r"(?:(?:la|el)\s+)?(?:(?:citad[oa]|dich[oa]|vigente|propi[oa]|anterior|mism[oa]|referid[oa])\s+)*(?:ley|real|decreto"
    r"|orden|reglamento|codigo|constitucion|estatutos?|directiva|tratado|convenio|texto|resolucion|instruccion"
    r"|acuerdo|circular|carta|pacto|protocolo|convencion|declaracion|norma|recomendacion|decision|ordenanza)\b"
)
_CHAIN = re.compile(
    r"\s*,?\s*(?:(?:y|e|o|u|asi como|ni)\s+)?(?:(?:en|de|a|por|con)\s+)?(?:(?:el|la|los|las|del|al)\s+)?"
)
_SHADOW = re.compile(
    r",? (?:de|del|por|sobre|para|reguladora?|general|integral|ordenadora)\b"
    r"(?:(?!articulo|\barts?\b|,? (?:y|e|ni) (?:el |la )?(?:real decreto|ley|orden|rd)[^,;]{0,20}\d/\d{4})"
    r"[^.;:()«»\n]){0,140}"
)
_RANKS = {
    "ley": {"ley", "lo", "rdleg"},
    "ley organica": {"lo"},
    "real decreto legislativo": {"rdleg"},
    "texto refundido": {"rdleg"},
    "real decreto": {"rd"},
    "reglamento": {"rd"},
    "orden": {"orden"},
}


@dataclass
class Attributed:
    """A mention with the norm that it names itself, if any.

    Attributes:
        how: NAMED (`norm_id` is None when unknown or ambiguous), SAME ('esta ley'), SAID ('dicha ley'), OTHER
            (an unidentified norm), or empty when it names no norm.
        end: end offset of the norm's name.
    """

    mention: Mention
    how: str
    norm_id: str | None
    rank: str
    end: int


def resolve(
    mentions: Sequence[Mention],
    catalogue: NormCatalogue,
    norm_id: str | None = None,
    *,
    block_label: str | None = None,
    previous: str | None = None,
    next: str | None = None,
    written: date | None = None,
) -> list[Reference]:
    """Target of each mention, in order; a list or a range gives one reference a block.

    Args:
        mentions: the result of `find` for one text.
        norm_id: the norm that the text belongs to; None for a question, where an article without a norm
            belongs to the only norm that the question names, else to no norm.
            In the text of a norm whose labels are known, an article that it does not have, cited without a
            norm, belongs to another norm (the one it amends) and resolves to no norm.
        block_label, previous, next: labels of the block of the text and of its neighbours, for 'este
            artículo', 'el artículo anterior' and 'el siguiente'.
        written: the day from which the text is in force; a text older than the numbering of a norm that it
            cites by name ('artículo 135 de la Ley General de la Seguridad Social' in 2009) means another one.
    """
    found = attributed(mentions, catalogue, asked=norm_id is None, written=written)
    named = {entry.norm_id for entry in found if entry.how == NAMED}
    only = named.pop() if len(named) == 1 else None
    relatives = {"this": block_label, "previous": previous, "next": next}
    references: list[Reference] = []
    for entry in found:
        default = only if norm_id is None else None if entry.mention.quoted else norm_id
        target = {NAMED: entry.norm_id, SAME: norm_id, "": default}.get(entry.how)
        labels = catalogue.labels.get(target or "", ())
        for reference in _expand(entry, target, labels, relatives):
            elsewhere = entry.how == "" and norm_id and labels and reference.label not in labels
            references.append(reference.model_copy(update={"norm_id": None}) if elsewhere else reference)
    return references


def attributed(
    mentions: Sequence[Mention], catalogue: NormCatalogue, *, asked: bool = True, written: date | None = None
) -> list[Attributed]:
    """The mentions with the norm that each names, in order; those inside another one are left out.

    Args:
        asked: False for the text of a norm, where «Estatuto» alone may be any.
        written: see `resolve`.
    """
    found = _without_repeats(_named(mention, catalogue, asked, written) for mention in mentions)
    _look_back(found)
    _share(found)
    return found


def _named(mention: Mention, catalogue: NormCatalogue, asked: bool, written: date | None) -> Attributed:
    """The mention with the norm that follows it, or that a mention without blocks names.

    «Estatuto» alone means the Estatuto de los Trabajadores in a question; in a norm it may be any.
    """
    folded = mention.folded
    if not mention.items and not mention.relative:
        return _alone(mention, catalogue, asked)
    connected = _CONNECT.match(folded, mention.tail)
    position = connected.end() if connected else mention.tail
    for how, pattern in ((SAME, _SAME), (SAID, _SAID)):
        if match := pattern.match(folded, position):
            rank = match.start("rank") if how == SAID else position
            if how == SAID and (named := catalogue.at(folded, rank)):
                # «La citada Ley 36/2011» names it.
                return Attributed(mention, NAMED, named.norm_id, named.rank, named.end)
            return Attributed(mention, how, None, match.groupdict().get("rank") or "", match.end())
    named = catalogue.at(folded, position)
    if named and (asked or folded[position : named.end] != COLLOQUIAL):
        renumbered = written is not None and named.since is not None and written.isoformat() < named.since
        return Attributed(mention, NAMED, None if renumbered else named.norm_id, named.rank, named.end)
    other = _OTHER.match(folded, position) if position > mention.tail + 1 else None
    return Attributed(mention, OTHER if other else "", None, "", mention.end)


def _alone(mention: Mention, catalogue: NormCatalogue, asked: bool) -> Attributed:
    """A norm alone; names that are also common words ('et', 'la constitución de un aval') need capitals."""
    named = catalogue.at(mention.folded, mention.start)
    if named and mention.weak and not _is_name(mention, named.end, asked):
        named = None
    if named is None:
        return Attributed(mention, "", None, "", mention.end)
    return Attributed(mention, NAMED, named.norm_id, named.rank, named.end)


def _is_name(mention: Mention, end: int, asked: bool) -> bool:
    name = mention.folded[mention.start : end]
    if end - mention.start < MIN_STANDALONE:
        return mention.text.isupper() and name not in ONLY_AFTER_AN_ARTICLE
    return name not in GENERIC or asked or mention.text[0].isupper()


def _without_repeats(entries: Iterable[Attributed]) -> list[Attributed]:
    """Drop mentions inside another one: its norm's name, or the rest of the title of a numbered norm."""
    kept: list[Attributed] = []
    covered = 0
    for entry in entries:
        mention = entry.mention
        nothing = entry.how != NAMED and (mention.weak or not (mention.items or mention.relative))
        if mention.start < covered or (nothing and not NUMBERED.match(mention.folded, mention.start)):
            continue
        kept.append(entry)
        covered = entry.end
        numbered = entry.how == NAMED and NUMBERED.search(mention.folded, mention.start, covered)
        if numbered and (shadow := _SHADOW.match(mention.folded, covered)):
            covered = shadow.end()
    return kept


def _look_back(found: list[Attributed]) -> None:
    """'de dicha ley' is the last norm of that rank named before it."""
    last: dict[str, tuple[int, str | None]] = {}
    for place, entry in enumerate(found):
        if entry.how == SAID:
            ranks = _RANKS.get(entry.rank, last)
            before = max((last[rank] for rank in ranks if rank in last), key=itemgetter(0), default=None)
            entry.how, entry.norm_id = NAMED if before else OTHER, before[1] if before else None
        elif entry.how == NAMED:
            last[entry.rank] = place, entry.norm_id


def _share(found: list[Attributed]) -> None:
    """'el artículo 5 y la disposición adicional segunda de la Ley X': both are of that law."""
    for entry, following in reversed(list(pairwise(found))):
        mention, after = entry.mention, following.mention
        if entry.how or not following.how or not (after.items or after.relative):
            continue
        gap = _CHAIN.fullmatch(mention.folded, mention.end, max(mention.end, after.start))
        if gap and after.start > mention.end:
            entry.how, entry.norm_id = following.how, following.norm_id


def _expand(
    entry: Attributed, target: str | None, known: Sequence[str], relatives: Mapping[str, str | None]
) -> Iterator[Reference]:
    mention = entry.mention

    def reference(label: str | None, apartado: str | None = None) -> Reference:
        end = max(mention.end, entry.end)
        return Reference(
            text=mention.source[mention.start : end],
            start=mention.start,
            end=end,
            norm_id=target,
            label=label,
            apartado=apartado,
        )

    if mention.relative:
        if entry.how in {"", SAME} and target and (label := relatives[mention.relative]):
            yield reference(label)
        return
    if not mention.items:
        yield reference(None)
    for item in mention.items:
        if item.until is None:
            yield reference(item.label, item.apartado)
        else:
            yield from map(reference, between(item.label, item.until, known))


def between(first: str, last: str, known: Sequence[str]) -> list[str]:
    """Labels from `first` to `last`, in the norm's own order (with '48 bis'), else by counting."""
    if first in known and last in known:
        return list(dict.fromkeys(known[known.index(first) : known.index(last) + 1]))[:MAX_RANGE]
    ends = [re.fullmatch(r"(\D*)(\d+)(?: \w+)?", label) for label in (first, last)]
    if ends[0] is None or ends[1] is None:
        return [first, last]
    prefix, low, high = ends[0][1], int(ends[0][2]), int(ends[1][2])
    return [f"{prefix}{value}" for value in range(low, min(high, low + MAX_RANGE - 1) + 1)]
