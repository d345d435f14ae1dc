"""IMAP and SMTP: the adapters behind the ports Mailbox, Notes and Courier."""

from pbem.transport.imap import ImapMailbox
from pbem.transport.notes import ImapNotes
from pbem.transport.smtp import FEWER_CONNECTIONS, USUAL_CONNECTIONS, SmtpCourier

__all__ = ["FEWER_CONNECTIONS", "USUAL_CONNECTIONS", "ImapMailbox", "ImapNotes", "SmtpCourier"]
