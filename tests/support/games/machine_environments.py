"""Environments as PettingZoo and Gymnasium have them, without these packages."""

from __future__ import annotations

import random
import threading
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np


class Space:
    """Numbered actions."""

    start = 0

    def __init__(self, n: int) -> None:
        self.n = n

    def contains(self, action: int) -> bool:
        return action in range(self.n)

    def sample(self) -> int:
        return 0


class MachineEnv:
    """A ``StateMachine`` as an environment of PettingZoo; the first of its keys is observed."""

    possible_agents: ClassVar[list[str]] = ["a", "b"]

    def __init__(self, machine: Any) -> None:
        self.machine = SimpleNamespace(
            rows=machine.rows,
            players=machine.players,
            payoffs=machine.payoffs,
            label=machine.labels[0],
        )
        self.widest = max(map(len, machine.rows))

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.at, self.agents, self.infos = 0, list(self.possible_agents), {"a": {}, "b": {}}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._told()

    def _told(self) -> None:
        over = not self.machine.rows[self.at]
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.possible_agents[self.machine.players[self.at]]
        if over:
            pay = float(self.machine.payoffs[self.at])
            self.rewards = {"a": pay, "b": -pay}

    def observe(self, agent: str) -> dict[str, Any]:
        mask = np.arange(self.widest) < len(self.machine.rows[self.at])
        return {"observation": self.machine.label(self.at), "action_mask": mask.astype(np.int8)}

    def action_space(self, agent: str) -> Space:
        return Space(self.widest)

    def observation_space(self, agent: str) -> Space:
        return Space(len(self.machine.rows))

    def step(self, action: int) -> None:
        self.at = self.machine.rows[self.at][action]
        self._told()

    def __reduce__(self) -> Any:
        """Return a new environment, as a copy of PettingZoo's environments is."""
        return _anew, (self.machine,)


def _anew(machine: Any) -> MachineEnv:
    machine.labels = [machine.label]
    environment = MachineEnv(machine)
    environment.reset()
    return environment


class Nim:
    """A heap from which one to three are taken, as an environment of Gymnasium.

    Attributes:
        fault: what is wrong with it: ``"chance"``, ``"lock"`` or ``"elsewhere"``.
    """

    metadata: ClassVar[dict[str, Any]] = {}
    elsewhere: ClassVar[list[int]] = [0]

    def __init__(self, heap: int = 10, fault: str = "", *, masked: bool = True) -> None:
        self.heap, self.fault, self.masked = heap, fault, masked
        self.action_space = self.observation_space = Space(3)
        if fault == "lock":
            self.lock = threading.Lock()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": np.arange(3) < self.left} if self.masked else {}

    @property
    def left(self) -> int:
        """What is left of the heap."""
        return self.elsewhere[0] if self.fault == "elsewhere" else self._left

    @left.setter
    def left(self, count: int) -> None:
        if self.fault == "elsewhere":
            self.elsewhere[0] = count
        else:
            self._left = count

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        self.left, self.player = self.heap, 0
        return self.left, self._info()

    def step(self, action: int) -> Any:
        count = action + 1
        if self.fault == "chance" and self.left == self.heap and random.random() < 0.5:
            count = 1
        self.left -= count
        self.player = 1 - self.player
        return self.left, float(self.left <= 0), self.left <= 0, False, self._info()
