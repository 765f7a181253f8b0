"""The index kept equal to the database."""
