"""The operator's command line: ``pbem --help`` lists the commands.

Exit codes follow sysexits.h, as a mail server's pipe expects them; ``pbem.errors`` lists them.
"""
