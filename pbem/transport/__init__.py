"""IMAP and SMTP: the adapters behind the ports Mailbox, Notes and Courier."""
