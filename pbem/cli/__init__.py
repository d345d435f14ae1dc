"""The operator's command line, a folder a panel; ``app`` lists the commands, ``pbem --help`` shows them.

Exit codes follow sysexits.h, as a mail server's pipe expects them; ``pbem.errors`` lists them.
"""
