"""Chess with few men."""
