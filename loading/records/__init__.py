"""Jobs of the corpus and their queue: values and protocol."""
