"""IMAP and SMTP: the adapters behind the ports Mailbox, Notes and Courier."""

from pbem.transport.imap import ImapMailbox
from pbem.transport.notes import ImapNotes
from pbem.transport.smtp import SmtpCourier

__all__ = ["ImapMailbox", "ImapNotes", "SmtpCourier"]
