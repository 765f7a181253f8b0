"""Calculations of labour law: typed data in; amount or date with its steps, articles and assumptions out."""
