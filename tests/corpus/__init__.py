"""Messages as email programs write them, each with the end it must come to; README.md tells how one is written."""
