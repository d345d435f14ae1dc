"""What follows by itself from many matches."""
