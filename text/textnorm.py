"""Spanish words as the lexical search compares them: folded, without stopwords, stemmed. Pure functions.

Documents and queries go through the same functions, so that a word matches its own inflections.
"""

import re
import threading
import unicodedata
from functools import lru_cache

import Stemmer

_WORD = re.compile(r"[a-z0-9]+")
# An ordinal mark is a space; the usual Spanish letters need no decomposition. One `replace` each takes a
# twentieth of the time of `translate`.
_PLAIN = tuple(zip("ºª°áéíóúüñÁÉÍÓÚÜÑ\u00a0", "   aeiouunAEIOUUN ", strict=True))
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_COMPARED = re.compile(r"[^\w%€.,]+")

# Snowball's Spanish list (snowballstem.org, BSD) already folded, without the participles of «estar»: the
# longer public lists, and those participles, drop words that laws are made of (estado, trabajo, empleo).
_FUNCTION_WORDS = """
de la que el en y a los del se las por un para con no una su al lo como mas pero sus le ya o este si porque
esta entre cuando muy sin sobre tambien me hasta hay donde quien desde todo nos durante todos uno les ni
contra otros ese eso ante ellos e esto mi antes algunos unos yo otro otras otra tanto esa estos mucho
quienes nada muchos cual poco ella estar estas algunas algo nosotros mis tu te ti tus ellas nosotras
vosotros vosotras os mio mia mios mias tuyo tuya tuyos tuyas suyo suya suyos suyas nuestro nuestra nuestros
nuestras vuestro vuestra vuestros vuestras esos esas
"""
_AUXILIARY_FORMS = """
estoy esta estamos estais estan este estes estemos esteis esten estare estaras estara estaremos estareis
estaran estaria estarias estariamos estariais estarian estaba estabas estabamos estabais estaban estuve
estuviste estuvo estuvimos estuvisteis estuvieron estuviera estuvieras estuvieramos estuvierais estuvieran
estuviese estuvieses estuviesemos estuvieseis estuviesen estando he has ha hemos habeis han haya hayas
hayamos hayais hayan habre habras habra habremos habreis habran habria habrias habriamos habriais habrian
habia habias habiamos habiais habian hube hubiste hubo hubimos hubisteis hubieron hubiera hubieras
hubieramos hubierais hubieran hubiese hubieses hubiesemos hubieseis hubiesen habiendo habido habida habidos
habidas soy eres es somos sois son sea seas seamos seais sean sere seras sera seremos sereis seran seria
serias seriamos seriais serian era eras eramos erais eran fui fuiste fue fuimos fuisteis fueron fuera fueras
fueramos fuerais fueran fuese fueses fuesemos fueseis fuesen siendo sido tengo tienes tiene tenemos teneis
tienen tenga tengas tengamos tengais tengan tendre tendras tendra tendremos tendreis tendran tendria
tendrias tendriamos tendriais tendrian tenia tenias teniamos teniais tenian tuve tuviste tuvo tuvimos
tuvisteis tuvieron tuviera tuvieras tuvieramos tuvierais tuvieran tuviese tuvieses tuviesemos tuvieseis
tuviesen teniendo tenido tenida tenidos tenidas tened
"""
# A question's «cuántos» would otherwise match «cuantas disposiciones se opongan», rare and so weighty.
_INTERROGATIVES = "cuales cuanto cuanta cuantos cuantas"
STOPWORDS = frozenset((_FUNCTION_WORDS + _AUXILIARY_FORMS + _INTERROGATIVES).split())

# A vowel and an s, but not «cobramos» or «debemos»: Snowball stems those.
_PLURAL = re.compile(r"(?<!am)(?<!em)[aeiou]s$")
_ES_PLURAL = re.compile(r"[aeiou][lrndxy]es$")
_Z_PLURAL = re.compile(r"(?:ve|vo|jue|rai|apa|ica|tri)ces$")
_SINGULARS_IN_S = frozenset({"interes", "pais"})

_local = threading.local()


# Control characters, invisible marks, marks that reorder the displayed text, lone surrogates.
HIDDEN = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e01ef"
)
"""Characters and ranges, to be put between the brackets of a regular expression class."""
_HIDDEN = re.compile(f"[{HIDDEN}]")


def visible(text: str) -> str:
    """The text without characters that are invisible to a reader or reorder its letters."""
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub("", text)


def encodable(text: str) -> str:
    """The text without NUL and lone surrogates, which databases, indexes and endpoints refuse."""
    text = text.replace("\x00", "")
    return text if text.isascii() else text.encode("utf-8", "ignore").decode("utf-8")


def fold_for_search(text: str) -> str:
    """Lower case without accents; ñ becomes n and an ordinal mark a space, in documents and queries alike."""
    if not text.isascii():
        for accented, plain in _PLAIN:
            text = text.replace(accented, plain)
    return _FOREIGN.sub(_decomposed, text.lower())


def comparable_text(text: str) -> str:
    """Lower case without accents; words, figures, «%», «€», «.» and «,» with single spaces between."""
    return " ".join(_COMPARED.sub(" ", fold_for_search(text)).split()).replace(" ,", ",")


def _decomposed(match: re.Match[str]) -> str:
    decomposed = unicodedata.normalize("NFKD", match[0])
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def words(text: str) -> list[str]:
    """Folded words and numbers in order, stopwords included."""
    return _WORD.findall(fold_for_search(text))


def stems(text: str) -> list[str]:
    """Stems in order, repeated as often as they occur, without stopwords."""
    return [_stem(word) for word in words(text) if word not in STOPWORDS]


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    """Snowball's stem of the singular: from the plural, mujeres, años or militares would get another stem."""
    if word in _SINGULARS_IN_S:
        return word
    return str(_stemmer().stemWord(_singular(word)))


def _singular(word: str) -> str:
    if len(word) < 4 or not _PLURAL.search(word):
        return word
    if _Z_PLURAL.search(word):
        return word[:-3] + "z"
    return word[:-2] if _ES_PLURAL.search(word) else word[:-1]


def _stemmer() -> Stemmer.Stemmer:
    """One stemmer per thread: PyStemmer's objects keep state between calls."""
    if not hasattr(_local, "stemmer"):
        _local.stemmer = Stemmer.Stemmer("spanish")
    stemmer: Stemmer.Stemmer = _local.stemmer
    return stemmer
