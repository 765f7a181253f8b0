"""Backup and restore of an installation."""
