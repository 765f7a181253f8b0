"""Trainers of the weights that the program reads; scikit-learn and their own numpy stay here."""
