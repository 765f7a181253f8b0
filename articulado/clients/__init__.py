"""Clients of the API, over HTTP or in the same process, and the table that every door is made of."""
