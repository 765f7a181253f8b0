"""Ground of every package: values, errors, clock, hosts, progress, files, settings of a run."""

import os

# Read when numpy is imported. The products of a question are small: with a second thread, which spins between
# them, a question on the real law takes twice the processor time and is answered no sooner.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
