"""Confidence of an answer in a word."""


def band(confidence: float) -> str:
    """'baja', 'moderada' or 'alta' (S4.5: half-open bands)."""
    if confidence < 0.3:
        return "baja"
    return "moderada" if confidence < 0.7 else "alta"
