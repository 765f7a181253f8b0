"""Tests in a real browser: a package, so that one browser serves them all and closes before other tests."""
