"""Commands that set the service up, run it, and try it out."""
