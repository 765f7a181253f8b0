"""The state of a quotation: held letter by letter against the provision it is of, and against the corpus."""

from collections.abc import Sequence
from datetime import date, timedelta

from casework.briefs import quotation_words
from casework.briefs.finding_names import address, block_name, is_private, part_name
from casework.briefs.findings import Brief, Finding, Kind, Provision, Quotation, State
from casework.briefs.likeness import likest, sharing
from casework.briefs.norm_library import Library, Place
from casework.briefs.part_state import has
from law.dates import spelled
from law.diff import Change, Run
from law.norms import BlockVersion, dated
from law.parts import label_at
from law.provision_reading import read_provision
from lexicon.ties import applied_meanwhile

CUT_NO = "Los puntos suspensivos se llevan un «no»: así cortada, la cita dice lo contrario que la ley."
LOST_NO = "La cita empieza detrás de un «no»: así cortada, dice lo contrario que la ley."
MEANT = 0.85
"""Share of common words from which a quotation is of what it cites, although another article has it."""
MOST_NORMS = 12
"""Norms that are looked through for words like those of a quotation."""
SURE = 7
"""Words from which a quotation that stands in another article surely comes from there."""


def judged(
    quotation: Quotation,
    provisions: Sequence[Provision],
    library: Library,
    day: date,
    also: Sequence[str] = (),
) -> Finding | None:
    """The state of a quotation on `day`; None for words that nothing makes those of a norm: of a witness.

    Args:
        provisions: those of the brief, which `quotation.cited` counts.
        also: ids of the norms that the brief names, where it is looked for first.
    """
    parts = quotation_words.pieces(quotation.text)
    plain = quotation_words.prepared(parts)
    cited = [provisions[place] for place in quotation.cited]
    if not parts:
        return None
    own = [place for one in cited for place in _own(one, library)]
    near_by = [provisions[place] for place in quotation.near]
    for of, places in ((cited, own), (near_by, [place for one in near_by for place in _own(one, library)])):
        if held := _holding(parts, plain, places):
            return _held(quotation, of, held, day)
    elsewhere = _elsewhere(parts, plain, library, day, also) if _sure(parts) else None
    near = _nearest(parts, own, day) if own else None
    if near is not None and near[0].likeness >= (MEANT if elsewhere else quotation_words.LIKE):
        return _different(quotation, *near)
    if elsewhere is not None:
        return _found_elsewhere(quotation, cited, day, *elsewhere)
    norms = [] if quotation.of_paper or quotation.ruling is not None else _named_near(quotation, provisions)
    if norms and (like := likest(parts, norms, library, day)):
        said = f"No es literal: se parece a {_place_name(like[1])}, y las diferencias van marcadas."
        return finding_of(quotation, State.DIFFERENT, said, place=like[1], near=like[0])
    return None if quotation.loose else _unlike(quotation, cited, near)


def told_by_quotations(brief: Brief, library: Library, norms: Sequence[str]) -> tuple[Provision, ...]:
    """The provisions of a brief, one without a norm with that whose article has what is quoted of it.

    Args:
        norms: ids of those that the brief names.
    """
    provisions = list(brief.provisions)
    for quotation in brief.quotations:
        parts = quotation_words.pieces(quotation.text)
        plain = quotation_words.prepared(parts)
        for place in quotation.cited if _sure(parts) else ():
            one = provisions[place]
            alone = one.implied or one.text.replace(".", "").isdigit()
            if not (alone and one.label) or _holding(parts, plain, _own(one, library)):
                continue
            others = (one.model_copy(update={"norm_id": norm, "choices": ()}) for norm in norms)
            held = [other for other in others if _holding(parts, plain, _own(other, library))]
            provisions[place] = held[0] if len(held) == 1 else one
    return tuple(provisions)


def _holding(
    parts: Sequence[str], plain: Sequence[str], places: Sequence[Place]
) -> list[tuple[Place, quotation_words.Found]]:
    """The wordings among these that have the quotation, and where."""
    return [
        (place, found)
        for place in places
        if quotation_words.may_hold(plain, place.plain)
        and (found := quotation_words.find_quotation(parts, place.version.text))
    ]


def _own(provision: Provision, library: Library) -> list[Place]:
    """The wordings of the cited provision, or of the whole norm."""
    shelf = library.shelf(provision.norm_id or "")
    if shelf is None or not shelf.norm.official:
        return []
    if provision.label is None:
        return list(shelf.places)
    blocks = [block.id for block in shelf.labelled.get(provision.label, ())]
    meanwhile = [tie.block for one in blocks if (tie := applied_meanwhile(shelf.norm.id, one))]
    return [place for one in (*blocks, *meanwhile) for place in shelf.of_block.get(one, ())]


