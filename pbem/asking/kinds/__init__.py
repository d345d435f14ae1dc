"""The kinds of questions outside the seats of a match: a module each, with what is asked, and what yes and no do."""
