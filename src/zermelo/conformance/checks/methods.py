"""The check of games whose declarations a solver uses instead of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._methods.placement.method import PlacementMethod
from zermelo._methods.placement.method import board_of as placement_board
from zermelo._methods.pursuit.method import PursuitMethod
from zermelo._methods.pursuit.method import board_of as pursuit_board
from zermelo.conformance.checks.compiled import without_name
from zermelo.conformance.report import Findings, ProblemKind
from zermelo.errors import RulesError
from zermelo.game.placement import PlacementGame

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules


def check_methods(rules: Rules, findings: Findings) -> bool:
    """Check that a placement game's lines, or a ``pursuit()``, agree with the rules.

    Args:
        rules: the rules.
        findings: receives the differences.
    """
    try:
        if isinstance(rules.game, PlacementGame) and PlacementMethod().unsuited(rules) is None:
            from zermelo._methods.placement import rules_check as placement

            placement.check_rules(rules, *placement_board(rules.game))
        elif PursuitMethod().unsuited(rules) is None:
            from zermelo._methods.pursuit import rules_check as pursuit
            from zermelo._methods.pursuit.index import PursuitIndex

            declaration, board = pursuit_board(rules)
            index = PursuitIndex.of_game(rules, declaration.fields, board)
            pursuit.check_rules(rules, board, index, declaration.fields)
    except RulesError as error:
        findings.error(ProblemKind.DECLARATION, without_name(str(error), rules.game))
        return False
    return True
