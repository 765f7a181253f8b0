"""Measuring retrieval and refusals on questions with known answers."""
