"""Board games by e-mail: letters come in, the rules decide, notices go out."""

__version__ = "0.1.0"
