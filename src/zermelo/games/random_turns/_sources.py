"""Sources of facts that the games of random turns share."""

FILLINGS = (
    "probability that a random filling of the board wins, by a count of all fillings that shares "
    "no code with Zermelo; Peres, Schramm, Sheffield and Wilson 2007 prove that it is the value"
)
