"""The way of one message: ``process`` calls the stages in their order, in one transaction.

receive · parse, screen, identify, admit, interpret, decide, record, announce · deliver. A stage raises a Discard or a
Rejection to end a message; any other exception is a bug, which undoes the transaction. Effects happen here, in
``asking`` and in ``due`` alone, in order; what decides is pure.
"""
