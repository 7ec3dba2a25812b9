"""Games whose moves raise a level, solved level by level."""
