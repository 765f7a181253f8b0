"""Parts of the running program: adapters, administration, processes, logs, measurements."""
