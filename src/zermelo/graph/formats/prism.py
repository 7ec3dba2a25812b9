"""Explicit models of PRISM and PRISM-games: transitions, states and labels as text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError
from zermelo.graph.formats.models import chance_error, coalition_of, model_game, target_of
from zermelo.graph.game import GraphGame

_HEADER = re.compile(r"(\d+)(?::(\d+))? (\d+) (\d+)")
_SOURCE = re.compile(r"(dtmc|ctmc|mdp|pomdp|pta|smg|tsg|csg|const|module|global|formula)\b|//")
_LABEL = re.compile(r'(\d+)="([^"]*)"')
_COLUMNS = 4


def read_prism(
    transitions: str | os.PathLike[str],
    target: str | Iterable[int],
    coalition: int | Iterable[int] = 0,
    *,
    states: str | os.PathLike[str] | None = None,
    labels: str | os.PathLike[str] | None = None,
) -> GraphGame:
    """Read an explicit model of PRISM-games (or an MDP of PRISM) as a game of reachability.

    These are the files that ``-exporttrans``, ``-exportstates`` and ``-exportlabels`` write for
    turn-based games (``smg``). A coalition of players has to reach a target and wins there; all
    others win if play never reaches it, even if play ends elsewhere. Every choice must lead to one
    state: games with chance are not solved. In an MDP all states are of player 0.

    Args:
        transitions: the file of transitions, ``.tra``.
        target: the label of the target states, such as ``"goal"``, or their numbers.
        coalition: the number of the player who has to reach them, from 0 as in the file, or
            several.
        states: the file of states, ``.sta``; a vertex is then named by the values of the state's
            variables, a tuple, and else by its number.
        labels: the file of labels, ``.lab``; by default the one next to the transitions, if any.
            The game starts at the state with the label ``init``, if there is exactly one.

    Returns:
        The game, in which player 0 is the coalition and player 1 all others.

    Raises:
        ParameterError: a file is not of this form, a choice is left to chance, or there is no such
            label, state or player.
        OSError: a file cannot be read.
    """
    path = Path(transitions)
    rows = _Transitions.of(path)
    count = rows.states
    default_path = path.with_suffix(".lab")
    states_by_label: dict[str, npt.NDArray[np.bool_]] = {}
    source = "the model, which has no file of labels,"
    if labels is not None or default_path.is_file():
        file = default_path if labels is None else Path(labels)
        states_by_label, source = _labels(file, count), repr(str(file))
    target_mask = target_of(target, states_by_label, count, source)
    initial = states_by_label.get("init", np.zeros(count, np.bool_))
    members = coalition_of(coalition, rows.players)
    sources = np.array(rows.sources, np.int64)
    indptr = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(sources, minlength=count), out=indptr[1:])
    indices = np.array(rows.targets, np.int64)[np.argsort(sources, kind="stable")]
    owners = np.array(rows.owners, np.int64)
    nodes = None if states is None else _states(Path(states), count)
    return model_game(indptr, indices, owners, target_mask, initial, members, nodes)


@dataclass
class _Transitions:
    """The contents of a file of transitions.

    Attributes:
        states: the number of states.
        players: the number of players.
        owners: the player to move at each state; 0 for states without transitions.
        sources: the state of each choice.
        targets: the next state of each choice.
    """

    states: int
    players: int
    owners: list[int]
    sources: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, path: Path) -> _Transitions:
        """Read a file.

        Raises:
            ParameterError: it is not such a file, or has chance moves.
        """
        lines = _lines(path)
        number, header = next(lines, (1, ""))
        match = _HEADER.fullmatch(header)
        if _SOURCE.match(header):
            message = (
                f"{str(path)!r} begins with {header!r}, as the source of a model does; let PRISM "
                "build it, with -exporttrans, and give the transitions that it writes"
            )
            raise ParameterError(message)
        if match is None:
            message = (
                f"{str(path)!r} begins with {header!r}; the transitions of a game begin with "
                "'states:players choices transitions', those of an MDP with 'states choices "
                "transitions'"
            )
            raise ParameterError(message)
        count, players = int(match[1]), int(match[2] or 1)
        transitions = cls(count, players, [0] * count)
        last = (-1, -1)
        for number, line in lines:
            parts = line.split(None, _COLUMNS)
            state, choice, next_state = transitions._numbers(
                path, number, parts, has_owners=match[2] is not None
            )
            if (state, choice) == last:
                raise chance_error(state, choice, "leads to several states")
            if float(parts[3]) != 1:
                raise chance_error(state, choice, f"has the probability {parts[3]}")
            last = state, choice
            transitions.sources.append(state)
            transitions.targets.append(next_state)
        return transitions

    def _numbers(
        self, path: Path, number: int, parts: list[str], *, has_owners: bool
    ) -> tuple[int, int, int]:
        """Return the state, the choice and the next state of a line.

        Raises:
            ParameterError: the line is not a transition.
        """
        player = ":"
        try:
            first, _, player = parts[0].partition(":")
            state, choice, next_state = int(first), int(parts[1]), int(parts[2])
            float(parts[3])
            if has_owners and player:
                self.owners[state] = int(player)
            is_known = min(state, next_state) >= 0 and next_state < self.states
            if bool(player) == has_owners and is_known and 0 <= self.owners[state] < self.players:
                return state, choice, next_state
        except (ValueError, IndexError):
            player = ":"
        form = "'state:player choice state probability'" if has_owners else "'state choice state 1'"
        message = f"line {number} of {str(path)!r} is {' '.join(parts)!r}, and {form} is expected, "
        message += f"with states to {self.states - 1} and players to {self.players - 1}"
        if has_owners and not player:
            message = f"{str(path)!r} has no player in line {number}: in a concurrent game both "
            message += "move at once, and only games in turns are solved"
        raise ParameterError(message)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither empty nor comments, with their numbers."""
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            text = line.strip()
            if text and not text.startswith("#"):
                yield number, text


