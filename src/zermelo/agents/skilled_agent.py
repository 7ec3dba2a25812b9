"""An agent that comes with Zermelo: perfect, random, or of any skill in between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.play.match import Opponent

if TYPE_CHECKING:
    from zermelo.rules.view import Answering


@dataclass(frozen=True, repr=False)
class SkilledAgent:
    """An agent that knows the solution and errs as often as its skill says, as ``Opponent`` does.

    With probability ``skill / 100`` it chooses uniformly among the best moves of a position, else
    among all its moves. It makes the same move whenever it is asked about the same position.

    Attributes:
        solution: the solved game.
        skill: a number from 0, which plays at random, to 100, which never errs.
        seed: the seed of the choices.

    Raises:
        ParameterError: the skill is not a whole number from 0 to 100.
    """

    solution: Answering
    skill: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the skill."""
        Opponent(self.skill)

    @property
    def __name__(self) -> str:
        """The name that an evaluation gives the agent."""
        return {0: "random", 100: "perfect"}.get(self.skill, f"skill {self.skill}")

    def __call__(self, position: Any) -> Any:
        """Return the agent's move in a position in which the game is not over."""
        opponent = Opponent(self.skill, self.seed)
        chance = opponent.chance(repr(position))
        if opponent.errs(chance):
            return chance.choice(self.solution.rules.moves(position))
        best = self.solution.kind.best(self.solution.options(position))
        return chance.choice(best).move
