"""What the rules promise."""
