"""UMB models: the binary format that Storm, PRISM and others exchange."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import MissingExtraError, ParameterError
from zermelo.graph.formats.models import Numbers, chance_error, coalition_of, model_game, target_of
from zermelo.graph.game import GraphGame


def read_umb(
    path: str | os.PathLike[str], target: str | Iterable[int], coalition: int | Iterable[int] = 0
) -> GraphGame:
    """Read a model in UMB, which Storm and PRISM exchange, as a game of reachability.

    A coalition of players has to reach a target and wins there; all others win if play never does,
    also if it ends elsewhere. Every choice must lead to one state: games with chance are not
    solved. A model of one player, such as an MDP, is a game in which the other never moves.

    Args:
        path: the file, ``.umb``.
        target: the atomic proposition of the target states, by name or alias, or their numbers.
        coalition: the number of the player who has to reach them, from 0 as in the file, or
            several.

    Returns:
        The game, in which player 0 is the coalition and player 1 all others. It starts at the
        initial state, if there is exactly one.

    Raises:
        MissingExtraError: the package umbi is not installed: ``pip install 'zermelo[umb]'``.
        ParameterError: the file is not such a model, a choice is left to chance, or there is no
            such proposition, state or player.
        OSError: the file cannot be read.
    """
    model = _read(path)
    system = model.index.transition_system
    count = system.num_states
    indptr, indices = _choices(model)
    owners = np.array(model.state_to_player or [0] * count, np.int64)
    target_mask = target_of(target, _labels(model), count, repr(str(path)))
    initial = np.array(model.state_is_initial or [False] * count, np.bool_)
    members = coalition_of(coalition, system.num_players)
    return model_game(indptr, indices, owners, target_mask, initial, members, None)


def _read(path: str | os.PathLike[str]) -> Any:
    """Return a model in the form of umbi.

    Raises:
        MissingExtraError: umbi is not installed.
        ParameterError: it is not a model, or not one of a game.
    """
    try:
        umb = import_module("umbi.umb")
    except ModuleNotFoundError:
        message = "UMB models need umbi, which is not installed; run pip install 'zermelo[umb]'"
        raise MissingExtraError(message) from None
    if not Path(path).is_file():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    try:
        model = umb.read(path)
    except Exception as error:  # the package has many errors for a damaged file
        reason = str(error).partition("\n")[0].rstrip(":") or type(error).__name__
        message = f"{str(path)!r} is not a model in UMB: {reason}; give one that umbi can read"
        raise ParameterError(message) from error
    system = model.index.transition_system
    if system.time != "discrete" or not system.num_players:
        fault = f"has {system.time} time" if system.num_players else "has no players"
        message = f"the model {fault}, so that chance decides; only games without chance are solved"
        raise ParameterError(message)
    return model


def _choices(model: Any) -> tuple[Numbers, Numbers]:
    """Return the first choice of each state, and the next state of each choice.

    Raises:
        ParameterError: a choice is left to chance.
    """
    system = model.index.transition_system
    indptr = np.array(model.state_to_choices or [0] * (system.num_states + 1), np.int64)
    branches = np.array(model.choice_to_branches or [0] * (system.num_choices + 1), np.int64)
    targets = np.array(model.branch_to_target or [], np.int64)
    is_consistent = len(indptr) == system.num_states + 1 and (indptr[1:] >= indptr[:-1]).all()
    is_consistent = (
        is_consistent and len(branches) == int(indptr[-1]) + 1 and int(branches[-1]) == len(targets)
    )
    if not is_consistent or int(indptr[0]) or int(branches[0]):
        message = "the model's choices and branches are not as many as it says; export it again"
        raise ParameterError(message)
    is_ambiguous = np.diff(branches) != 1
    uncertain_choices = [int(np.argmax(is_ambiguous))] if is_ambiguous.any() else []
    fault = "does not lead to one state"
    if not uncertain_choices:
        probabilities = model.branch_to_probability or ()
        uncertain_choices = [
            choice for choice, probability in enumerate(probabilities) if probability != 1
        ][:1]
        fault = (
            f"has the probability {probabilities[uncertain_choices[0]]}"
            if uncertain_choices
            else ""
        )
    if uncertain_choices:
        state = int(np.searchsorted(indptr, uncertain_choices[0], side="right")) - 1
        raise chance_error(state, uncertain_choices[0] - int(indptr[state]), fault)
    return indptr, targets


def _labels(model: Any) -> dict[str, npt.NDArray[np.bool_]]:
    """Return the states of each atomic proposition, by its name and its alias."""
    labels = {}
    for name, proposition in ((model.annotations or {}).get("aps") or {}).items():
        if "states" in proposition:
            states = np.array(proposition["states"], np.bool_)
            labels[name] = states
            alias = model.index.annotations["aps"][name].alias
            labels[alias or name] = states
    return labels
