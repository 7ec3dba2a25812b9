"""The method for declared spaces, in which every position has a number in closed form."""
