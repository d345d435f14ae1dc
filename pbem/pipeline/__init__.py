"""The pipeline of one inbound message, due things, and the outbound queue; all effects happen here, in order.

receive · process (parse, screen, identify, admit, interpret, decide, record, announce) · do_due · deliver · retention
"""
