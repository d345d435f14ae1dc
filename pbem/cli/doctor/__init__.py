"""The command that checks everything the service needs: settings, database, matches, senders, servers, archive."""
