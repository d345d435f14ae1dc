"""The tables of messages, both ways, and of senders who are blocked.

An inbound message is received, then accepted, rejected, discarded or failed; all but what was accepted may be processed
again. An outbound message is queued, then sent or refused; that it bounced is noted beside. Rows stay, bytes do not:
those go when the settings say, but never while somebody can still answer for them.
"""
