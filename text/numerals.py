"""Spanish numbers in words, as documents number their paragraphs and people count."""

import re

NUMERALS = re.findall(
    r"\w+",
    """uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
    diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco
    veintiséis veintisiete veintiocho veintinueve treinta""",
)
"""From 1 to 30: the number of a word is its place plus one."""
TENS = ["veinte", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"]
HUNDREDS = [
    "ciento",
    "doscientos",
    "trescientos",
    "cuatrocientos",
    "quinientos",
    "seiscientos",
    "setecientos",
    "ochocientos",
    "novecientos",
]
ORDINALS = re.findall(
    r"\w+", "primer segund tercer cuart quint sext séptim octav noven décim undécim duodécim"
)
"""From 1 to 12, without their last vowel."""
