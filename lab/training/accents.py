"""Spellings of the words that people type without their accents, or wrong: `python -m lab accents`.

Counted in our own questions whose authors type accents and, where ../shared/boe is, in the words of the law;
writes `lexicon/accents.txt` and `lexicon/words.txt` (`lexicon.accents` and `lexicon.spelling` say how).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from lab.harness import BOE
from lab.training.asked_words import AIDS
from lab.training.questions import entries
from law.labels import fold
from lexicon.accents import AFTER, BEFORE, END, FILE, START, TOKEN, is_accented
from lexicon.data_files import FOLDER
from lexicon.spelling import FILE as WORDS_FILE
from lexicon.spelling import forget, misspelled
from loading.aids.shipped_aids import Enrichment
from masking.words import WORDS
from service.config import ROOT

ALONE = 0.97
"""Share of its uses from which on a spelling is the only one."""
TWICE, USED, BESIDE, SURE = 2, 3, 4, 0.75
"""Uses of a word, of a second spelling, and of both beside another word, which tells this share of them."""
IN_THE_LAW = 10
"""Uses in the law of a word that no question has."""
COMMON, LETTERS = 8, 4
"""Uses and letters of a word that a misspelt one may be read as."""
NAMES = ("given", "family", "first", "nicknames", "towns", "regions")
_TAG = re.compile(r"<[^>]*>")

Counts = defaultdict[str, Counter[str]]


def main() -> None:
    asked, beside = _counted(filter(_has_accents, _asked()))
    law, _ = _counted(_law())
    lines = list(_lines(asked, beside))
    lines += [
        spelled
        for word, counts in law.items()
        if word not in asked and (spelled := _alone(counts, IN_THE_LAW)) and spelled != word
    ]
    FILE.write_text(
        "".join(f"{line}\n" for line in sorted(lines, key=lambda line: (fold(line), line))), "utf-8"
    )
    print(f"{FILE.name}: {len(lines)} lines")
    words = list(_words(_counted(_asked())[0], law))
    _write(words)
    alike = [word for word in _names() if misspelled(word)]
    _write(words + alike)
    print(f"{WORDS_FILE.name}: {len(words)} words, {len(alike)} names that look like another")


def _words(asked: Counts, law: Counts) -> Iterator[str]:
    """The usual spelling of each word, with its uses if it is common."""
    for word in asked.keys() | law.keys():
        counts = asked[word] + law[word]
        spelled, total = counts.most_common(1)[0][0], counts.total()
        yield f"{spelled} {total}" if total >= COMMON and len(word) >= LETTERS else spelled


def _names() -> set[str]:
    """Names of people and the words of our lists, of which neither a question nor the law tells."""
    lists = (re.sub(r"\\\\?[a-z]", " ", file.read_text("utf-8")) for file in FOLDER.glob("*.toml"))
    listed = (token[0].lower() for text in lists for token in TOKEN.finditer(text))
    people = (name for kind in NAMES for name in WORDS[kind])
    return {word for word in (*listed, *people) if word.isalpha()}


def _write(words: Iterable[str]) -> None:
    WORDS_FILE.write_text("".join(f"{word}\n" for word in sorted(words)), "utf-8")
    forget()


def _asked() -> Iterator[str]:
    """Questions and keywords that ship, and those that teach; none of an evaluation set."""
    aids = Enrichment(AIDS)
    for file in sorted(AIDS.glob("*.jsonl")):
        for aid in aids.of(file.stem).values():
            yield from (*aid.questions, *aid.keywords)
    for file in sorted((ROOT / "data" / "training").glob("*.jsonl")):
        yield from (entry["question"] for entry in entries(file.stem) if "question" in entry)


def _law() -> Iterator[str]:
    return (_TAG.sub(" ", file.read_text("utf-8")) for file in sorted(BOE.glob("*/texto.xml")))


def _has_accents(text: str) -> bool:
    return any(is_accented(token[0]) for token in TOKEN.finditer(text))


def _counted(texts: Iterable[str]) -> tuple[Counts, dict[str, Counts]]:
    """Spellings of each word without its accents, and those beside each neighbour («<por»)."""
    counts: Counts = defaultdict(Counter)
    beside: dict[str, Counts] = defaultdict(lambda: defaultdict(Counter))
    for text in texts:
        spelled = [token[0].lower() for token in TOKEN.finditer(text)]
        said = [fold(word) for word in spelled]
        for before, word, after, own in zip([START, *said], said, [*said[1:], END], spelled, strict=False):
            if word.isalpha():
                counts[word][own] += 1
                beside[word][AFTER + before][own] += 1
                beside[word][BEFORE + after][own] += 1
    return counts, beside


def _alone(counts: Counter[str], least: int) -> str:
    """The only spelling of a word that is used as often as that; '' without one."""
    (spelled, uses), total = counts.most_common(1)[0], counts.total()
    return spelled if total >= least and uses >= ALONE * total else ""


def _lines(
    asked: Mapping[str, Counter[str]], beside: Mapping[str, Mapping[str, Counter[str]]]
) -> Iterator[str]:
    for word, counts in asked.items():
        if spelled := _alone(counts, TWICE):
            if spelled != word:
                yield spelled
        elif counts.total() >= TWICE and sum(uses >= USED for uses in counts.values()) > 1:
            yield from _in_context(*_two(counts, beside[word]), beside[word])


def _two(counts: Counter[str], beside: Mapping[str, Counter[str]]) -> tuple[str, str]:
    """The spelling that is most common after words too rare to tell, and the next one."""
    rare = [one for side, one in beside.items() if side.startswith(AFTER) and one.total() < BESIDE]
    alone = sum(rare, Counter[str]())
    usual, second, *_ = sorted(counts, key=lambda spelled: (-alone[spelled], -counts[spelled], spelled))
    return usual, second


def _in_context(usual: str, second: str, beside: Mapping[str, Counter[str]]) -> Iterator[str]:
    """A line for each other spelling with the words beside which it is meant; if none tell, the two."""
    found: dict[str, list[str]] = defaultdict(list)
    for neighbour, counts in sorted(beside.items()):
        spelled, uses = counts.most_common(1)[0]
        if spelled != usual and counts.total() >= BESIDE and uses >= SURE * counts.total():
            found[spelled].append(neighbour)
    for other, neighbours in found.items():
        sides = ((side, [one[1:] for one in neighbours if one[0] == side]) for side in (AFTER, BEFORE))
        yield " ".join([usual, other, *(f"{side} {' '.join(words)}" for side, words in sides if words)])
    if not found and usual != fold(usual):
        yield f"{usual} {second}"
