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
    initial_states = np.flatnonzero(initial)
    start = None
    if len(initial_states) == 1:
        start = int(initial_states[0]) if nodes is None else nodes[int(initial_states[0])]
    return reachability(indptr, indices, owner, target, 0, start, nodes)


def coalition_of(coalition: int | Iterable[int], players: int) -> frozenset[int]:
    """Return the numbers of the players of a coalition.

    Args:
        coalition: a number, or several.
        players: the number of players.

    Raises:
        ParameterError: a number is not a player's.
    """
    numbers = [coalition] if isinstance(coalition, int | np.integer) else list(coalition)
    for player in numbers:
        if isinstance(player, bool) or player not in range(players):
            message = f"coalition={coalition!r} has {player!r}, which is not a player; "
            message += f"use numbers from 0 to {players - 1}"
            raise ParameterError(message)
    return frozenset(map(int, numbers))


def target_of(
    target: str | Iterable[int],
    labels: Mapping[str, npt.NDArray[np.bool_]],
    states: int,
    source: str,
) -> npt.NDArray[np.bool_]:
    """Return the mask of the states that are targets.

    Args:
        target: a label, or the numbers of states.
        labels: the states of each label.
        states: the number of states.
        source: where the labels are from, for messages.

    Raises:
        ParameterError: there is no such label, or no such state.
    """
    if isinstance(target, str):
        if target not in labels:
            label_list = ", ".join(map(repr, sorted(labels))) or "none at all"
            message = f"{source} has no label {target!r}; there is {label_list}"
            raise ParameterError(message)
        return labels[target]
    mask = np.zeros(states, np.bool_)
    for state in target:
        if isinstance(state, bool) or state not in range(states):
            message = f"target has {state!r}, which is not a state; use 0 to {states - 1}"
            raise ParameterError(message)
        mask[state] = True
    return mask


def chance_error(state: int, choice: int, fault: str) -> ParameterError:
    """Return the error for a choice that leaves something to chance."""
    message = f"choice {choice} of state {state} {fault}, so that chance decides"
    return ParameterError(f"{message}; only games without chance are solved")
