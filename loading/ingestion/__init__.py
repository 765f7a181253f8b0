"""Loads into the corpus: uploads, previews, one norm stored at a time, undone, removed, checked."""
