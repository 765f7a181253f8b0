"""Background jobs of the corpus: values, stores, runner and worker."""
