"""Shared by the stages of a run: its values, their records, and calls of a model that may fail."""
