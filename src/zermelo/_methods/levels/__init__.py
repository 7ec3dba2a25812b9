"""The method for games whose moves raise a level, solved level by level."""
