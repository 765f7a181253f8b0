"""Alerts: who is touched by events of the law, watches and digests."""
