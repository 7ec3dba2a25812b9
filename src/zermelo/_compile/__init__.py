"""Compilation of a game's class to rules that the engine runs."""
