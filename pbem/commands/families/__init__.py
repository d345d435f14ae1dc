"""What players can write: one module a family of commands, each listed in ``commands/catalogue.py``; pure."""
