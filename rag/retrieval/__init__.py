"""Retrieval: scope, lookup of named articles, fusion of rankings."""
