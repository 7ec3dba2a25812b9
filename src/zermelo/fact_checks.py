"""Facts compared with solutions: what a game's class says others have published about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.errors import RulesError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.solving import solve

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution


@dataclass(frozen=True)
class CheckedFact:
    """A fact about a game, and what the solution says of it.

    Attributes:
        game: the game with the fact's parameters.
        fact: what has been published.
        differences: what the solution says otherwise, a few words each.
    """

    game: Game
    fact: Fact
    differences: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether the solution agrees with the fact."""
        return not self.differences

    def _repr_html_(self) -> str:
        """Return the fact and what the solution says of it, for notebooks."""
        from zermelo.forms import notebook_html

        return notebook_html.checked_fact(self)


def check_facts(
    game: type[Game], *, memory: int | str | None = None, threads: int | None = None
) -> Iterator[CheckedFact]:
    """Solve a game for each fact that its class declares in ``facts``, and compare.

    Facts with ``checked=False`` are left out.

    Args:
        game: the class.
        memory: the most memory that each solve may use, as for ``zermelo.solve``.
        threads: the number of threads of each solve.

    Yields:
        Each fact with the differences, true if there are none.

    Raises:
        RulesError: it is not the class of a game, or its ``facts`` are not facts.
        ParameterError: a fact's parameters are not ones that the game accepts.
        BudgetError: a game does not fit in memory; give its fact ``checked=False``.
    """
    for fact in facts_of(game):
        if fact.checked:
            yield check_fact(game, fact, memory=memory, threads=threads)


def check_fact(
    game: type[Game], fact: Fact, *, memory: int | str | None = None, threads: int | None = None
) -> CheckedFact:
    """Solve a game for one fact and compare; as ``check_facts`` does for each."""
    made = _made(game, fact)
    told = set(fact.says)
    differences: list[str] = []
    for value in _values(told):
        solution: Solution = solve(
            made, value=value, misere=fact.misere, memory=memory, threads=threads
        )
        differences += fact.differences(solution.value, solution.counts())
    return CheckedFact(made, fact, tuple(differences))


def facts_of(game: type[Game]) -> tuple[Fact, ...]:
    """Return the facts that a class declares.

    Raises:
        RulesError: it is not the class of a game, or ``facts`` is not a row of facts.
    """
    given: Any = game  # whatever a caller without types gave
    if not (isinstance(given, type) and issubclass(given, Game)):
        message = f"expected the class of a game, not {game!r}; its facts are made of parameters"
        raise RulesError(message)
    facts: Any = game.facts
    if not isinstance(facts, tuple) or not all(isinstance(fact, Fact) for fact in facts):
        message = f"{game.__name__}.facts must be a tuple of zermelo.Fact, not {facts!r}"
        raise RulesError(message)
    return tuple(facts)


def _made(game: type[Game], fact: Fact) -> Game:
    try:
        return game(**fact.parameters)
    except TypeError as error:
        message = f"a fact of {game.__name__} has parameters that make no game: {error}"
        raise RulesError(message) from None


def _values(told: set[str]) -> Iterator[str | None]:
    """Yield the kinds of value to solve for, where a fact says this."""
    if "nimber" in told:
        yield "nimber"
    if told - {"nimber"}:
        yield "score-and-plies" if {"score", "remoteness"} <= told else None
