"""Conformance: does an author's class keep the contract?

``zermelo.check`` plays through a game with its rules as plain Python, then compares what the same
rules do compiled, and says in a sentence each what is wrong.
"""

from __future__ import annotations

from zermelo.conformance.report import Problem, Report

__all__ = ["Problem", "Report"]
