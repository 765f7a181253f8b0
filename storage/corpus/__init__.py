"""Norms, chunks, catalogue and vectors in the database."""