def _named_near(quotation: Quotation, provisions: Sequence[Provision]) -> list[str]:
    """Ids of the norms that the brief names, the nearest to the quotation first."""
    near = sorted(provisions, key=lambda one: abs(one.start - quotation.start))
    return list(dict.fromkeys(one.norm_id for one in near if one.norm_id))[:MOST_NORMS]


def _sure(parts: Sequence[str]) -> bool:
    return max((len(part.split()) for part in parts), default=0) >= SURE


def _elsewhere(
    parts: Sequence[str], plain: Sequence[str], library: Library, day: date, also: Sequence[str]
) -> tuple[Place, quotation_words.Found] | None:
    """Where the quotation stands in the corpus, in a wording in force that day if there is one."""
    past = None
    longest = max(plain, key=len)[1:]
    for place in library.holding(longest, also):
        if not quotation_words.may_hold(plain, place.plain):
            continue
        found = quotation_words.find_quotation(parts, place.version.text)
        if found and place.version.in_force_on(day):
            return place, found
        past = past or (found and (place, found))
    return past or None


def _held(
    quotation: Quotation,
    cited: Sequence[Provision],
    held: Sequence[tuple[Place, quotation_words.Found]],
    day: date,
) -> Finding:
    """The state of a quotation that stands in wordings of what it cites."""
    now = next((one for one in held if one[0].version.in_force_on(day)), None)
    if now is not None:
        return _exact(quotation, cited, *now)
    place = held[0][0] if held[-1][0].version.valid_from > day else held[-1][0]
    return _other_wording(quotation, cited, place, day)


def _exact(
    quotation: Quotation, cited: Sequence[Provision], place: Place, found: quotation_words.Found
) -> Finding:
    at = label_at(read_provision(place.version.text), found.start)
    wanted = [one for one in cited if one.label == place.block.label]
    if wanted and not any(_covers(one, at) for one in wanted):
        said = f"Está a la letra en el {_part_name(at)} del mismo artículo, no en el {part_name(wanted[0])}."
        return finding_of(quotation, State.MISPLACED, said, place=place)
    lost = "" if quotation.negated else quotation_words.lost_no(found, place.version.text)
    if lost or quotation_words.hides_a_no(found, place.version.text):
        near = quotation_words.nearest(quotation_words.pieces(quotation.text), place.version.text)
        near = near._replace(runs=(Run(kind=Change.DELETE, text=lost), *near.runs)) if lost else near
        return finding_of(quotation, State.DIFFERENT, LOST_NO if lost else CUT_NO, place=place, near=near)
    since = dated(place.version.valid_from)
    said = f"Igual letra por letra{f' en la redacción vigente desde el {spelled(since)}' if since else ''}."
    if not any(one.label == place.block.label for one in cited):
        said = f"{said} Está en {_place_name(place)}."
    return finding_of(quotation, State.EXACT, said, place=place, warning=left_out(place.version.text, found))


def _covers(provision: Provision, at: str) -> bool:
    """False if the quotation stands, for sure, in another apartado or letter than the one cited."""
    steps = at.split(".")
    if provision.apartado and steps[0].isdigit() and steps[0] != provision.apartado:
        return False
    letter = next((one for one in steps if len(one) == 1 and one.isalpha()), "")
    return not (provision.letter and letter and letter != provision.letter)


def _part_name(at: str) -> str:
    """'apartado 2', 'apartado 4.c' or 'letra b)' of the label of a unit."""
    return f"apartado {at}" if at[:1].isdigit() else f"letra {at})"


def left_out(text: str, found: quotation_words.Found) -> str:
    """Warning of a word that the quotation leaves out of a text, and which turns or limits it; or empty."""
    word = quotation_words.turned(found, text)
    return f"La cita deja fuera un «{word}» que cambia o limita lo que dice." if word else ""


def _other_wording(quotation: Quotation, cited: Sequence[Provision], place: Place, day: date) -> Finding:
    """The state of words of another day: told as such where the text does, else they are not the law's."""
    version, now = place.version, place.block.wording_on(day)
    own = [one for one in cited if one.label == place.block.label]
    gone = now is None or (own and not any(has(now, one) for one in own))
    if now is not None and not (gone or quotation.of_another_day):
        found = quotation_words.nearest(quotation_words.pieces(quotation.text), now.text)
        near = found if found.likeness >= quotation_words.LIKE else None
        said = f"Es letra por letra la redacción {_span(version)}, no la del {spelled(day)}."
        return finding_of(quotation, State.DIFFERENT, said, place=place._replace(version=now), near=near)
    if version.valid_from > day:
        said = f"Es de la redacción que entra en vigor el {spelled(version.valid_from)}."
        return finding_of(quotation, State.NOT_YET, said, place=place, since=version.valid_from)
    until = version.valid_to
    since = until + timedelta(days=1) if until else None
    said = f"Exacta en la redacción anterior, {_span(version)}." + (
        f" Modificada desde el {spelled(since)}." if since else ""
    )
    return finding_of(quotation, State.CHANGED, said, place=place, since=since)


