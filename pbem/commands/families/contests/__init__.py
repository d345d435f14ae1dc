"""The families of contests: what players write to enter ladders and leagues, and in them."""
