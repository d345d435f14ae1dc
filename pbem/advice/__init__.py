"""What a refused message probably meant: guesses that can suggest, and never decide.

``nearest`` finds moves that a line nearly holds, ``synonyms`` words that people write instead of ours. ``commands`` may
import nothing of this: a guess never becomes a move without a yes.
"""
