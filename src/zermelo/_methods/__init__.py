"""The methods of solving: which games each suits, and how it solves them. ``solve`` chooses one."""
