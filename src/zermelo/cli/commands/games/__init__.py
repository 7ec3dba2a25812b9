"""Commands about games themselves: the list of them, a new one, and checking one."""
