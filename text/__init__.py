"""Spanish text: words, sentences, figures and tokens. Pure functions."""
