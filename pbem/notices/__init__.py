"""Notices: who gets which email after something has happened, and what it says; pure."""
