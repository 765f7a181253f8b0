"""Form of a question: chat spelling, type, dependence on the previous one, parts. Pure functions."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from unicodedata import normalize

from law.labels import fold
from lexicon.accents import accented
from lexicon.data_files import read_toml
from lexicon.usual_names import known_norms
from models.chat import Turn
from rag.question.understanding import QuestionType
from text.textnorm import stems

MAX_QUERIES = 4
MAX_TEXT = 1000

_WORD = re.compile(r"[^\W\d_]+(?![\w/.]*\d)")
# Whom a lawyer asks for says nothing of the law; of who works for himself the client is the other party.
_REPRESENTED = re.compile(
    r"(?:\b(?:a|de|con|para|por|contra|sobre)\s+)?\b(?:mis?|nuestr[oa]s?)\s+"
    r"(?:client[ea]s?|representad[oa]s?|mandantes?|defendid[oa]s?|patrocinad[oa]s?)\b,?\s*",
    re.I,
)
_OWN_ACCOUNT = re.compile(r"aut[oó]nom|cuenta propia|\btrade\b|factur|mercantil|freelance", re.I)
_DRAWN_OUT = re.compile(r"([^\W\d])\1{2,}", re.I)
_MARKS = re.compile(r"([?!.,;])\1+|\s+(?=[?!.,;])")

_LINKED = re.compile(
    r"^\W*(?:y|e|pero|entonces|tambien|ademas|en ese caso|y si|vale|ok|si,|no,|o sea|o)\b(?!\s+(?:los"
    r"|las|el|la)\s+\w+\s+\w+\s+\w+)"
)
_DIFFERENCE = re.compile(
    r"(?:(?:diferencias?|distinci[oó]n|comparaci[oó]n|comparativa)\s+(?:que\s+)?(?:hay\s+|existen?\s+)?entre"
    r"|se\s+diferencian?|se\s+distinguen?|compar(?:a|ar|e|ando)(?:\s+entre)?)\s+"
    r"(?P<first>.+?)\s+(?:y|e|con|frente a|versus|vs\.?)\s+(?P<second>[^?.;]+)",
    re.I,
)
_QUESTION = re.compile(r"[^¿?]*¿[^¿?]+\?|[^¿?]+\?")
_INTERROGATIVE = (
    r"(?:qué|cuánt[oa]s?|cuándo|cómo|dónde|quién(?:es)?|cuál(?:es)?|por qué|a quién|en qué"
    r"|con qué|desde cuándo)"
)
_ASKING = rf"(?:(?:a|de|en|con|por|desde|hasta)\s+)?{_INTERROGATIVE}\b"
_NEXT_QUESTION = re.compile(rf"\s*,?\s+(?:y|e|o)\s+(?={_ASKING})", re.I)
# «¿Cuántos días son y puedo cogerlos cuando quiera?»
_NEXT_VERB = re.compile(
    r"(?<=\w),?\s+(?:y|e)\s+(?=(?:si\s+)?(?:(?:me|se|le|nos|lo|la|los|las)\s+)*"
    r"(?:pued\w+|podr\w+|podemos|tengo que|tiene[ns]? que|tenemos que|deb[eo]n?|hay que)\b)",
    re.I,
)
_SUBJECT_OF = re.compile(
    r"\b(?P<of>(?:de|del|para|en)\s+(?:l[ao]s?\s+|el\s+|un[ao]?\s+)?)(?P<a>[^,?¿]{4,60}?)"
    r"\s+y\s+(?:de|del|para|en)\s+(?:l[ao]s?\s+|el\s+|un[ao]?\s+)?(?P<b>[^,?¿]{4,60})",
    re.I,
)


def clean(text: str) -> str:
    """The question without chat spelling, capitals throughout or whom it is asked for, with its accents.

    «xq no le dan dias libres a mi cliente???» → «por qué no le dan días libres?».
    """
    joined = _lowered(" ".join(normalize("NFC", text).split()))
    if not _OWN_ACCOUNT.search(joined):
        joined = _REPRESENTED.sub("", joined) or joined
    spelled = accented(_WORD.sub(_spelled, joined))
    return _MARKS.sub(lambda match: match[1] or "", _DRAWN_OUT.sub(r"\1", spelled)).strip()


def _lowered(text: str) -> str:
    """A text all in capitals in small letters, but for the acronyms of norms."""
    if not text.isupper() or " " not in text:
        return text
    return _WORD.sub(lambda word: word[0] if word[0] in _acronyms() else word[0].lower(), text)


@lru_cache(maxsize=1)
def _acronyms() -> frozenset[str]:
    names = (name for norm in known_norms() for name in (norm.alias, *norm.aliases) if name)
    return frozenset(name for name in names if name.isupper() and name.isalpha())


def _spelled(match: re.Match[str]) -> str:
    word = match[0]
    return word if word.isupper() and len(word) > 1 else _spelling().get(word.lower(), word)


@lru_cache(maxsize=1)
def _spelling() -> dict[str, str]:
    spelling: dict[str, str] = read_toml("questions.toml")["spelling"]
    return spelling


@lru_cache(maxsize=1)
def _types() -> tuple[tuple[QuestionType, re.Pattern[str]], ...]:
    types: dict[QuestionType, list[str]] = read_toml("questions.toml")["types"]
    return tuple((name, re.compile("|".join(patterns))) for name, patterns in types.items())


def question_type(question: str) -> QuestionType:
    """The kind of answer wanted: the first of `questions.toml` that fits, else 'open'."""
    folded = fold(question)
    for name, pattern in _types():
        if pattern.search(folded):
            return name
    return "open"


def is_follow_up(question: str) -> bool:
    """True if it depends on the previous question: a linking word, a pronoun, or no subject of its own."""
    folded = fold(question)
    generic, anaphora = _follow_up()
    own = {stem for stem in stems(question) if stem not in generic}
    return bool(
        not own or (_LINKED.match(folded) and len(own) < 6) or (anaphora.search(folded) and len(own) < 5)
    )


@lru_cache(maxsize=1)
def _follow_up() -> tuple[frozenset[str], re.Pattern[str]]:
    """Stems that are no subject, and the words that speak of the question before."""
    data = read_toml("questions.toml")
    return frozenset(stems(" ".join(data["generic"]))), re.compile(rf"\b(?:{'|'.join(data['anaphora'])})\b")


def self_contained(question: str, history: Sequence[Turn]) -> str:
    """The question preceded by the last self-contained one and the latest follow-up between them, if any."""
    taken: list[str] = []
    for turn in reversed(history):
        if turn.role != "user" or not turn.text.strip():
            continue
        previous = clean(turn.text)
        if not is_follow_up(previous):
            taken.append(previous)
            break
        if not taken:
            taken.append(previous)
    return " ".join([*reversed(taken), question])[-MAX_TEXT:] if taken else question


def split_question(whole: str, *, follow_up: bool = False) -> list[str]:
    """One to four searches: one for each question asked, or the whole and each of two concepts."""
    # Patterns that begin with white space take the cube of its length.
    whole = " ".join(whole.split())
    asked = [one.strip() for one in _QUESTION.findall(whole) if stems(one)]
    if len(asked) > 1 and not follow_up:
        return list(dict.fromkeys(_carried(asked, is_follow_up)))[:MAX_QUERIES]
    pair = _DIFFERENCE.search(whole)
    if pair and stems(pair["first"]) and stems(pair["second"]):
        return [whole, _bare(pair["first"]), _bare(pair["second"])]
    if not follow_up:
        parts = [part.strip(" ¿?") for part in _NEXT_QUESTION.split(whole)]
        if len(parts) > 1 and all(len(stems(part)) > 0 for part in parts):
            return list(dict.fromkeys([whole, *_carried(parts)]))[:MAX_QUERIES]
        verbs = [part.strip(" ¿?") for part in _NEXT_VERB.split(whole, maxsplit=1)]
        if len(verbs) > 1 and _depends(verbs[1]) and re.search(rf"¿|{_ASKING}", verbs[0], re.I):
            return _carried(verbs)
    return [whole, *_two_subjects(whole)]


def own_question(search: str, whole: str) -> str:
    """The part of the whole that a search of `split_question` asks, without the subject that it carries."""
    asked = _QUESTION.findall(whole)
    parts = asked if len(asked) > 1 else _NEXT_QUESTION.split(whole)
    others = (part.strip(" ¿?") for part in parts[1:])
    ends = search.strip(" ¿?")
    return next((part for part in others if part and ends.endswith(part) and search != whole), search)


def _depends(part: str) -> bool:
    """True for a part that depends on the one before it or hardly has a word of its own («cuánto cobro»)."""
    generic, _ = _follow_up()
    return is_follow_up(part) or len({*stems(part)} - generic) < 2


def _carried(parts: list[str], depends: Callable[[str], bool] = _depends) -> list[str]:
    """The parts, the later ones after what the first tells before it asks.

    If it tells nothing, one that depends on it («¿y cuánto dura?») is preceded by its subject.
    """
    first, *others = parts
    told, mark, _ = first.rpartition("¿")
    if mark and stems(told):
        return [first, *(f"{told.strip()} {part}" for part in others)]
    return [first, *(f"{_subject(first)} {part}" if depends(part) else part for part in others)]


def _subject(question: str) -> str:
    """The question without the words that only ask: «cuánto dura el paro» → «el paro»; whole if it is all."""
    generic, _ = _follow_up()
    kept = (word for word in question.split() if not (own := set(stems(word))) or not own <= generic)
    subject = re.sub(rf"^\W*(?:{_ASKING})\W+", "", " ".join(kept), flags=re.I)
    return subject.strip(" ¿?") if stems(subject) else question


def _two_subjects(whole: str) -> list[str]:
    """Two searches from «requisitos de la jubilación parcial y de la anticipada», or none."""
    pair = _SUBJECT_OF.search(whole)
    if (
        pair is None
        or not stems(pair["a"])
        or not stems(pair["b"])
        or set(stems(pair["b"])) <= set(stems(pair["a"]))
    ):
        return []
    head = whole[: pair.start("a")]
    return [_bare(head + pair["a"]), _bare(head + pair["b"])]


def _bare(text: str) -> str:
    return text.strip(" ¿?¡!.,;:")
