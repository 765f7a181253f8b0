"""Research mode: the model plans and calls the document tools."""
