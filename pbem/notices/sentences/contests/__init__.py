"""What is said of ladders and leagues."""
