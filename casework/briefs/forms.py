"""Forms of citations in briefs, as regular expressions over folded or plain text."""

import re

from law import dates
from law.reference_reading import APARTADO_WORDS

_SAID = (
    r"(?:(?:ya|antes|tan|arriba)\s)?(?:(?!aprob|modific|derog|dict|public|reform|promulg|apart|est)[a-z]{2,}(?:ad|id)"
    r"|(?:ante|suso|pre)?dich|[a-z]*scrit|mism|propi|identic|ultim)"
)
"""«Citad», «mism», «antes transcrit»: with its ending, what says that a thing has been spoken of."""
_THAT = rf"(?:(?:{_SAID})[oa]s?|est[ea]|es[ea]|aquel(?:la)?|igual|tal|su propi[oa])"
_RANK = (
    r"ley organica|ley|real decreto legislativo|real decreto[- ]ley|real decreto|decreto[- ]ley|decreto"
    r"|texto refundido|reglamento|orden|codigo|estatuto|constitucion|directiva|convenio"
    r"|r\.?d\.?(?: ?leg\.?)?\b"
    r"|(?:cuerpo|texto)(?: legal| normativo)?|norma(?: legal| legislativa)?"
)
_NUMBER = r"(?:n[úu]m\.?\s*|n\.?\s?[ºo°]\.?\s*)?"

