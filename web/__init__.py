"""What surrounds the pages: the guard over every request and the front page."""
