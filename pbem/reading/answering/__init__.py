"""How an answer is read: its text, what each clause says, and what may stand beside a yes."""
