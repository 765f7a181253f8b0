"""SQL stores: the corpus, conversations, expedientes, alerts, people."""
