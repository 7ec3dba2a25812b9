"""Export of every position with its value and its best move, as rows of columns."""
