"""Loading generated modules, what was compiled before, and errors in an author's words."""
