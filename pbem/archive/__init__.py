"""Static HTML pages of matches and rules, and calendar feeds, written only where they changed."""
