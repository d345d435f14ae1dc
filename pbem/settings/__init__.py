"""The settings, as the operator chose them: what they may be, reading them, and the text of a new file."""
