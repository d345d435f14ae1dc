"""The command that checks everything the service needs: settings, database, matches, senders, servers, archive."""

from pbem.cli.doctor.command import doctor

__all__ = ["doctor"]
