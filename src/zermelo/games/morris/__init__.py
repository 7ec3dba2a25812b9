"""Men that are put on a board one by one, and then moved."""
