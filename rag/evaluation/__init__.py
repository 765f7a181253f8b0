"""Evaluation on questions with known answers, and the place of one article in the rankings of a question."""
