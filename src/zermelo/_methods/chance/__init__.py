"""Expected results of games with chance, between bounds."""
