"""The gallery: cards of all games of the zoo, forms for their parameters, and solves."""
