"""Strangers' files are read in processes of their own, which may hurt themselves and nobody else."""
