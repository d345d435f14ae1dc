"""What a refused message probably meant: guesses that can suggest, and never decide."""
