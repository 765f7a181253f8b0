"""Model adapters, one file each; their SDKs appear nowhere else."""
