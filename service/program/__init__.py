"""Parts of the running program: adapters, loading, corrections, processes, logs, measurements."""
