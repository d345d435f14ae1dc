"""What the service promises."""
