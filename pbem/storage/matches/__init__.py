"""The tables of matches: their rows become values here, and nowhere else."""
