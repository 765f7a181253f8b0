"""The law itself: norms, provisions with their units, references, validity, differences. Pure functions."""
