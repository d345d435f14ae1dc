"""When: days, lengths of time, spans and hours as players write them."""
