"""Retrieval: scope, lookup of named articles, hybrid search, fusion of rankings."""
