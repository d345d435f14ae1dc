"""What players can write, and what follows from it: one module a family, listed in COMMANDS; pure."""
