"""Measurements of speed; nothing else in the repository asserts a time. See README.md."""
