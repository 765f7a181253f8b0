"""Past events in a question: it asks what follows from them, or a right of today.

A hecho causante is judged by the law of its day. What somebody whom it happened to may do now is not.
"""

import re
from typing import NamedTuple

IMPERFECT = (
    r"(?:hab|ten|correspond|deb|dec|reg|establec|pod|preve|exig|exist|ped|permit|prevalec|conced|reconoc|inclu"
    r"|ascend|divid|extingu|reduc|dispon|requer|cubr|percib|proced|recib|comprend|imped|impon|ca|admit|serv|val)ian?"
    r"|(?!acab|grab)[a-z]{2,}aban?"
)

_DEADLINE = r"plazos?|reclam\w+|recurr\w+|impugn\w+|demand\w+|prescri\w+|caduc\w+|silencio"
_BENEFIT = (
    r"pension\w*|pagas?|bases?|porcentajes?|por ciento|cobr\w+|cuantias?|prestacion\w*|subsidios?|ayudas?"
    r"|complementos?|incapacidad|incapacit\w+|lesion\w*|baremo|invalidez|grado|bajas?"
    rf"|{_DEADLINE}"
)
_LEAVES_OF_A_CHILD = r"semanas|maternidad|maternal|paternidad|nacimiento|parto|lactancia"
_WORK_ENDED = r"despid(?:ieron|io)|despedid[oa]s?|despedi|echaron|extinguio|ces[eo]|cesad[oa]"
# What happened, and words for what follows from it: its benefit, its compensation, its plazo.
_FOLLOWS = (
    (
        _WORK_ENDED,
        r"indemniza\w+|despidos?|despid[ao]n?|despedir\w*|extincion|(?:im)?proceden\w+|nul[oa]|finiquito|readmi\w+"
        rf"|tramitacion|preaviso|fogasa|dias por ano|paro|desempleo|prestacion|{_DEADLINE}",
    ),
    (
        r"me jubil[eo]|se jubilo|jubilad[oa]s?",
        rf"jubil\w+|edad|coeficientes?|cotiz\w+|anos|{_BENEFIT}",
    ),
    (
        r"fallec(?:io|ieron|ido|ida)|murio|murieron|muert[oae]s?|enviud[eo]",
        rf"viud\w+|orfandad|auxilio|defuncion|supervivencia|indemniza\w+|fallecimiento|muerte|{_BENEFIT}",
    ),
    (
        # A discapacidad is a state, which gives the rights of each day.
        r"incapacit(?:aron|ado|ada)|declararon|concedieron|denegaron|quede|dieron la|solicite|pedi|causo"
        r"|reconoc(?:ieron|io|ida|ido)(?! (?:(?:la|una|el|un) )?(?:grado de )?discapacidad)",
        rf"viud\w+|{_BENEFIT}",
    ),
    (
        r"quede en (?:el )?paro|(?:solicite|pedi) (?:el|la) (?:paro|desempleo|prestacion)",
        r"paro|desempleo|meses|dias",
    ),
    (r"nacio mi|nacieron mis|dio? a luz|pari", _LEAVES_OF_A_CHILD),
    (
        r"accident(?:e|ado)|sufrio?|operaron|hospitalizaron|ingresaron a",
        r"accidente|recargo|permisos?|dias(?! de (?:vacaciones|asuntos))|bajas?|prestacion\w*|subsidios?"
        r"|indemniza\w+|lesion\w*|porcentajes?|por ciento|bases?|prescri\w+",
    ),
    (r"tuve", rf"{_LEAVES_OF_A_CHILD}|accidente|recargo|indemniza\w+|lesion\w*|prescri\w+"),
    (r"sancionaron|notific(?:o|aron)", rf"sancion\w*|faltas?|multas?|despido|{_DEADLINE}"),
    (r"dimiti", rf"dimi\w+|preaviso|descont\w+|finiquito|{_DEADLINE}"),
    # The law of the year that is told with them is what is asked for.
    (r"jubilarse|hecho causante", r"[a-z]+"),
)
HAPPENED = re.compile(rf"\b(?:{'|'.join(what for what, _ in _FOLLOWS)})\b")
_EFFECTS = tuple(
    (re.compile(rf"\b(?:{what})\b"), re.compile(rf"\b(?:{words})\b")) for what, words in _FOLLOWS
)
# «¿Es correcto?», «¿qué me corresponde?», «¿qué ley se aplica?» ask about whatever happened.
_OF_ANYTHING = re.compile(
    r"\b(?:es|esta|seria|fue) (?:(?:in)?correct|(?:i)?legal|valid|nul|(?:im)?proced|bien)\w*(?! que)"
    r"|\b(?:que|cuanto) (?:me|le|nos|les) (?:correspond|toc|deb)\w+(?=\W*$|\s+por\b)"
    r"|\bque (?:ley|norma|normativa|legislacion|redaccion)\b"
)
_PAST = re.compile(
    rf"\b(?:{IMPERFECT}|eran?|iban?|fue|fueron|hubo|hizo|[a-z]{{2,}}(?:aron|ieron)|correspondio|percibio"
    r"|recibio|toco|pudo|pude|debio|tuvo|tuve|entonces)\b"
)
# «Y ahora leo que son cinco» tells when somebody learnt of it, and asks for no law of today.
_LEARNT = (
    r"(?: (?:me|nos))? (?:leo|leemos|veo|vemos|descubro|peleo|discuto|pleiteo|me entero|dicen que"
    r"|(?:he|hemos) (?:leido|visto|sabido|descubierto))\b"
)
NOW = re.compile(rf"\b(?:hoy|ahora|actualmente|en la actualidad)\b(?!{_LEARNT})")
_TODAYS = re.compile(
    r"\b(?:siguen?|(?:el|la|los|las|lo|ley|redaccion|normativa|regulacion|legislacion) actual(?:es)?)\b"
)
_CHANGED = re.compile(r"\b(?:han?|que) (?:cambi(?:ado|os)|variado|modificado|reformado)\b")
_SAME = re.compile(r"\b(?:(?:lo|la|el) mism[oa]|igual)\b")
_WANTS = re.compile(
    r"\b(?:quiero|queremos|quisiera|querria|gustaria|pued[oe]n?|podemos|podre|podria|tengo derecho|necesito"
    r"|voy a|pienso)\b"
)
# A right that is held, lost or used again after what happened.
_SINCE_THEN = re.compile(
    r"\b(?:otra vez|de nuevo|nuevamente|volver|vuelv\w+|sigo|siguen?|segui\w+|pierd\w+|perder\w*"
    r"|manten\w+|mantien\w+|conserv\w+|compatib\w+|compagin\w+|revis\w+|permiso parental)\b"
)
# «¿Tengo viudedad si no cobraba pensión?» asks in the present; «¿sabe si se cobraba?» does not.
_CONDITION = re.compile(
    r"(?<=[a-z] )(?<!ber )(?<!abe )(?<!abes )(?<!ice )(?<!ver )(?:si|aunque|porque|pues|ya que)\b(?! se\b)"
    r"[^?¿]*"
)
_MAY = re.compile(
    r"\b(?:puedo|pueden?|podemos|podre|podremos|podran?|podrian?)\b[^?]*?"
    r"\b([a-z]+[aei]r)(?:me|se|l[aeo]s?|nos|[ms]el[ao]s?)?\b"
)
_CLAIMS = re.compile(r"(?:reclam|recurr|impugn|demand|denunci|exig|cobr|ped|solicit|percib|ten|hac)[aei]r")


