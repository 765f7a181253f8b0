"""Runs of a question: the walk through the stages, its parts for long texts, and those under way."""
