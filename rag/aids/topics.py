"""The topic of a block, from the words of its headings: one of eight subjects of labour law."""

from __future__ import annotations

import re

from rag.law.labels import fold

GENERAL = "general"


def section_type(section: str, chapter: str, title: str) -> str:
    """The first subject whose words occur in the heading, else in the chapter, else in the norm's title."""
    for text in (section, chapter, title):
        folded = fold(text)
        for subject, pattern in SUBJECTS:
            if pattern.search(folded):
                return subject
    return GENERAL


def _words(*stems: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(stems)})")


SUBJECTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "sanciones",
        _words("infraccion", "sancion", "falta[s]? (?:leve|grave|muy|laboral|y sanc)", "regimen discip"),
    ),
    ("extincion", _words("extincion", "despido", "dimision", "finiquito", "desistimiento", "ceses?\\b")),
    (
        "cotizacion",
        _words(
            "cotiza",
            "cuotas?\\b",
            "recaudacion",
            "afiliacion",
            "altas?\\b",
            "bajas\\b",
            "aplazamiento",
            "apremio",
        ),
    ),
    (
        "jornada",
        _words(
            "jornada", "horario", "horas extra", "vacaciones", "descanso", "permisos?\\b", "festiv", "turnos"
        ),
    ),
    ("salario", _words("salari", "retribu", "gratificaciones", "fondo de garantia")),
    (
        "prestaciones",
        _words(
            "prestacion",
            "pension",
            "subsidio",
            "jubilacion",
            "viudedad",
            "orfandad",
            "incapacidad",
            "desempleo",
            "nacimiento y cuidado",
            "maternidad",
            "paternidad",
            "lactancia",
            "riesgo durante",
            "ingreso minimo",
            "dependencia",
            "muerte y supervivencia",
            "base reguladora",
            "asistencia sanitaria",
            "complemento",
        ),
    ),
    (
        "procedimiento",
        _words(
            "procedimiento",
            "proceso",
            "demanda",
            "recurso",
            "jurisdic",
            "notificacion",
            "reclamacion",
            "ejecucion",
            "conciliacion",
            "mediacion",
            "arbitraje",
            "sentencia",
            "competencia",
            "plazos",
            "impugnacion",
            "juicio",
        ),
    ),
)
