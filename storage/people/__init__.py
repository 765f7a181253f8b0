"""Accounts, login sessions, audit log, consumption and privacy in the database."""
