"""Boards: squares and hexagons of cells, and the groups that stones form on them."""
