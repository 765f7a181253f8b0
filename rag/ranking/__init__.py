"""Order of the candidates: features and weights of the linear model, and the reader model."""
