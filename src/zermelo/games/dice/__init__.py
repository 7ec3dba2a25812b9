"""Dice that are thrown."""
