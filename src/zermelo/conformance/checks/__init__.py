"""What a check looks at, one thing a file."""
