"""Solutions, positions, proofs, analyses and facts as text for a terminal."""
