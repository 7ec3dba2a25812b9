"""Boxes, discs and stones: whoever has more of the board in the end."""
