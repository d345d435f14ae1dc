"""What players read about a match, sentence by sentence: templates and the texts of games hold all the rest. Pure."""
