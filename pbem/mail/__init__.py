"""Email as bytes, both ways: parsed as it comes in, composed as it goes out; knows no game."""
