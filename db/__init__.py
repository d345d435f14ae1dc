"""The tables, the database engine and the migrations; they know nothing of rules."""
