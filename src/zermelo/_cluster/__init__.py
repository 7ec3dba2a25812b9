"""Solving on several processes or machines: a driver hands out units of work to workers."""
