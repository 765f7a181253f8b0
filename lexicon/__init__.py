"""Legal knowledge kept as data files, each with a thin reader."""
