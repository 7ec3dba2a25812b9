"""The gallery: all games of the zoo as cards, a form for the parameters of each, and the solves."""
