"""The log: one fact a line, and no token, address or word of a player in it.

``logbook`` gives each line the name of its event, ``redaction`` takes out what must not stand there.
"""
