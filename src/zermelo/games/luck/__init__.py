"""Dice and tiles that help or hinder."""
