"""What follows from many matches, as far as it is stored: contests, with what happened in them."""
