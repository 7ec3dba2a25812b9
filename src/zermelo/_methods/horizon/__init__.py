"""The bounded-turn dynamic programme."""
