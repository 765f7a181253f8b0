"""The answer: its context, extraction without a model, citations and sufficiency."""
