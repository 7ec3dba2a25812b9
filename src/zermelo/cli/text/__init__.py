"""What a terminal shows of a solution, a position, an analysis and facts."""
