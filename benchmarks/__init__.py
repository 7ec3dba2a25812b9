"""Every performance claim of Zermelo as a command that prints a ratio; see README.md here."""
