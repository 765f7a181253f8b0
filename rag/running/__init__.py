"""Answers under way: registry, progress, consumption, storing, signs of life."""
