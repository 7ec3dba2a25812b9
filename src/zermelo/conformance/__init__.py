"""Conformance: does an author's class keep the contract?

``zermelo.check`` plays through a game with its rules as plain Python, then compares the results of
the compiled rules, and reports each problem in a sentence.
"""

from __future__ import annotations

from zermelo.conformance.report import Problem, Report

__all__ = ["Problem", "Report"]
