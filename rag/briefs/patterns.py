"""What citations in briefs look like, as regular expressions over folded or plain text."""

import re

_SAID = "citad|dich|referid|mencionad|antedich|mism|propi|indicad|repetid|aludid|expresad|transcrit"
_PART = r"(?:apartado|numero|parrafo|letra)s?"
_RANK = "ley|real decreto|decreto|norma|reglamento|orden|texto|codigo|estatuto|constitucion|convenio|cuerpo"
_NUMBER = r"(?:n[úu]m\.?\s*|n\.?\s?[ºo°]\.?\s*)?"

DOTTED = re.compile(r"\b(?:[A-ZÑ]\.){2,6}")
"""«L.R.J.S.»."""
ORDINAL_POINT = re.compile(r"(?<=[a-zñ])(\))\.?\s?\d{1,2}\.?[ºª]")
"""The «.1.º» of «267.1.a).1.º»."""
ORDINAL_ARTICLE = re.compile(r"\b([Aa]rts?)\.[ºª°]")
LONE_LETTER = re.compile(
    r"(?<=\d)(?:\.\s?[a-zñ](?![\w)'’/-])|\s?,\s?[a-zñ]\)"
    r"|\s[b-df-hj-np-tv-xzñ](?=\s(?:del?\b|[A-Z]{2})))"
)
"""The letter of «49.1.c ET» and «52, c) ET»."""
LETTER = re.compile(
    r"\bletras?\s+[«\"']?([a-zñ])\b|(?<![a-zñ\d])([a-zñ])\)|(?<=\d)\.\s?([a-zñ])(?![\w)'’/-])"
    r"|(?<=\d)\s([b-df-hj-np-tv-xzñ])(?=\s)"
)
APARTADO = re.compile(r"\b(?:apartados?|apdos?\.?|aptdos?\.?|aps?\.|numeros?|nums?\.?)\s+(\d{1,2})")
BEFORE_ARTICLE = re.compile(r"[\s,(:;]*(?:(?:en\s+)?(?:su|sus|el|los|concretamente)\s+)*")
"""What stands between a norm and the article of it that follows: «Ley 36/2011, en su art. 103»."""
ACRONYM = re.compile(
    r"[\s,(]*(?:del?\s+(?:la\s+|los\s+)?)?(?P<name>[A-ZÑ][A-Za-zÑñ.]{0,3}[A-ZÑ]{1,6})\b(?!\s?\d|-\d)"
)
NAMED_AFTER = re.compile(
    r"[\s,(]*(?:de la|de los|de las|del|de|en la|en el)\s+(?P<name>[^,.;:()«»¶\n]{2,90})"
)
SAME_TEXT = re.compile(rf"[\s,(]*(?:de la|del|de)\s+(?:{_SAID})[oa]s?\s+(?:{_RANK})\b")
BARE_NORM = re.compile(
    r"(?:real decreto|ley|norma|reglamento|orden|texto legal|texto|decreto|estatuto)\b"
    r"(?!\s*(?:organica|de |del |sobre |reguladora|para |general|\d|n[uº]))"
)
"""«De la ley», of which only what is behind tells the name."""
AGREEMENT = re.compile(rf"(?:(?:{_SAID}|vigente|presente)\w*\s+)*(?:[ivxl]+\s+)?(?:convenio|acuerdo|pacto)\b")
BACK = re.compile(
    rf"(?:(?:(?:el|los|del|de los)\s+)?{_PART}\s+(?P<part>\d{{1,2}}|[a-zñ]\)?|primero|segundo|tercero|cuarto)"
    r"\s*(?:,?\s*letra\s+(?P<sub>[a-zñ])\)?)?\s*,?\s+(?:de|en)l?\s+)?"
    rf"\b(?:(?:el|del|al|de|en)\s+)?(?:{_SAID}|est|aquel)[oe]?\s+(?:mismo\s+)?"
    r"(?:precepto|articulo)(?:\s+legal)?\b(?!\s+(?:\d|unic))"
    r"|\b(?:el\s+|del\s+|al\s+)?(?:precepto|articulo)\s+(?:legal\s+)?"
    r"(?:citado|mencionado|referido|transcrito|indicado|expresado|aludido|reproducido|anterior)\b"
)
"""«El citado precepto», «el apartado 2 de dicho artículo»."""
OWN_PART = re.compile(
    r"\b(?:en\s+)?(?:sus?|cuy[oa]s?)\s+"
    r"(?:(?:apartado|numero)\s+(?P<apartado>\d{1,2})|letra\s+(?P<letter>[a-zñ])\b\)?)"
    r"(?!\s*(?:de|del)\s+(?:la|el|articulo|art\b))"
)
"""«En su apartado 2»."""
WHOSE = re.compile(r"\b(?:cuy[oa]s?|sus?)\s+(?:(?:apartado|letra|parrafo)\s+\S+\s+del\s+)?$")
SENTENCE = re.compile(r"[.;]\s+(?=[«“\"]?[A-ZÁÉÍÓÚÑ])")
JOINT = re.compile(r"[\s,]*(?:\s(?:y|e|o|u))?\s*$")
JOINED = re.compile(r"\s*(?:,|y|e|,\s*y)\s*")
COMMUNITY = re.compile(
    rf"\b(?:Directivas?|Reglamentos?|Decisi[óo]n)\s*(?:\((?:UE|CE|CEE|Euratom)\)\s*)?{_NUMBER}"
    r"\d{2,4}/\d{1,4}(?:/(?:CE|UE|CEE))?"
    rf"|\bConvenio\s+{_NUMBER}\d{{1,3}}\s+(?:de la\s+)?OIT\b"
)
OF_COMMUNITY = re.compile(r"[\s,]*(?:de la|del|de)?\s*")
STOPS = frozenset(
    re.findall(
        r"\w+",
        "que establece dispone regula exige prohibe permite reconoce senala preve y se es no cuando donde por"
        " al en con impone ampara obliga fija determina atribuye garantiza declara",
    )
)
"""Words that are no longer the name of a norm."""
