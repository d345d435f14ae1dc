"""A process that lives: what ``pbem run`` and ``pbem worker`` do, tick by tick, over the ports.

``scheduler`` calls the use cases of ``service``: poll the mailbox, do what is due, deliver, write some of the archive,
let a robot think. Emails also come by a socket beside the database (``intake``) and by LMTP. ``watchman`` ends the
service when its database is another file. Over a PostgreSQL server, workers on any machine process messages beside it:
each takes a lane, which is a match or a sender, so that no two are ever in one match. All messages share the database;
deadlines and rulings are alone in it.
"""
