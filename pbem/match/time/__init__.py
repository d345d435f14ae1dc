"""The time of a match: calendars, clocks, when digests come, and how much time there is; pure."""
