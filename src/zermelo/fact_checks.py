"""Comparison of the facts in a game's class with solutions."""

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
    """A fact about a game, compared with the solution.

    Attributes:
        game: the game with the fact's parameters.
        fact: the published result.
        differences: the differences of the solution, a few words each.
    """

    game: Game
    fact: Fact
    differences: tuple[str, ...]

    def __bool__(self) -> bool:
        """Return whether the solution agrees with the fact."""
        return not self.differences

    def _repr_html_(self) -> str:
        """Return the fact and the differences, for notebooks."""
        from zermelo.forms import notebook_html

        return notebook_html.checked_fact(self)


def check_facts(
    game: type[Game], *, memory: int | str | None = None, threads: int | None = None
) -> Iterator[CheckedFact]:
    """Solve a game for each fact that its class declares in ``facts``, and compare.

    Facts with ``checked=False`` are omitted.

    Args:
        game: the class.
        memory: the most memory that each solve may use, as for ``zermelo.solve``.
        threads: the number of threads of each solve.

    Yields:
        Each fact with the differences, true if there are none.

    Raises:
        RulesError: it is not the class of a game, or its ``facts`` are not facts.
        ParameterError: the game does not accept a fact's parameters.
        BudgetError: a game does not fit in memory; give its fact ``checked=False``.
    """
    for fact in facts_of(game):
        if fact.checked:
            yield check_fact(game, fact, memory=memory, threads=threads)


def check_fact(
    game: type[Game], fact: Fact, *, memory: int | str | None = None, threads: int | None = None
) -> CheckedFact:
    """Solve a game for one fact and compare them, as in ``check_facts``."""
    made = _make_game(game, fact)
    entries = set(fact.claims)
    differences: list[str] = []
    for value in _value_kinds(entries):
        solution: Solution = solve(
            made, value=value, misere=fact.misere, memory=memory, threads=threads
        )
        differences += fact.differences(solution.value, solution.counts())
    return CheckedFact(made, fact, tuple(differences))


def facts_of(game: type[Game]) -> tuple[Fact, ...]:
    """Return the facts that a class declares.

    Raises:
        RulesError: it is not the class of a game, or ``facts`` is not a tuple of facts.
    """
    given: Any = game  # an untyped caller may pass anything
    if not (isinstance(given, type) and issubclass(given, Game)):
        message = f"expected the class of a game, not {game!r}; its facts are made of parameters"
        raise RulesError(message)
    facts: Any = game.facts
    if not isinstance(facts, tuple) or not all(isinstance(fact, Fact) for fact in facts):
        message = f"{game.__name__}.facts must be a tuple of zermelo.Fact, not {facts!r}"
        raise RulesError(message)
    return tuple(facts)


def _make_game(game: type[Game], fact: Fact) -> Game:
    try:
        return game(**fact.parameters)
    except TypeError as error:
        message = f"a fact of {game.__name__} has parameters that make no game: {error}"
        raise RulesError(message) from None


def _value_kinds(entries: set[str]) -> Iterator[str | None]:
    """Yield the kinds of value to solve for, to check these entries of a fact."""
    yield from (kind for kind in ("nimber", "partizan") if kind in entries)
    if entries - {"nimber", "partizan"}:
        yield "score-and-plies" if {"score", "remoteness"} <= entries else None
