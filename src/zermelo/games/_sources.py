"""Sources of facts that several games share."""

COUNTED_IN_PYTHON = "our own enumeration in plain Python, which shares no code with Zermelo"
ENUMERATED = "enumeration by a program that shares no code with Zermelo"
WINNING_WAYS = "Berlekamp, Conway and Guy, Winning Ways"
LEETCODE = "LeetCode {}, the problem statement"
GAMESMAN = "GamesmanClassic at commit b9dd232, run by us"
CGSUITE = "CGSuite, its own tests (github aaron-siegel/cgsuite)"
