"""Query understanding: pure functions from a question to what it asks, about when, where and which law."""
