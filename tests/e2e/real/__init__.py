"""The program against Debian's Dovecot and Postfix, each with a configuration of its own in a temporary directory."""
