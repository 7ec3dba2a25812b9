"""What is done to a function first: variables, lists and patterns in forms that are compiled."""
