"""Leagues, where they act: who enters, how seasons begin and end by themselves, and what their players are told."""
