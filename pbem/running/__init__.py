"""A process that lives: what ``pbem run`` and ``pbem worker`` do, tick by tick, over the ports.

``scheduler`` calls the use cases of ``service``: poll the mailbox, do what is due, deliver, write some of the archive,
let a robot think. Emails also come by a socket beside the database (``intake``) and by LMTP. ``watchman`` ends the
service when its database is another file. Over a PostgreSQL server, workers on any machine process messages beside it:
each takes a lane, which is a match or a sender, so that no two are ever in one match. All messages share the database;
deadlines and rulings are alone in it.

A process may be killed at any of the waypoints of ``service``; ``tests/e2e/test_killed.py`` does it. What is left:

after fetching       nothing, and the mailbox cursor has not moved: the message is fetched again
after receiving      the row, ``received``: it is processed at the next start. A mail server that got no answer hands
                     it over again: a duplicate
while processing     the row, still ``received``: it is processed anew, and rolls come out the same
after processing     the record, and the emails, ``queued``: they are delivered
while sending        the email, claimed for an hour: the same bytes go out after that, three times at most
after sending        the same, until it is noted: it is sent twice, with one Message-ID

Two processes are safe: each row is locked or claimed, and an entry is unique by its ply. Who comes second gets Busy.
"""
