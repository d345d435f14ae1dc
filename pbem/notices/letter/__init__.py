"""The Sunday letter: what players read of a week of their ladders and leagues. Pure."""
