"""Documents of expedientes: read into fragments, indexed and searched apart from the corpus."""
