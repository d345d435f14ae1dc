"""Contests: what players ask for about ladders and leagues, and what becomes of it."""
