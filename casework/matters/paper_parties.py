"""Persons and firms of the papers of a case, the sides that they are on, and their numbers of identity."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from casework.matters.fact_values import FIRM, LEGAL_FORM, MR, PERSON, tokens
from casework.matters.paper_clauses import Clause
from law import labels
from lexicon.paper_fields import field_of_fact, is_label, others

_FIRM = re.compile(FIRM)
_PERSON = re.compile(rf"(?P<mr>(?i:\b{MR}) )?(?P<name>{PERSON})")
_ID = re.compile(
    r"(?<![\w.])(?:[A-Z][-. ]{0,2}\n?(?:\d[. ]?){7}[0-9A-Z]|(?:\d[. ]?){8,9}[- ]?[A-Z])(?![A-Za-z0-9])"
)
_OF_FIRM = re.compile(r"[A-HJNP-SUVW]\d{7}[0-9A-J]")
ID_LENGTH, ID_NEAR = 9, 150
"""Characters of a number of identity, and those that it may stand away from its owner."""
HEADING, LETTERHEAD = 6, 4
"""Lines at the top of a paper that name its parties; of a letter so many more."""
WORDS_NEAR, CLOSE = 80, 3
"""Characters from words that tell a side to the name, twice as many for the sides of the contract; and from
words that a name needs where nothing else shows that it is one.
"""
SURE, LABELLED = 2, 3
"""Least weight of all mentions of a party, and the weight of a label."""
_TITLE = re.compile(r"[d./ ]*(?:d[nñ]?a\.?)?")
_LABELLED_FIRM = re.compile(r"empresa|emplead|razon social")
_NAME_ALONE = re.compile(
    r"\W*([A-Z][^|;:(\n]{2,80}?)(?= *(?:$|[(|]|,? (?:NIF|CIF|DNI|NIE|con|[CN]\.?I\.?F)\b))"
)
_WORKER_PART = re.compile(r"\b(?:trabajador\w*|emplead[oa])\b")
_EMPLOYER_PART = re.compile(r"\b(?:empresa|empleador\w*|titular)\b")
_OWNER = re.compile(
    r"[^\n;]{0,200}?\b(?:titular del? (?:establecimiento|negocio|explotacion)|empresari[oa] individual"
    r"|en adelante,? (?:(?:el|la) )?(?:empresari|emplead(?:or|ora)\b))"
)
_NUMBERED = re.compile(r"(?:(?! d\. | d\.ª|don |dona )[^;\n]){0,60}?\b(?:d\.?n\.?i|n\.?i\.?[ef])")
_GREETED = re.compile(r"(?i)^\W*(?:a la atencion de|sra?\.|a)\W*$")
_FIRST_WORD = re.compile(
    r"(?i)^(?:estimad[oa]|apreciad[oa]|querid[oa]|benvolgu\w+|resuelv[oe]|vida laboral de|senyora?"
    r"|certific\w+) "
)
_ASSISTED = re.compile(r"\b(?:asistid|representad|defendid)[oa] (?:por|del?)\b")
_HANDED_ON = re.compile(
    r"\b(?:subrog|adjudicatari|cesionari|traspas|sucesi|sucede|codemandad|solidaria|fusi[oó]n|absor|cesion)"
)
_NO_NAME = re.compile(
    r"^(?:la|el|los|las) |\b(?:vicerrector\w*|alcald\w*|encargad\w*|administra\w*|jef[ea]|director\w*"
    r"|gerencia|departamento|direccion|recursos|rrhh|servicio|centro|empresa|grupo|comunidad|gobierno|ministerio"
    r"|tesoreria|instituto|hospital|juzgado|contrato|trabajo|convenio|estatuto|ley|real|seguridad|social|carta|acta|recibo"
    r"|nomina|certificad\w*|informe|finiquito|comunicac\w*|burofax|asunto|hechos|clausula\w*|datos|presente"
    r"|despido|extincion|calle|avenida|plaza|polig\w*|carretera|domicilio|provincia|iban|oficial"
    r"|auxiliar|categoria|salarios?|total|base|plus|prorrata|fecha|periodo|mes|muy|senor\w*|por la"
    r"|una|otra|parte|atentamente|firma"
    r"|entrega|recibi|conforme|acuse|urgente|confidencial)\b"
)


class Party(NamedTuple):
    """A person or firm as a paper names it, or its number of identity.

    Attributes:
        side: the fact that it may be.
        name: its name, or the number.
        known: words of the name; of a number those of its owner too.
        weight: how surely; less than 0 for somebody else.
        paper: id of the document.
    """

    side: str
    name: str
    known: frozenset[str]
    weight: int
    clause: Clause
    start: int
    end: int
    paper: str


def parties_of(clauses: Sequence[Clause], paper: str, *, letter: bool) -> list[Party]:
    """The persons, firms and numbers of identity that a paper names."""
    found: list[Party] = []
    top = clauses[0].line + HEADING if clauses else 0
    for clause in clauses:
        firms = list(_firms(clause, paper, top))
        persons = _persons(clause, paper, top, letter=letter)
        found += firms
        found += [one for one in persons if not any(a.start < one.end and one.start < a.end for a in firms)]
    return [*found, *_numbers(clauses, found)]


def _firms(clause: Clause, paper: str, top: int) -> Iterator[Party]:
    said, label = labels.unaccented(clause.said), bool(field_of_fact("employer").label.search(clause.lead))
    matches = list(_FIRM.finditer(said))
    for match in matches:
        weight = _weight("firm", clause, said, *match.span())
        first = not said[: match.start()].strip(" .-·|")
        if label and first:
            weight += LABELLED
        elif first and weight >= 0 and (clause.line <= top or clause.alone):
            weight += SURE
        yield _party("employer", clause, match.span(), max(weight, 0), paper)
    if not matches and label and _LABELLED_FIRM.search(clause.lead):
        named = _NAME_ALONE.match(said)
        if named and not is_label(labels.fold(named[1])):
            yield _party("employer", clause, named.span(1), LABELLED, paper)


def _persons(clause: Clause, paper: str, top: int, *, letter: bool) -> Iterator[Party]:
    """Names that something shows to be of a person: a title, label, number or line, or words."""
    said = labels.unaccented(clause.said)
    lead = "" if _TITLE.fullmatch(clause.lead) or clause.lead.startswith("datos") else clause.lead
    for match in _PERSON.finditer(said):
        first = _FIRST_WORD.match(match["name"])
        span = match.start("name") + (first.end() if first else 0), match.end("name")
        before, after = _GREETED.sub("", said[: match.start()]).strip(" .,-·|"), said[match.end() :]
        if _NO_NAME.search(said[slice(*span)].lower()) or LEGAL_FORM.match(after.lstrip(" ,")):
            continue
        weight = _weight("person", clause, said, match.start(), match.end())
        in_part = not lead and _WORKER_PART.search(clause.section)
        labelled = bool(not before and (in_part or field_of_fact("worker").label.search(lead)))
        numbered = bool(_NUMBERED.match(after.lower()))
        alone = not before and not re.search(r"[A-Za-z]{4}", after) and not lead
        close = weight > 0 and _close(labels.fold(said[: match.start()]))
        if (labelled and _EMPLOYER_PART.search(clause.section)) or (
            match["mr"] and _OWNER.match(labels.fold(after))
        ):
            yield _party("employer", clause, span, LABELLED, paper)
        elif match["mr"] or labelled or numbered or close or (alone and (letter or clause.line <= top)):
            addressed = alone and letter and clause.line <= top + LETTERHEAD
            weight += LABELLED if labelled else SURE if addressed else int(numbered)
            yield _party("worker", clause, span, weight, paper)


def _close(before: str) -> bool:
    """True if words that point to the worker stand right before."""
    return any(len(before) - one.end() <= CLOSE for one in field_of_fact("worker").before.finditer(before))


def _party(side: str, clause: Clause, span: tuple[int, int], weight: int, paper: str) -> Party:
    start, end = span
    shown = clause.said[start:end].strip(" ,-|")
    if side == "worker" and "," in shown:  # «APELLIDOS, NOMBRE» in payslips.
        shown = " ".join(reversed([one.strip() for one in shown.split(",", 1)]))
    elif "." in shown[-5:] and clause.text[clause.start + end :].startswith(
        "."
    ):  # «S.L.» before a full stop.
        shown += "."
    return Party(side, shown, tokens(shown), weight, clause, clause.start + start, clause.start + end, paper)


def _weight(kind: str, clause: Clause, said: str, start: int, end: int) -> int:
    """How surely the nearest words make somebody a side of the contract; less than 0 for somebody else."""
    row, other = field_of_fact("employer" if kind == "firm" else "worker"), others()[kind]
    before, after = labels.fold(f"{clause.lead}\n{said[:start]}"), labels.fold(said[end:])

    def near(words: re.Pattern[str], most: int) -> int:
        place = max((one.end() for one in words.finditer(before)), default=-1)
        return place if place >= len(before) - most else -1

    mine, theirs = near(row.before, WORDS_NEAR * 2), near(other.before, WORDS_NEAR)
    weight = 0 if mine == theirs == -1 else LABELLED if mine > theirs else -LABELLED
    if other.after.match(_ASSISTED.split(after)[0]):
        return weight - LABELLED - 1
    return weight + (SURE if row.after.match(after) else 0)


def _numbers(clauses: Sequence[Clause], parties: Sequence[Party]) -> Iterator[Party]:
    """Numbers of identity, each with the side of the firm or person that it stands nearest to."""
    latest: dict[tuple[str, bool], int] = {}
    for clause in clauses:
        for match in _ID.finditer(labels.unaccented(clause.said)):
            number = re.sub(r"[^A-Z0-9]", "", match[0])
            number = number[1:] if len(number) > ID_LENGTH else number
            of_firm, at = bool(_OF_FIRM.fullmatch(number)), clause.start + match.start()
            last = latest.get((clause.text, of_firm), -1)
            latest[clause.text, of_firm] = at
            near = [
                one
                for one in parties
                if one.clause.text is clause.text
                and -ID_NEAR < one.start - at < ID_NEAR
                and _may_have(one, of_firm=of_firm)
                and not one.end <= last  # That number is theirs.
            ]
            if near:
                # A form may give the number before the name.
                owner = min(near, key=lambda one: at - one.end if one.end <= at else 40 + one.start - at)
                until, known = clause.start + match.end(), owner.known | {number}
                yield Party(f"{owner.side}_id", number, known, owner.weight, clause, at, until, owner.paper)


def _may_have(one: Party, *, of_firm: bool) -> bool:
    if one.side == "worker":
        return not of_firm
    return of_firm or not _FIRM.match(labels.unaccented(one.name))


def told_parties(parties: Sequence[Party]) -> dict[str, list[Party]]:
    """The sides of the contract that the papers of a case agree on, with their numbers, the surest first."""
    told: dict[str, list[Party]] = {}
    handed = any(_HANDED_ON.search(labels.fold(text)) for text in {one.clause.text for one in parties})
    for side in ("employer", "worker"):
        groups: list[list[Party]] = []
        for one in sorted((one for one in parties if one.side == side), key=lambda one: -len(one.known)):
            same = next((group for group in groups if one.known <= group[0].known), None)
            groups.append([one]) if same is None else same.append(one)
        weights = [(sum(one.weight for one in group), group) for group in groups]
        ranked = [pair for pair in sorted(weights, key=lambda pair: -pair[0]) if pair[0] >= SURE]
        # A second firm is one that gave the contract away, or took it; a second worker is none.
        more = [
            (weight, group)
            for weight, group in ranked[1:]
            if side == "employer"
            and handed
            and (weight > LABELLED or max(one.weight for one in group) >= LABELLED)
        ]
        told[side] = [_named_best(group) for _, group in (*ranked[:1], *more)]
        told[f"{side}_id"] = [
            number._replace(known=frozenset({number.name}))
            for who in told[side]
            for number in sorted(parties, key=lambda one: -one.weight)
            if number.side == f"{side}_id" and _is_of(number, who)
        ]
    return told


def _named_best(group: Sequence[Party]) -> Party:
    """The mention that names it as most do, in full before in short."""
    weights = Counter[frozenset[str]]()
    for one in group:
        weights[one.known] += max(one.weight, 0) + (len(one.known) > SURE)
    forms = Counter(labels.fold(one.name) for one in group)

    def order(one: Party) -> tuple[int, int, int, int]:
        known = one.known
        return weights[known], len(known), forms[labels.fold(one.name)], one.weight

    return max(group, key=order)


def _is_of(number: Party, who: Party) -> bool:
    name = number.known - {number.name}
    return bool(name) and (name <= who.known or who.known <= name)


def is_of_another(clause: Clause, at: int, workers: Sequence[Party]) -> bool:
    """True if the person named last in a clause before a place is none of these; False if nobody is."""
    names = [one for one in _PERSON.finditer(labels.unaccented(clause.text[clause.start : at])) if one["mr"]]
    known = tokens(names[-1]["name"]) if names and workers else frozenset[str]()
    return bool(known) and not any(known <= one.known or one.known <= known for one in workers)
