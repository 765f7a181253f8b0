"""Conversations with their branches, words, votes, reviews and certificates."""
