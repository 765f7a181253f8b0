"""Alerts: events of the law, who is touched by them, watches and digests."""
