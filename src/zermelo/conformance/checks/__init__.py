"""The checks of ``zermelo.check``, one for each file."""
