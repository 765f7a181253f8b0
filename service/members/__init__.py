"""The program as one person may use it."""
