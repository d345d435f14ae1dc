"""How fast it is on this machine: ``make bench``, and ``make bench-growth`` for what takes longer.

The line (``line``) is what is measured: replies (``replies``) to the notices of matches under way (``world``), sent by
SMTP to another process (``sink``); beside it stands a bare transport of the same bytes (``bare``).
"""
