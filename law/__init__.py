"""Legal texts: labels, references, validity, and differences between wordings. Pure functions."""
