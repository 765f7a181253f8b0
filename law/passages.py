"""The passage of a text that is nearest to some words. Pure functions."""

from collections import Counter
from collections.abc import Collection, Sequence
from math import fsum, log

from law.provision import Unit
from law.provision_reading import read_provision
from text.segmentation import Span
from text.textnorm import stems

LEAD = 120
"""Characters of an apartado that stand before its nearest passage, if that is far from its beginning."""
BEFORE = 4
"""A sentence too long is cut so that a fourth of what is shown stands before the first word wanted."""


def passage(text: str, wanted: Collection[str], limit: int) -> str:
    """At most about `limit` characters of the text in one line, with «…» where it goes on.

    They are the run of sentences that holds most of the stems wanted, the rarer in the text the more, with as
    much of what follows, or goes before, as there is room for; the beginning of the text when it holds none.
    """
    spans = read_provision(text).sentences
    if len(text) <= limit or not spans:
        return " ".join(text.split())
    run = _richest(text, spans, wanted, limit)
    begin, stop = _window(text, run, wanted, limit)
    before = "… " if begin > spans[0].start else ""
    return f"{before}{' '.join(text[begin:stop].split())}{' …' if stop < spans[-1].end else ''}"


def excerpt(text: str, wanted: Collection[str], limit: int, opening: int) -> str:
    """The beginning of the text, then its nearest passage with the first words of the apartado that holds it.

    In one line; «[…]» stands between the two, and «…» where something is left out. The first words and the
    beginning come on top of `limit`, in LEAD and `opening` characters.
    """
    provision = read_provision(text)
    spans = provision.sentences
    if len(text) <= limit + opening or not spans:
        return " ".join(text.split())
    run = _richest(text, spans, wanted, limit)
    starts = [part.start for part in provision.parts if len(part.path) <= 1 and part.start <= run.start]
    first, head = max(starts, default=run.start), ""
    if run.end - first <= limit:
        begin, stop = _window(text, Span(first, run.end), wanted, limit)
    else:
        head = f"{_cut(text[first : run.start], LEAD)} "
        begin, stop = _window(text, run, wanted, limit)
    said = f"{head}{' '.join(text[begin:stop].split())}{' …' if stop < spans[-1].end else ''}"
    before = text[: first if head else begin].strip()
    if not before:
        return said
    return f"{_cut(before, opening)} […] {said}" if opening else f"… {said}"


def _cut(text: str, limit: int) -> str:
    """The first words of a text, with «…» if it goes on."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit].rpartition(' ')[0]} …"


def _richest(text: str, spans: Sequence[Unit], wanted: Collection[str], limit: int) -> Span:
    """The run of sentences that holds most of the stems wanted."""
    held = [set(stems(text[span.start : span.end])) & set(wanted) for span in spans]
    frequency = Counter(stem for one in held for stem in one)
    weights = {stem: log(1 + len(spans) / count) for stem, count in frequency.items()}
    best, first, last = -1.0, 0, 0
    for start in range(len(spans)):
        found: set[str] = set()
        for end in range(start, len(spans)):
            if end > start and spans[end].end - spans[start].start > limit:
                break
            found |= held[end]
            # Exact: the order of a set differs between processes, and runs that weigh alike are many.
            score = fsum(weights[stem] for stem in found)
            if score > best or (score == best and start == first):
                best, first, last = score, start, end
    return Span(spans[first].start, spans[last].end)


def _window(text: str, run: Span, wanted: Collection[str], limit: int) -> tuple[int, int]:
    if run.end - run.start > limit:
        return _around(text, run, wanted, limit)
    return _filled(text, run, limit)


def _filled(text: str, run: Span, limit: int) -> tuple[int, int]:
    """The run with what follows it, up to the limit, and at the end of the text with what goes before it."""
    begin, stop = run.start, min(len(text), run.start + limit)
    if stop < len(text):
        return begin, max(run.end, text.rfind(" ", run.end, stop))
    return text.find(" ", stop - limit, begin + 1) + 1 or begin, stop


def _around(text: str, sentence: Span, wanted: Collection[str], limit: int) -> tuple[int, int]:
    """The part of a sentence around its first word wanted, cut between words."""
    start, end = sentence
    place = start
    for word in text[start:end].split():
        place = text.index(word, place)
        if set(stems(word)) & set(wanted):
            break
        place += len(word)
    else:
        place = start
    begin = max(start, place - limit // BEFORE)
    if begin > start:
        begin = text.find(" ", begin, place + 1) + 1 or place
    cut = min(end, begin + limit)
    return begin, cut if cut == end else max(text.rfind(" ", begin + 1, cut), begin + 1)
