"""Placeholders for the personal data of one run; each call restores its own.

A value keeps its placeholder through every call of a run. Each spelling has its own («[DNI_1]», «[DNI_1.2]»),
so that the restored text is letter for letter the original, as quotations need; only white space may differ.
A call restores only values of its own messages: a placeholder that a model invents stays as it is. Text that
already looks like a placeholder is replaced by one too, and so can never be taken for one of ours.
"""

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import pairwise

from masking.engine import find
from masking.finder import COMPANY, LISTED, PERSON, Span, settled
from masking.named_people import COMMON, FIRST
from masking.words import NO_NAMES, NO_PERSON, NOT_ALONE, plain_letters
from text.textnorm import STOPWORDS, fold_for_search

LITERAL = "TEXTO"
SHORTEST_ALONE = 4
"""Letters of a name that is masked wherever it stands alone."""
_KINDS = (
    "DNI|NIE|CIF|IBAN|CUENTA|NUSS|TARJETA|PASAPORTE|SANITARIA|MATRICULA|NACIMIENTO|DIRECCION|TELEFONO|EMAIL|NUMERO"
    "|PERSONA|EMPRESA|NOMBRE|TEXTO"
)
PLACEHOLDER = re.compile(rf"\[(?:{_KINDS})_\d{{1,6}}(?:\.\d{{1,6}})?\]")
_LEADS = re.compile(r"//|\bwww\.|\b(?:mailto|data|javascript):|[\w-]\.[a-z]{2,63}/", re.IGNORECASE)
_MAIL = re.compile(r"[^\s@]{0,100}@(?:[\w-]{1,63}\.){1,9}[a-z]{2,}", re.IGNORECASE)
FAR = 2000
"""Characters of an address that are looked at on each side of a placeholder."""
_UNFINISHED = re.compile(r"\[(?:[A-Z]{1,10}(?:_\d{0,6}(?:\.\d{0,6})?)?)?\Z")


def _open_end(text: str) -> str:
    """The end of a text that may go on as an address or the target of a link."""
    end = text[-FAR:]
    target = end.rpartition("\n")[2].rpartition("](")
    if target[1] and ")" not in target[2]:
        return target[1] + target[2]
    return "" if not end or end[-1].isspace() else end.split()[-1]


def _is_in_address(text: str, start: int, end: int) -> bool:
    """True inside an address or the target of a link: what is put back there is sent to where it leads."""
    before, after = _open_end(text[max(0, start - FAR) : start]), text[end : end + FAR]
    return before.startswith("](") or bool(_LEADS.search(before) or _MAIL.match(after))


@dataclass(frozen=True)
class Masked:
    """Texts with placeholders, and the value of each placeholder."""

    texts: tuple[str, ...]
    values: dict[str, str]

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """(kind, number of different values replaced), by kind."""
        marks = {mark.strip("[]").split(".")[0] for mark in self.values}
        kinds = Counter(mark.split("_")[0] for mark in marks)
        kinds.pop(LITERAL, None)
        return tuple(sorted(kinds.items()))

    def restore(self, text: str) -> str:
        """A reply with its placeholders replaced by their values, but for those inside an address."""

        def value(match: re.Match[str]) -> str:
            held = match[0] in self.values and _is_in_address(text, *match.span())
            return match[0] if held else self.values.get(match[0], match[0])

        return PLACEHOLDER.sub(value, text)


@dataclass
class Restorer:
    """Restores a growing reply piece by piece, and holds back an unfinished placeholder until its end."""

    masked: Masked
    on_delta: Callable[[str], None]
    _held: str = field(default="", init=False)
    _open: str = field(default="", init=False)

    def __call__(self, piece: str) -> None:
        text = self._held + piece
        unfinished = _UNFINISHED.search(text)
        cut = unfinished.start() if unfinished else len(text)
        self._held = text[cut:]
        if cut:
            self._pass_on(text[:cut])

    def end(self) -> None:
        """Pass on the text still held back: at the end of the reply it is not a placeholder."""
        if self._held:
            self.on_delta(self._held)
        self._held = ""

    def _pass_on(self, text: str) -> None:
        told = len(self.masked.restore(self._open))
        self.on_delta(self.masked.restore(self._open + text)[told:])
        self._open = _open_end(self._open + text)


