"""The answer: its contract, context, extraction without a model, citations and sufficiency."""
