"""Confidence of an answer in a word, and the greatest confidences that a band lets through."""

LEAST_MODERATE, LEAST_HIGH = 0.3, 0.7
LOW, UNSURE = 0.29, 0.69
"""Greatest confidence of an answer that must be «baja», and of one that must not be «alta»."""


def band(confidence: float) -> str:
    """'baja', 'moderada' or 'alta' (S4.5: half-open bands)."""
    if confidence < LEAST_MODERATE:
        return "baja"
    return "moderada" if confidence < LEAST_HIGH else "alta"