FEW = r"(?:1[0-5]|[1-9])(?!\d)"
"""Numbers of apartados in a list; higher ones are of articles."""
ORDINAL_POINT = re.compile(r"(?<=[a-zñ])(\))\.?\s?\d{1,2}\.?[ºª]")
"""The «.1.º» of «267.1.a).1.º»."""
LONE_LETTER = re.compile(
    r"(?<=\d)(?:\.\s?[a-zñ](?![\w)'’/-])|\s?,\s?[a-zñ]\)"
    r"|\s[b-df-hj-np-tv-xzñ](?=\s(?:del?\b|[A-Z]{2})))"
)
"""The letter of «49.1.c ET» and «52, c) ET»."""
LETTER = re.compile(
    r"\bletras?\s+[«\"']?([a-zñ])\b|(?<![a-zñ\d])([a-zñ])\)|(?<=\d)\.\s?([a-zñ])(?![\w)'’/-])"
    r"|(?<=\d)\s([b-df-hj-np-tv-xzñ])(?=\s)"
)
_APARTADOS = rf"(?:{APARTADO_WORDS})"
APARTADO = re.compile(
    rf"\b{_APARTADOS}\s+(\d{{1,2}}|(?:un|prim|segu|terc|cuart|quint|sext|septim|octav|noven"
    r"|dos|tres|cuatro|cinco|seis|siete|ocho|nueve)[a-z]*\b)"
)
CLOSED = r"\s*(?:[.,;:)»¶|\]]|$)"
"""The end of a citation that no word follows."""
OF_THE_NEXT = re.compile(
    r"[\s,(:]*(?:(?:en\s)?(?:su|sus|el|los)\s)?(?:arts?\b|articulos?|\d|disp|d\.?[atdf]\b)"
)
"""Words that make a norm that of the article after it."""
COUNTED = re.compile(
    r"\b(?:puntos?|apartados?|aps?\.|apdos?\.?|clausulas?|hechos?|epigrafes?|paginas?|pags?\.|folios?|anexos?|numeros?|cuadros?"
    r"|tablas?|version|motivos?|fundamentos?|notas?|tomos?|capitulos?|titulos?|secciones|seccion|ordinal(?:es)?)\s$"
)
"""Words whose number is no article's: «el punto 3.1 de la Ley»."""
BEFORE_ARTICLE = re.compile(
    r"(?:,? (?:de|del|por|sobre|para|reguladora?|general|ordenadora)\b[^.;:()«»¶]{3,140}?"
    r"(?=[,(]|\s\(|\sen\s+su)|, [a-z]{5,20}(?=,))?"
    r"[\s,(:;]*(?:(?:en\s+)?(?:su|sus|el|los|concretamente|particularmente)\s+)*"
)
"""Text between a norm and the article of it that follows: «Ley 36/2011, en su art. 103»."""
ACRONYM = re.compile(
    r"[\s,(]*(?:del?\s+(?:la\s+|los\s+)?)?"
    r"(?P<name>(?!(?:DEL?|LA|LAS|EL|LOS|EN|QUE|SE|AL|NO|POR|CON|SU|UN|ES|SI)\b)"
    r"[A-ZÑ][A-Za-zÑñ.]{0,5}[A-ZÑ]{1,6})\b(?!\s?\d|-\d)"
)
COMMA = re.compile(r"\s*,\s*(?=(?:ley|lo|rd|rdleg|rdley|real decreto|decreto)\b[^,;]{0,20}\d/)")
"""«DF 5.ª, Ley 10/2021»."""
NAMED_AFTER = re.compile(
    r"[\s,(]*(?:de la|de los|de las|del|de|en la|en el|dell?[oae]|do|du|des|of the)\s+"
    r"(?P<name>[^,.;:()«»¶\n]{2,90})",
    re.IGNORECASE,
)
SAME_TEXT = re.compile(
    rf"[\s,(]*(?:de la|del)\s+(?P<behind>{_RANK})\.?\s+(?:{_SAID})[oa]\b"
    rf"|[\s,(]*(?:de la|del|de)\s+{_THAT}\s+(?:{_SAID}[oa]\s+)?(?P<rank>{_RANK})"
    r"(?![\w-]|\s+(?:de los|del|organica|nº?\.?|num\.?)?\s?\d)"
    r"|[\s,(]*(?:de la|del)\s+(?:mism[oa]|citad[oa])"
    r"(?=\s*(?:[.,;:)»¶]|$|(?:y|e|o|que|en|se|no|al|para|por|cuando)\b))"
    r"|[\s,(]*\b(?:ibidem|ibid\b\.?|idem)"
)
"""«Del mismo texto legal», «de aquella Ley», «del mismo», «ibídem»."""
NORM_FOLLOWS = re.compile(
    rf"(?:[.\s]\s?[a-z]\))?[\s,(]*(?:(?:de la|de los|del?)\s+)?(?P<same>{_THAT}\s+(?:{_RANK})\b)?"
)
_NORM_NOUN = (
    r"(?:normas?|ley|leyes|cuerpo|texto|codigo|disposicion|reglamento|convenio|estatuto|que|cual|cuales"
    r"|ninguna|ningun)\b"
)
AS_SAID = re.compile(r"(?:de )?(?:aquell|es[ea]\b|dich)")
"""«De aquella norma»: what is known only by what was named before."""
AND_THE = re.compile(r"\s*,?\s(?:y|e|ni|o|como)\s(?:en\s|a\s|por\s)?(?:el|del|al)\s")
"""«El art. 105.3 del mismo texto ni el 187.6»."""
LEFT_OPEN = re.compile(
    r"[\s,;()—–-]*sin que (?:sepamos|se sepa|sea posible|conste|diga|precise|aclare|quepa)\b|"
    r"[\s,;()—–-]*(?:que\s+(?:\w+\s+){0,3})?(?:(?:sin|no)\s+(?:se\s+)?(?:decir|dice|precisar|precisa|aclarar|aclara|concretar|concreta|indicar"
    r"|indica|especificar|especifica|mencionar|menciona|identificar|identifica|citar|cita|nombrar|nombra|sabe|saber|expresar|expresa)"
    rf"\s+(?:si\s+(?:es\s+)?(?:del?|de la)\b|(?:(?:de|a|la|el|su|otra)\s+)*{_NORM_NOUN})"
    r"|sin (?:mas|otras?) (?:senas|indicacion|indicaciones|precision|precisiones|datos|referencias?)|a secas)"
)
"""«El art. 8, sin decir de qué norma», «sin más señas»."""
BARE_NORM = re.compile(
    rf"(?:{_THAT}\s+|vigente\s+)?(?P<rank>{_RANK})"
    r"(?![\w-]|\s*(?:organica|de (?!desarrollo)|del |d[ou] |sobre |reguladora|para |general|\d|n[uº]))"
)
"""«De la ley», of which only what is behind tells the name."""
APPROVED = re.compile(r"[^.;:()«»¶\n]{4,140}?\baprobad[oa]s?\s+(?:por|mediante|en)\s+(?:el\s+|la\s+)?")
"""«Del Reglamento … aprobado por el RD 1483/2012»."""
_VALUE = (
    r"(?:\d{1,2}(?:\.?[ºª])?(?![\d/]|\.\d)(?:\s(?:bis|ter)\b)?|[a-zñ](?:\sbis)?\)|(?![yeo]\b)[a-zñ]\b"
    r"|(?:primer|segund|tercer|cuart|quint|sext|septim|octav|noven|decim|ultim|penultim)[oa]?\b)"
)
_WORDS = (
    r"apartados?|apdos?\.?|aptdos?\.?|aps?\.|numeros?|nums?\.?|n\.?\s?[º°]"
    r"|parrafos?|parrs?\.|pfos?\.|letras?|incisos?"
)
_WHAT = f"(?P<what>{_WORDS})"
VALUE = re.compile(_VALUE)
_PARTS = (
    rf"{_WHAT}\s+(?P<part>{_VALUE}(?:(?:\s*,\s*(?:y\s)?|\s[ye]\s){_VALUE})*)"
    r"(?:\s*[,.]?\s*(?:letra\s+)?(?P<sub>[a-zñ])\)|,?\s+letra\s+(?P<sub2>[a-zñ])\b)?"
)
_PART_OF = rf"(?:(?:el|la|los|las|del|al)\s+)?{_PARTS}\s*,?\s+"
_ENDS = (
    r"(?=\s*(?:[.,;:)»¶]|$|(?:y|e|o|que|en|se|no|al|para|por|cuando|anade"
    r"|dispone|establece|preve|senala|exige|permite|regula|indica|dice|impone|obliga)\b))"
)
BACK = re.compile(
    rf"(?:{_PART_OF}(?:de|en)l?\s+)?(?:"
    rf"\b(?:(?:el|del|al|de|en)\s+)?(?:(?:{_SAID})o|este|ese|aquel|tal|igual)\s+(?:(?:{_SAID})o\s+)?"
    r"(?:precepto|articulo)(?:\s+legal)?\b(?!\s+(?:\d|unic))"
    r"|\b(?:el\s+|del\s+|al\s+)?(?:precepto|articulo)\s+(?:legal\s+)?"
    rf"(?:(?:{_SAID})o|anterior)\b)"
)
"""«El citado precepto», «los apartados 2 y 5 de dicho artículo»."""
PART_OF_PART = re.compile(
    rf"\b(?:(?:el|la|al)\s+)?(?P<what>parrafo|inciso|letra)\s+(?P<part>\w+)\)?\s+(?:de|del)\s+"
    rf"(?:el\s+)?(?:(?:{_SAID})o|este|ese|aquel)\s+(?:apartado|numero)\b(?!\s+(?:\d|del?\b))"
)
"""«El párrafo segundo del citado apartado»."""
SAID_ARTICLE = re.compile(rf"\b(?:(?:{_SAID})o|aquel|ese)\s+art(?:iculo|\.)")
"""«La letra c) del mismo artículo 49.1»."""
PART_OF_IT = re.compile(rf"\b{_PART_OF}(?:del?\s+(?:(?:este|ese|aquel)\s+)?(?:mismo|citado|ultimo)){_ENDS}")
"""«El apartado 2 del mismo», «de este último»."""
PART_AFTER = re.compile(
    rf"[\s,(]+{_APARTADOS}\s+(?P<apartado>\d{{1,2}})(?![\d./])"
    r"(?:[.,\s]+(?:letra\s+)?(?P<letter>[a-zñ])\))?|[\s,(]+letra\s+(?P<lone>[a-zñ])\)"
)
"""«Art. 41 ET, apartado 4»."""
IBIDEM = re.compile(
    rf"\b(?:ibid(?:em\b|\.)|(?:idem\b|id\.|(?:art|loc|op)\.?\scit\.)(?=[\s,]*(?:{_WORDS})))"
    rf"(?:[\s,]*{_PARTS})?(?!\s*,?\s*art)"
)
"""«Ibídem», «ídem, ap. 2», «art. cit., apdo. 3»."""
OWN_PART = re.compile(
    rf"(?:\b(?:en\s+)?(?:sus?|cuy[oa]s?)\s+(?!parr|pfo|inciso)|\b(?:el|del?|al|la)\s+(?:la\s+)?(?=ap|letra\s[a-zñ](?:\sbis)?\))|(?<=[(:]\s)(?=ap)|(?<=[(])(?=ap)){_PARTS}"
    r"(?!\s*(?:de|del|anterior|siguiente|precedente|primer[oa]?)\b|\s+[a-zñ]\)|\s*,?\s+letra|[\d)/]*\d)"
)
"""«En su apartado 2», «el apartado 5», «(ap. 3)»."""
OTHER_YEAR = re.compile(
    r"\s?/\s?(?:19|20)?\d\d(?![\d/])|\s(?:de(?:l año)?\s)?(?:19[5-9]\d|20[0-3]\d)(?![\d/]|\.\d)"
)
"""The year of «LGSS/94» and «ET de 1980»."""
WHOSE = re.compile(r"\b(?:cuy[oa]s?|sus?)\s+(?:(?:apartado|letra|parrafo)\s+\S+\s+del\s+)?$")
SENTENCE = re.compile(r"[.;]\s+(?=[«“\"]?[A-ZÁÉÍÓÚÑ])")
JOINT = re.compile(r"[\s,]*(?:\s(?:y|e|o|u))?\s*$")
JOINED = re.compile(r"\s*(?:,|y|e|,\s*y)\s*")
_OIT = r"(?:OIT\b|O\.I\.T\.|Organizaci[óo]n Internacional del Trabajo)"
COMMUNITY = re.compile(
    rf"\b(?:Directivas?|Dir\.|Reglamentos?|Decisi[óo]n)\s*(?:\((?:UE|CE|CEE|Euratom)\)\s*)?{_NUMBER}"
    r"\d{2,4}/\d{1,4}(?:/(?:CE|UE|CEE))?"
    rf"|\b(?:Convenio\s+{_NUMBER}|C-?)\d{{1,3}}\s+(?:de la\s+)?{_OIT}"
    rf"|\bConvenio\s+(?:de la\s+)?{_OIT}\s+{_NUMBER}\d{{1,3}}\b"
    rf"|\b(?:Orden(?:\sMinisterial)?|O\.\s?M\.|OM)\s(?:de\s)?(?:{dates.SPELLED}|{dates.NUMERIC})"
)
"""Norms of the Union, conventions of the ILO, and orders that have a date and no number."""
OF_COMMUNITY = re.compile(r"[\s,]*(?:de la|del|de)?\s*")
_PRIVATE = (
    r"(?:convenio(?!\s(?:de la\s)?(?:oit|o\.i\.t)|\s(?:num\S*\s|n\S{1,2}\s)?\d)|laudo|contrato|pliego"
    r"|poliza|protocolo|pacto|acuerdo(?!\smarco)|plan|bases|manual|politica|escritura|guia|catalogo|anexo|carta\sde\sdespido|finiquito"
    r"|estatutos(?!\sde\slos\strabaj)|reglamento\s(?:interno|interior|de\sregimen)|normas\s(?:internas|de\srégimen)"
    r"|codigo\s(?:etico|de\sconducta|de\sbuen\w*)|clausulado|condiciones|borrador|propuesta)\b"
)
"""Documents with articles that are no norm of the corpus: agreements of the parties, or orders of one."""
PRIVATE = re.compile(
    rf"(?:(?:{_SAID}|vigente|presente|propi|nuestr|aquel|ese|este)\w*\s+|[ivxl]+\s+)*{_PRIVATE}"
)
AGREEMENT_BEFORE = re.compile(
    r"\b(?:el|del|al|en|la|los|sus?|nuestro|vigente|citad[oa]|presente|dich[oa])\s+(?P<name>(?:[ivxl]+\s+)?(?:convenio|laudo|pliego|poliza)"
    r"(?:\s[^,.;:()«»¶]{1,70})?)"
    r"[\s,(]+(?:(?:en|cfr\.|vid\.|ver|el|los|sus?|cuy[oa]s?)\s+)*$"
)
"""«Según el convenio, art. 32»."""
PRIVATE_NOUN = re.compile(rf"\b{_PRIVATE}")
OWN_RULES = re.compile(
    r"[\s,(]*(?:del?|de la|de los|de las|de su)\s+(?:(?:propi[oa]s?|vigente|citad[oa]s?|referid[oa]s?)\s+)?"
    rf"(?:{_PRIVATE}|normas\b)"
    r"|[\s,(]*(?:dell?[oae]|do|du|des|della|of the)\s"
)
"""«Del pliego», «du Code du travail»: articles of what is no norm, or of a foreign one."""
NOUN = re.compile(
    r"\b(?:la|el|del|al|sus?|propi[oa])\s+[«“\"]?"
    r"(?P<noun>(?:ley|codigo|reglamento|convenio|estatuto|constitucion|norma)(?:\s(?:procesal|colectivo|laboral|sustantiva))?)"
    r"(?![\w-]|\s+(?:de|del|organic[ao]|general|basic[ao]|sobre|reguladora|n[uº.]\S*|\d))"
)
"""«El Código», «su Reglamento»: a norm that is not named."""
ELLIPTIC = re.compile(r"\b(?:l[ao]s?|el|a la|al)\s(?P<noun>de(?:\s[A-ZÁÉÍÓÚ]\w+)+)")
"""«Ni la de Empleo»."""
ENUMERATED = re.compile(
    r"[\s,»”\"]*(?:(?:y|e|o|u|ni|asi como)\s+)?(?:(?:a|de|en|con|por|segun)\s+)?"
    r"[«“\"]?(?:(?:la|el|los|las|del|al|sus?)\s+)?(?:propi[oa]\s+)?[«“\"]?"
)
"""Text between the norms of a list: «, a la», «y en el»."""
STOPS = frozenset(
    re.findall(
        r"\w+",
        "que lo le les establece dispone regula exige prohibe permite reconoce senala preve y se es no"
        " cuando donde por al en con impone ampara obliga fija determina atribuye garantiza declara",
    )
)
"""Words that are no longer the name of a norm."""
