"""What follows from many matches: ratings, reliability, ladders and leagues. Pure."""
