"""What the project promises."""