class Asked(NamedTuple):
    """The words that ask, folded.

    Attributes:
        marked: they are known to ask: they stand between question marks, or were taken from a longer text.
        case: that text is what tells the case.
    """

    text: str
    marked: bool
    case: bool


def main_clause(asked: str) -> str:
    """The request alone, without the conditions and reasons that follow it."""
    return _CONDITION.sub("", asked)


def asks_what_changed(asked: Asked, words: str) -> bool:
    """True if what is asked for is a change, told with the words of a time."""
    text = main_clause(asked.text)
    return words in text and _CHANGED.search(text) is not None


def asks_of_both(asked: Asked, words: str) -> bool:
    """True if the law of a past day is asked for and that of today too: «¿era legal? ¿Y hoy?».

    Args:
        words: those that name the past day; beside «hoy» in a question they ask, without a verb of the past.
    """
    text = main_clause(asked.text)
    todays = _TODAYS.search(text) is not None
    if not (todays or NOW.search(asked.text)):
        return asks_what_changed(asked, words)
    told = _PAST.search(HAPPENED.sub(" ", text)) or _SAME.search(text)
    return told is not None or (words in text and (todays or asked.marked))


def asks_of_today(asked: Asked, told: str) -> bool:
    """True if a right of today is asked for, not what follows from what is told to have happened."""
    text = main_clause(asked.text)
    rest = HAPPENED.sub(" ", text)
    if _PAST.search(rest) or not (asked.marked or _WANTS.search(text)):
        return False
    follows = [words for what, words in _EFFECTS if what.search(told)]
    may = _MAY.search(text)
    if may and not _CLAIMS.fullmatch(may[1]) and not any(words.match(may[1]) for words in follows):
        return True
    if _SINCE_THEN.search(asked.text):
        return True
    if asked.case and _EFFECTS[0][0].search(told):
        # A consultation about a dismissal is about the work that it ended.
        return False
    text = text if asked.marked else rest
    return not _OF_ANYTHING.search(text) and not any(words.search(text) for words in follows)