def _labels(path: Path, count: int) -> dict[str, npt.NDArray[np.bool_]]:
    """Return the states of each label.

    Raises:
        ParameterError: it is not a file of labels.
    """
    lines = _lines(path)
    _, header = next(lines, (1, ""))
    names = {int(number): name for number, name in _LABEL.findall(header)}
    if not names:
        message = f"{str(path)!r} begins with {header!r}; labels begin with a line such as "
        message += '\'0="init" 1="goal"\''
        raise ParameterError(message)
    states_by_label = {name: np.zeros(count, np.bool_) for name in names.values()}
    for number, line in lines:
        state, _, label_numbers = line.partition(":")
        try:
            vertex, label_names = int(state), [names[int(label)] for label in label_numbers.split()]
            if not 0 <= vertex < count:
                raise IndexError(vertex)
        except (ValueError, LookupError):
            message = (
                f"line {number} of {str(path)!r} is {line!r}; give a state to {count - 1} and "
            )
            message += "its labels, such as '3: 0 1'"
            raise ParameterError(message) from None
        for name in label_names:
            states_by_label[name][vertex] = True
    return states_by_label


def _states(path: Path, count: int) -> list[Any]:
    """Return the values of the variables of each state.

    Raises:
        ParameterError: it is not a file of ``count`` states.
    """
    lines = _lines(path)
    next(lines, None)
    nodes: list[Any] = [None] * count
    for number, line in lines:
        state, _, values = line.partition(":")
        try:
            nodes[int(state)] = tuple(map(_value, values.strip("()").split(",")))
        except (ValueError, IndexError):
            message = (
                f"line {number} of {str(path)!r} is {line!r}; give a state to {count - 1} and "
            )
            message += "its values, such as '3:(0,true)'"
            raise ParameterError(message) from None
    undescribed = [i for i, node in enumerate(nodes) if node is None]
    if undescribed or len(set(nodes)) < count:
        fault = (
            f"does not describe state {undescribed[0]}"
            if undescribed
            else "describes two states alike"
        )
        message = f"{str(path)!r} {fault}; export it again, or leave out states="
        raise ParameterError(message)
    return nodes


def _value(text: str) -> int | bool | float | str:
    """Return the value of a variable."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
