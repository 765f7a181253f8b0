"""Citations of a brief held against the corpus on a day."""