class NamesOfRun:
    """Names to mask wherever they occur: those of a list, and those found so far with their parts."""

    def __init__(self, listed: Iterable[str] = ()) -> None:
        self._whole: dict[str, str] = {}
        self._alone: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None
        for name in listed:
            self._put(name, LISTED)

    def add(self, name: str, kind: str) -> None:
        """Add a name found in a text and, of a person, its pairs of words and unambiguous single words."""
        words = [word for word in name.split() if word[:1].isupper() and plain_letters(word) not in STOPWORDS]
        if len(name.split()) == 1:
            if self._may_stand_alone(name):
                self._alone.setdefault(name, kind)
        else:
            self._put(name, kind)
        if kind != COMPANY and len(words) > 1:
            for one, other in pairwise(words):
                self._put(f"{one} {other}", kind)
            for word in words:
                if self._may_stand_alone(word):
                    self._alone.setdefault(word.capitalize() if word.isupper() else word, kind)
        self._pattern = None

    def find(self, text: str) -> Iterator[Span]:
        if not self._whole and not self._alone:
            return
        if self._pattern is None:
            self._pattern = self._compiled()
        for match in self._pattern.finditer(text):
            key = " ".join(fold_for_search(match[0]).split())
            kind = self._whole.get(key) or self._alone.get(match[0]) or self._alone.get(match[0].capitalize())
            if kind:
                yield Span(match.start(), match.end(), kind, key)

    def _put(self, name: str, kind: str) -> None:
        key = " ".join(fold_for_search(name).split())
        if key:
            self._whole.setdefault(key, kind)

    @staticmethod
    def _may_stand_alone(word: str) -> bool:
        key = plain_letters(word)
        if len(word) < SHORTEST_ALONE or key in NOT_ALONE | NO_NAMES | NO_PERSON | STOPWORDS:
            return False
        return key not in COMMON or key in FIRST

    def _compiled(self) -> re.Pattern[str]:
        wholes = [r"\s+".join(map(_spelt, key.split())) for key in self._whole]
        alone = [f"{re.escape(word)}|{re.escape(word.upper())}" for word in self._alone]
        branches = sorted(wholes, key=len, reverse=True)
        parts = [f"(?i:{'|'.join(branches)})"] if branches else []
        return re.compile(rf"(?<!\w)(?:{'|'.join([*parts, *alone])})(?!\w)")


_ACCENTS = {"a": "aáàâä", "e": "eéèêë", "i": "iíìîï", "o": "oóòôö", "u": "uúùûü", "n": "nñ", "c": "cç"}


def _spelt(word: str) -> str:
    """Pattern for a folded word, with and without accents."""
    return "".join(f"[{_ACCENTS[char]}]" if char in _ACCENTS else re.escape(char) for char in word)


@dataclass
class Vault:
    """The placeholders assigned so far. Thread-safe.

    Attributes:
        opening: question and history of the run, read before the first text is sent: their names are masked
            in later texts too, even where nothing announces a name.
    """

    opening: Sequence[str] = ()
    _numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    _spellings: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    _known: dict[tuple[str, ...], NamesOfRun] = field(default_factory=dict)
    _found: dict[tuple[tuple[str, ...], str], list[Span]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def mask(self, texts: Sequence[str], listed: tuple[str, ...] = ()) -> Masked:
        """The texts with personal data replaced by placeholders.

        Args:
            listed: names to mask wherever they occur (`MASK_NAMES`).
        """
        with self._lock:
            known = self._known.get(listed)
            if known is None:
                known = self._known[listed] = NamesOfRun(listed)
                for text in self.opening:
                    self._replace(text, self._spans(text, listed), {})
            found = [self._spans(text, listed) for text in texts]
            values: dict[str, str] = {}
            # Names found in a later text count in an earlier one too.
            masked = tuple(
                self._replace(text, settled([*known.find(text), *spans]), values)
                for text, spans in zip(texts, found, strict=True)
            )
        return Masked(masked, values)

    def _spans(self, text: str, listed: tuple[str, ...]) -> list[Span]:
        """The personal data of a text; its names are known from then on beside those listed."""
        if (listed, text) in self._found:
            return self._found[listed, text]
        literals = (Span(*match.span(), LITERAL, match[0]) for match in PLACEHOLDER.finditer(text))
        spans = settled([*literals, *find(text)])
        for span in spans:
            if span.kind in (PERSON, COMPANY):
                self._known[listed].add(" ".join(text[span.start : span.end].split()), span.kind)
        self._found[listed, text] = spans
        return spans

    def _replace(self, text: str, spans: Iterable[Span], values: dict[str, str]) -> str:
        parts: list[str] = []
        position = 0
        for span in spans:
            # White space becomes one blank: a line feed would break the JSON that the value returns to.
            value = " ".join(text[span.start : span.end].split())
            mark = self._mark(span, value)
            values[mark] = value
            parts += [text[position : span.start], mark]
            position = span.end
        return "".join([*parts, text[position:]])

    def _mark(self, span: Span, value: str) -> str:
        key = (span.kind, span.key)
        if key not in self._numbers:
            self._numbers[key] = 1 + sum(kind == span.kind for kind, _ in self._numbers)
        spellings = self._spellings.setdefault(key, [])
        if value not in spellings:
            spellings.append(value)
        place = spellings.index(value)
        return f"[{span.kind}_{self._numbers[key]}{f'.{place + 1}' if place else ''}]"


_CURRENT: ContextVar[Vault | None] = ContextVar("vault", default=None)


@contextmanager
def one_run(texts: Sequence[str]) -> Iterator[None]:
    """One vault for everything awaited in this block and every task started there; `texts` is its opening."""
    token = _CURRENT.set(Vault(tuple(texts)))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def current() -> Vault:
    """The vault of the run under way; outside of one, a vault for this call alone."""
    return _CURRENT.get() or Vault()
