"""What time causes: clocks, reminders, digests, and all else that stands in the table of due things.

The table ``due`` of the database holds a time, a kind and the number of its subject; ``kinds`` says what is done of
each kind. What is scheduled is the earliest moment: a clock is computed anew when it comes, and put off if absences,
pauses or outages have moved its end. So a deadline costs nothing before it is due, and an outage nothing in advance.
Nobody's time is over before all email has been read that came in by then. A thing that needs long, such as to forget a
player, is made due by a message and done afterwards.
"""
