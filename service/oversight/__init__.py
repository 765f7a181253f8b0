"""Audit log, consumption and privacy."""
