"""The settings, as the operator chose them: what they may be, reading them, and the text of a new file.

``places`` says where the program's own files lie, ``budgets`` how many emails a server takes.
"""
