"""What time causes: clocks, reminders, digests, and all else that stands in the table of due things."""
