"""The surroundings of the pages: the guard over every request, signing in, and the front page."""
