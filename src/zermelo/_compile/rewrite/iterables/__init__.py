"""Iterables in rules, as loops: `itertools`, `key=`, `next`, `sorted`, queues."""
