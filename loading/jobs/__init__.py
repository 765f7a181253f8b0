"""Background jobs of the corpus: the loop that takes them and the steps of each kind."""
