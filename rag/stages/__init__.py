"""The stages of a run: each a function `(state, services) -> record`, with a model and a rule version."""
