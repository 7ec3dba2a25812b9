"""Commands that ask a solved game: probe it, analyse it, play it, explore it."""
