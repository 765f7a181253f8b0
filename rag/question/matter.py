"""Matter of a question, by a lexicon (`lexicon/matters.toml`). Pure functions.

Each entry found gives points to its subject; the sum of our subjects competes with the sum of the others. A
tie is ours: «indemnización por despido e IRPF» deserves half an answer.
"""

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from lexicon.data_files import read_toml
from rag.question.understanding import Branch, Matter
from text.phrases import Phrases
from text.textnorm import fold_for_search, stems, words

SURE, STRONG, WEAK, DOUBT = 4.0, 2.0, 1.0, 1.0

_LAW_WORDS = (
    r"(?:ley|leyes|legislacion|derecho|codigo|normativa|norma|jurisprudencia|constitucion|estatuto|tribunal"
    r"|sistema|regimen|reglamento)(?: \w+){0,5}?"
)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]*")
_ASKS = re.compile(
    r"\b(?:cuant[oa]s?|cual(?:es)?|que (?:pasa|hago|plazo|puedo|derecho|me)|como|cuando|quien(?:es)?|donde"
    r"|puedo|puede|pueden|podemos|tengo derecho|corresponden?|hay que|es legal|me toca)\b"
)
_VERB = re.compile(r"[aei]r(?:me|se|te)?$")


class _Entry(NamedTuple):
    subject: str
    phrase: str
    points: float


class _Subject(NamedTuple):
    label: str
    where: str
    own: bool
    legal: bool


def matter(question: str) -> Matter:
    """The subject with most points of the winning side; 'unknown' when no entry was found.

    What stands outside the sentences that ask counts half: it tells the story.
    """
    country = foreign(question)
    entries = matches(question)
    subjects = _lexicon().subjects
    points: Counter[str] = Counter()
    for entry in chain(entries, matches(asking(question))):
        points[entry.subject] += entry.points / 2  # type: ignore[assignment]
    ours = sum(value for name, value in points.items() if subjects[name].own)
    others = sum(points.values()) - ours
    fired = tuple(dict.fromkeys(entry.phrase for entry in entries))
    if country:
        where = f"la legislación de {country}"
        return Matter(
            branch="other_branch",
            label="Derecho extranjero",
            where=where,
            score=1.0,
            fired=fired,
            foreign=country,
        )
    if not points:
        return Matter()
    own = ours >= others
    side = {name: value for name, value in points.items() if subjects[name].own == own}
    best = max(side, key=lambda name: side[name])
    branch: Branch = "own" if own else "other_branch" if subjects[best].legal else "not_legal"
    return Matter(
        branch=branch,
        subject=best,
        label=subjects[best].label,
        where=subjects[best].where,
        score=round(max(ours, others) / (ours + others + DOUBT), 4),
        fired=fired,
    )


def asking(question: str) -> str:
    """The sentences of the question that ask something; all of it if none or every one does."""
    said = [sentence for sentence in _SENTENCE.findall(question) if any(map(str.isalpha, sentence))]
    asked = [sentence for sentence in said if "?" in sentence or _ASKS.search(fold_for_search(sentence))]
    return "".join(asked) if 0 < len(asked) < len(said) else question


def matches(question: str) -> list[_Entry]:
    """The entries found, in order of appearance, without overlaps; the longest wins."""
    lexicon = _lexicon()
    said = words(question)
    found: list[_Entry] = []
    for one in lexicon.phrases.find([_stem(word) for word in said]):
        meant = [
            entry
            for entry in lexicon.entries[one.phrase]
            if lexicon.subjects[entry.subject].own or _same_words(entry.phrase, said[one.start : one.end])
        ]
        # Several words of a subject may share a stem, which counts once.
        found += {entry.subject: entry for entry in reversed(meant)}.values()
    return found


def foreign(question: str) -> str:
    """The country whose law is asked about, or empty."""
    folded = fold_for_search(question)
    laws, countries, ties = _abroad()
    for name, country in laws.items():
        if re.search(rf"\b{name}\b", folded):
            return country
    if ties.search(folded):
        return ""
    return next((country for country, asked in countries if asked.search(folded)), "")


@lru_cache(maxsize=1)
def _abroad() -> tuple[dict[str, str], list[tuple[str, re.Pattern[str]]], re.Pattern[str]]:
    """Country by the name of a law of its own, (country, words that ask about its law), ties to Spain."""
    data = read_toml("countries.toml")
    countries = []
    for country, adjective in data["adjectives"].items():
        stem = fold_for_search(adjective)
        own = rf"\b(?:{_LAW_WORDS}|contratos?|patrono?|empleador) {stem}(?:[oae]?s?|es)\b"
        countries.append((country, re.compile(f"{_of_place(country)}|{own}")))
    countries += [(country, re.compile(_of_place(place))) for place, country in data["places"].items()]
    return data["laws"], countries, re.compile(rf"\b(?:{'|'.join(data['ties'])})\b")


def _of_place(name: str) -> str:
    """Pattern of «en Francia», «la ley de Francia», and of a question that opens with «Francia»."""
    place = re.escape(fold_for_search(name))
    return rf"\ben (?:el |los |la )?{place}\b|\b{_LAW_WORDS} (?:de |del ){place}\b|^\W*{place}\b"


class _Lexicon(NamedTuple):
    subjects: Mapping[str, _Subject]
    entries: Mapping[str, list[_Entry]]
    phrases: Phrases


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    subjects: dict[str, _Subject] = {}
    entries: dict[str, list[_Entry]] = {}
    keys: dict[tuple[str, ...], str] = {}
    for name, section in read_toml("matters.toml").items():
        own = bool(section.get("own", False))
        subjects[name] = _Subject(section["label"], section.get("where", ""), own, section.get("legal", True))
        for field, points in (("sure", SURE), ("strong", STRONG), ("weak", WEAK)):
            for phrase in section.get(field, ()):
                tokens = tuple(_stem(word) for word in words(phrase))
                key = " ".join(tokens)
                keys[tokens] = key
                entries.setdefault(key, []).append(_Entry(name, phrase, points))
    return _Lexicon(subjects, entries, Phrases(keys))


def _stem(word: str) -> str:
    """The stem of a word, or a stopword as it is: «las horas extras» matches «hora extra»."""
    return (stems(word) or [word])[0]


def _same_words(phrase: str, said: list[str]) -> bool:
    """True if the words equal the phrase except in number; a verb may have any form.

    Stems alone are too wide to refuse a question: «lunes» shares one with «luna», «solo» with «sol».
    """
    return all(
        _VERB.search(own) or own == one or own in _singulars(one) or one in _singulars(own)
        for own, one in zip(words(phrase), said, strict=True)
    )


def _singulars(word: str) -> tuple[str, ...]:
    return (word[:-1], word[:-2]) if word.endswith("es") else (word[:-1],) if word.endswith("s") else ()
