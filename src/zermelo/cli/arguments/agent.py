"""From the word AGENT on the command line to an agent."""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.arguments.game_class import GameClass, import_local_module, run_file
from zermelo.cli.arguments.table import TableCommand
from zermelo.cli.errors import Stop, did_you_mean
from zermelo.errors import ParameterError, RulesError

if TYPE_CHECKING:
    from types import ModuleType

    from zermelo.solution.solution import Solution

#: Agents that come with Zermelo, by how good they are.
SKILLS = {"perfect": 100, "random": 0}
#: Agents that come with Zermelo and play by temperatures, and their names in ``zermelo.agents``.
TEMPERATURE_AGENTS = {"hotstrat": "Hotstrat", "thermostrat": "Thermostrat"}


class AgentCommand(TableCommand):
    """A command about an agent and a game: ``zermelo COMMAND AGENT TABLE_OR_GAME``."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Make the command, with AGENT before the game."""
        super().__init__(*args, **kwargs)
        self.params.insert(0, click.Argument(["agent"], metavar="AGENT"))

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the words after the command's name in the usage line."""
        return ["AGENT", *super().collect_usage_pieces(ctx)]

    def _resolve_game(self, ctx: click.Context, args: list[str]) -> GameClass | None:
        """Return the game that GAME names; the name of an agent raises an error of its own."""
        text = self._game_word(ctx, args)
        if text in SKILLS or text in TEMPERATURE_AGENTS:
            message = f"{text!r} is an agent, not a game; write the agent before the game"
            raise Stop(message)
        return super()._resolve_game(ctx, args)

    def _arguments(self, ctx: click.Context) -> list[str]:
        """Return none: both arguments are there already."""
        del ctx
        return []


@dataclass(frozen=True)
class FoundAgent:
    """An agent on the command line.

    Attributes:
        name: the word.
        build: the agent of a solution.
    """

    name: str
    build: Callable[[Solution], Any]


def find_agent(text: str) -> FoundAgent:
    """Return the agent that a word names.

    Args:
        text: ``perfect``, ``random``, ``hotstrat``, ``thermostrat``, ``path.py:name`` or
            ``package.module:name``.

    Raises:
        Stop: there is no such agent, or its file cannot be run.
    """
    if text in SKILLS:
        from zermelo.agents import SkilledAgent

        return FoundAgent(text, lambda solution: SkilledAgent(solution, SKILLS[text]))
    if text in TEMPERATURE_AGENTS:
        return FoundAgent(text, partial(_temperature_agent, text))
    path, colon, name = text.rpartition(":")
    if not colon or not name or not (path.endswith(".py") or re.fullmatch(r"\w+(\.\w+)*", path)):
        message = (
            f"there is no agent {text!r}; write path.py:name, with the name of a function of a "
            "position that returns a move, or perfect, random, hotstrat or thermostrat"
        )
        raise Stop(message)
    module = (
        run_file(path) if path.endswith(".py") else import_local_module(path, text, lambda _: None)
    )
    agent = _in_module(module, path, name)
    return FoundAgent(name, lambda _: agent)


def _temperature_agent(name: str, solution: Solution) -> Any:
    """Return an agent that plays by temperatures; the game is solved for them if need be.

    Raises:
        Stop: the game has no values of partizan games.
    """
    from zermelo import agents
    from zermelo.solving import solve
    from zermelo.values.partizan import PARTIZAN

    if solution.kind.algebra != PARTIZAN.algebra:
        try:
            solution = solve(solution.game, value=PARTIZAN.name)
        except (ParameterError, RulesError) as error:
            reason = str(error).partition("; ")[0]
            message = f"{name} plays by values of partizan games: {reason}; measure another agent"
            raise Stop(message) from None
    agent_class = getattr(agents, TEMPERATURE_AGENTS[name])
    return agent_class(solution)


def _in_module(module: ModuleType, path: str, name: str) -> Any:
    if not hasattr(module, name):
        callables = [
            key for key, value in vars(module).items() if callable(value) and key[:1] != "_"
        ]
        suggestions = difflib.get_close_matches(name, callables, 2)
        message = (
            f"{path} has no agent {name!r}{did_you_mean(suggestions) or '; name a function in it'}"
        )
        raise Stop(message)
    agent = getattr(module, name)
    if inspect.isclass(agent):
        message = (
            f"{name} in {path} is a class; write a line agent = {name}() below it, and give "
            f"{path}:agent"
        )
        raise Stop(message)
    if not callable(agent) and not hasattr(agent, "batch"):
        message = (
            f"{name} in {path} is not an agent but {agent!r}; give a function of a position that "
            "returns a move, or an object with batch(positions)"
        )
        raise Stop(message)
    return agent
