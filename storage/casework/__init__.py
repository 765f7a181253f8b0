"""Expedientes, their documents and review tables."""
