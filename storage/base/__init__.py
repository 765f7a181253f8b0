"""Engines, transactions, locks and revisions under every store."""
