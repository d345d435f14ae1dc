"""Who is asked what, how often anybody may be asked, and what their yes or no does."""
