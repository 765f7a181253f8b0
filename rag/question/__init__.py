"""Query understanding: pure functions from a question to its type, parts, date, place, matter and filters."""