def _span(version: BlockVersion) -> str:
    """'vigente del 1 de enero de 2020 al 31 de mayo de 2021'."""
    start, until = dated(version.valid_from), version.valid_to
    if until is None:
        return f"vigente desde el {spelled(start)}" if start else "vigente"
    return f"vigente {f'del {spelled(start)} ' if start else ''}{f'al {spelled(until)}'}"


def _found_elsewhere(
    quotation: Quotation, cited: Sequence[Provision], day: date, place: Place, found: quotation_words.Found
) -> Finding:
    if not cited and not place.version.in_force_on(day):
        return _other_wording(quotation, cited, place, day)
    at = label_at(read_provision(place.version.text), found.start)
    where = _place_name(place) + (f", apartado {at}" if at else "")
    if not cited:
        said = f"El escrito no dice de dónde es: está a la letra en {where}."
        warning = left_out(place.version.text, found)
        return finding_of(quotation, State.EXACT, said, place=place, warning=warning)
    old = (
        ""
        if place.version.valid_to is None
        else f" (redacción vigente hasta el {spelled(place.version.valid_to)})"
    )
    said = f"No está en lo que se cita: está a la letra en {where}{old}."
    return finding_of(quotation, State.MISPLACED, said, place=place)


def _nearest(parts: Sequence[str], own: Sequence[Place], day: date) -> tuple[quotation_words.Near, Place]:
    """The words of the cited provision that are most like the quotation, in its wording of the day if any."""
    now = [place for place in own if place.version.in_force_on(day)] or list(own)
    compared = now if len(now) <= MOST_COMPARED else sharing(parts, now) or now[:1]
    near = [(quotation_words.nearest(parts, place.version.text), place) for place in compared]
    return max(near, key=lambda one: one[0].likeness)


def _different(quotation: Quotation, likest: quotation_words.Near, place: Place) -> Finding:
    if likest.likeness < quotation_words.LIKE:
        named = _place_name(place) if place.block.label else place.norm.name
        said = f"Esas palabras no están en {named}, ni a la letra en ninguna otra norma cargada."
        return finding_of(quotation, State.DIFFERENT, said, place=place)
    said = "No es literal: las diferencias con la ley van marcadas."
    return finding_of(quotation, State.DIFFERENT, said, place=place, near=likest)


MOST_COMPARED = 6
"""Wordings that a quotation is compared with word by word; of a whole norm, those with its pairs of words."""


def _unlike(
    quotation: Quotation, cited: Sequence[Provision], near: tuple[quotation_words.Near, Place] | None
) -> Finding | None:
    """The state of words that stand nowhere and are like nothing, by what the text says that they are of."""
    if near is not None:
        return _different(quotation, *near)
    if not cited or all(map(is_private, cited)):
        return None
    if any(one.norm_id is None and not one.named for one in cited):
        said = "No se sabe de qué precepto es, y no está en los textos cargados."
        return finding_of(quotation, State.AMBIGUOUS, said)
    return finding_of(quotation, State.NOT_LOADED, "El texto del que se dice que es no está cargado.")


def _place_name(place: Place) -> str:
    named = block_name(place.block.label) if place.block.label else place.block.title or place.block.id
    return f"{place.norm.name}, {named}"


def finding_of(
    quotation: Quotation,
    state: State,
    said: str,
    *,
    place: Place | None = None,
    since: date | None = None,
    warning: str = "",
    near: quotation_words.Near | None = None,
) -> Finding:
    """The finding of a quotation with what it was held against, if anything."""
    return Finding(
        kind=Kind.QUOTATION,
        start=quotation.start,
        end=quotation.end,
        text=quotation.text,
        state=state,
        since=since,
        said=said,
        warning=warning,
        norm_id=place.norm.id if place else "",
        block_id=place.block.id if place else "",
        source=_place_name(place) if place else "",
        url=address(place.norm, place.block) if place else "",
        valid_from=place.version.valid_from if place else None,
        runs=near.runs if near else (),
    )
