"""Whether a person wrote an inbound message, and which lines of it are theirs; pure.

What people and programs write in many languages lies in ``data``. What a line means is the business of ``reading``.
"""
