"""The common part of model checkers' files: states, choices, and a target to reach."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError
from zermelo.graph.game import GraphGame, reachability

Numbers = npt.NDArray[np.int64]


def model_game(
    indptr: Numbers,
    indices: Numbers,
    players: Numbers,
    target: npt.NDArray[np.bool_],
    initial: npt.NDArray[np.bool_],
    coalition: Collection[int],
    nodes: Sequence[Any] | None,
) -> GraphGame:
    """Return the game in which a coalition of players has to reach a target.

    Args:
        indptr: the first choice of each state.
        indices: the next state of each choice.
        players: the player to move at each state.
        target: whether each state is a target.
        initial: whether each state is an initial state.
        coalition: the players who have to reach the target.
        nodes: the names of the states, or None.
    """
    owner = (~np.isin(players, list(coalition))).astype(np.uint8)
    begin = np.flatnonzero(initial)
    start: Any = None
    if len(begin) == 1:
        start = int(begin[0]) if nodes is None else nodes[int(begin[0])]
    return reachability(indptr, indices, owner, target, 0, start, nodes)


def coalition_of(given: int | Iterable[int], players: int) -> frozenset[int]:
    """Return the numbers of the players of a coalition.

    Args:
        given: a number, or several.
        players: the number of players.

    Raises:
        ParameterError: a number is not a player's.
    """
    wanted = [given] if isinstance(given, int | np.integer) else list(given)
    for player in wanted:
        if isinstance(player, bool) or player not in range(players):
            message = f"coalition={given!r} has {player!r}, which is not a player; "
            message += f"use numbers from 0 to {players - 1}"
            raise ParameterError(message)
    return frozenset(map(int, wanted))


def target_of(
    given: str | Iterable[int], labels: Mapping[str, npt.NDArray[np.bool_]], states: int, where: str
) -> npt.NDArray[np.bool_]:
    """Return by state whether it is a target.

    Args:
        given: a label, or the numbers of states.
        labels: the states of each label.
        states: the number of states.
        where: the place of the labels, for messages.

    Raises:
        ParameterError: there is no such label, or no such state.
    """
    if isinstance(given, str):
        if given not in labels:
            known = ", ".join(map(repr, sorted(labels))) or "none at all"
            message = f"{where} has no label {given!r}; there is {known}"
            raise ParameterError(message)
        return labels[given]
    found = np.zeros(states, np.bool_)
    for state in given:
        if isinstance(state, bool) or state not in range(states):
            message = f"target has {state!r}, which is not a state; use 0 to {states - 1}"
            raise ParameterError(message)
        found[state] = True
    return found


def chance_error(state: int, choice: int, why: str) -> ParameterError:
    """Return the error for a choice that leaves something to chance."""
    message = f"choice {choice} of state {state} {why}, so that chance decides"
    return ParameterError(f"{message}; only games without chance are solved")
