"""The text of a new settings file: every setting, with what it is for."""

import json

from pbem.settings.secret import make_secret


def initial_text(address: str, **known: str) -> str:
    """Return the text of a new settings file for the service at ``address``, with the values that are ``known``."""
    lines = _INITIAL.format(address=address, secret=known.pop("secret", "") or make_secret()).splitlines()
    empty = {line.partition(" =")[0]: number for number, line in enumerate(lines) if ' = ""' in line}
    for name, value in known.items():
        lines[empty[name]] = f"{name} = {json.dumps(value)}"
    return "\n".join(lines) + "\n"


_INITIAL = """# Settings of pbem. Every line can also come from the environment: PBEM_ADDRESS, PBEM_IMAP_URL …

# The address that players write to. Its mailbox must accept subaddresses (RFC 5233): name+anything@…
address = "{address}"

# What emails and pages call this service; players see it as the sender, with the names of their opponents.
name = "pbem"

# The mailbox to read and the server to send through.
# Write special characters in passwords as %40 (@), %2F (/), %3A (:), %25 (%).
# Four emails are sent at once, two with a PostgreSQL server; "?connections=1" at the end of smtp_url makes it one.
# "?envelope=plain" there is for a server that takes no envelope sender but the address above; "pbem doctor" tells.
imap_url = ""  # "imaps://user:password@imap.example.org/INBOX"
smtp_url = ""  # "smtps://user:password@smtp.example.org"

# Instead of a password in imap_url or smtp_url: a command that prints an access token (OAuth 2.0, XOAUTH2). It is run
# without a shell when a connection is made, and no more often than every 45 minutes unless a server refuses the token.
# For Microsoft: "/opt/pbem/bin/pbem login microsoft --token" after “pbem login microsoft”.
imap_token = ""
smtp_token = ""

# How many emails the server takes from you: one of "gmail" (500 a day), "workspace" (Google Workspace, 2,000 a day),
# "exchange" (Exchange Online, 30 a minute and 10,000 a day), "outlook" (Outlook.com with a subscription, 5,000 a day),
# "ionos" (the first week there, 50 an hour), or such as "30/minute 500/day"; empty for no limit. When it is short,
# emails that tell somebody to move go first.
smtp_budget = ""

# The address of the operator, who gets an email when something needs a person.
operator = ""

# Signs the reply tokens. Keep it, and show it to nobody: who knows it can write in the name of every player. With
# another secret, replies to older emails are not recognised.
secret = "{secret}"

database_url = "sqlite:///pbem.db"
archive_dir = "archive"

# The URL under which the archive is served, if it is: then every notice links to its match. A web server must be able
# to read archive_dir, and nothing else here.
archive_url = ""

# A text or Markdown file that says who runs this service and how people should behave. The archive shows it on its page
# about the host (about.html), with what is kept about people, which follows from these settings.
about_file = ""  # "about.md"

# The name (authserv-id) in the Authentication-Results of your mail server (RFC 8601), if it writes them. “pbem doctor”
# tells it from the messages that have arrived.
authserv_id = ""

# What these results decide about a message that would change something:
# "required"    only a message that the mail server found authentic counts: by DMARC, or DKIM or SPF of its domain;
# "if-present"  a message that it found forged is discarded, and one without a finding counts;
# "off"         they are not looked at.
authentication = "if-present"

# The days for which a reply to an older email of a match still counts, once the match has gone on.
token_days = 90

# The days for which the bytes of messages are kept: of inbound ones after they are settled, of outbound ones after they
# are sent. What became of every message is kept for ever.
keep_inbound_days = 90
keep_outbound_days = 14

# Days of vacation that each player has in a year: their time stands still meanwhile.
vacation_days = 30

# Who may start matches by email:
# "members"  everybody who plays here already, with others who do;
# "invited"  they may invite others by their addresses, too: each gets one email, and plays here after saying yes;
# "anybody"  and whoever writes “sign up” plays here, once their address has said yes.
new_matches = "invited"

# For so many minutes a move is held before the others are told, so that its player can take it back with “oops”. 0: not
# at all.
unsend_minutes = 0

# How strong robots may be: "1", "2" or "3"; "off": none can be asked for, and those that have a seat already wait. One
# robot thinks at a time, at the lowest priority, while “pbem run” runs.
robots = "2"

# In so many matches with robots a player can be at once.
robot_matches = 3

# The seconds that a robot may think about a move, before a weaker one takes its place for that move.
robot_seconds = 120

# Where the archive's web server passes on one-click unsubscribing (RFC 8058), such as "127.0.0.1:9465"; empty: email
# programs send an email instead. The examples in deploy/ pass on “unsubscribe” beneath archive_url.
unsubscribe_listen = ""

# The address of that page, if it is another one; or of your own, which email programs post to, with the reply token of
# the email as ?tag=…, and which must send this service an email with the word unsubscribe, in the name of the player.
unsubscribe_url = ""

# The seconds between two polls of the mailbox. A server that supports IMAP IDLE announces new messages at once.
poll_seconds = 60

# In games with dice: the hours that players have to send a seed of their own (salt …) before the first roll.
# The rolls begin as soon as all players have answered; 0 begins them at once.
salt_hours = 24

# How the log is written: "text" for people, or "json", an object a line, for programs. docs/log.md tells what it says.
log_format = "text"

# Where Prometheus fetches figures, such as "127.0.0.1:9464"; empty for nowhere. They hold no addresses or names, but
# leave them to this machine. It needs the extra "metrics". deploy/prometheus has rules for alarms.
metrics_listen = ""

# Where a mail server of your own hands over emails by LMTP (RFC 2033), while “pbem run” runs: the path of a socket and
# its mode, such as "/var/spool/postfix/pbem/lmtp 660", or a port of this machine, such as "127.0.0.1:2424"; empty for
# nowhere. Whoever can connect can hand in anything.
lmtp_listen = ""

# Programs and chats that are called when something happens in a match (https://www.standardwebhooks.com), each such as
# {{ url = "https://chat.example/hooks/…", secret = "whsec_…", format = "text", games = ["zipline"], matches = [17] }}.
# All but url and secret can be left out. They hear of a private match only if it's among their matches. docs/formats.md
# tells what is sent; “pbem doctor --webhooks” tries it.
webhooks = []
"""
