"""Rankings of one question, for the inspector."""
