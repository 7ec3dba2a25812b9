"""What rules iterate over, as loops: `itertools`, `key=`, `next`, `sorted`, queues."""
