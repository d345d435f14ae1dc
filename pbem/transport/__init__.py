"""IMAP and SMTP: the adapters behind the ports Mailbox and Courier."""

from pbem.transport.imap import ImapMailbox
from pbem.transport.smtp import SmtpCourier

__all__ = ["ImapMailbox", "SmtpCourier"]
