"""Files from outside are read in processes of their own, with limits of time and memory."""
