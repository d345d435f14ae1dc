"""IMAP and SMTP: the adapters behind the ports Mailbox, Notes and Courier.

Each library has one module that imports it. Nothing here reads what an email says.
"""
