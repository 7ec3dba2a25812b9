"""``zermelo.prove``: asks what one position is worth, and searches until that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.errors import ParameterError
from zermelo.game.placement import PlacementGame
from zermelo.progress import Listener, Reporter
from zermelo.proving.question import ASKS, COMPONENTS, PROOF_NUMBER, SEARCHES, Question
from zermelo.resources import memory_bytes, thread_count
from zermelo.rules.layout import MisfitError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from zermelo._compile.rules import CompiledRules
    from zermelo.game.contract import Game
    from zermelo.proving.proof import Proof
    from zermelo.solution.solution import Solution


def prove(
    game: Game,
    *,
    position: Any = None,
    ask: str = "value",
    remoteness: bool = False,
    search: str | None = None,
    memory: int | str | None = None,
    time: float | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    tables: Iterable[Solution | str | os.PathLike[str]] = (),
    table: str | os.PathLike[str] | None = None,
    progress: Listener | None = None,
) -> Proof:
    """Find the value of one position by search, with a strategy that proves it.

    Use it where the game is far too large for ``solve``, which finds the value of every position.
    The rules are the same and compiled in the same way. Three more hooks help if they are there:
    ``promise(position, move)``, a whole number that is greater for moves to be looked at first;
    ``bounds(position)``, the least and the most that the position can be worth to the player to
    move, such as ``(DRAW, WIN)``; and ``enough(position)``, some of its moves, among which is a
    best one.

    Args:
        game: the game, an instance of the author's class.
        position: the position; by default the start.
        ask: ``"value"``; or less, which may be found much sooner: ``"win"``, whether the player to
            move can win, or ``"draw"``, whether that player can get a draw at least. In a score
            game those are whether the margin can be more than 0, or 0 at least.
        remoteness: whether to find, too, how many plies it takes to the end: of a tie, the shortest
            way over drawn positions, all of which are looked at; of an endless draw, that it is.
        search: ``"alpha-beta"``, ``"proof-number"`` or ``"components"``. By default it is by
            components in impartial games with ``split``, where neither ``remoteness`` nor
            ``tables`` ask for more; else alpha-beta, and proof-number search once a position comes
            again. Proof-number search knows no scores, and with ``remoteness=True`` it finds who
            wins, and alpha-beta in how many plies.
        memory: the most memory for the table of the search, in bytes or as ``"4GB"``; by default
            most of the free memory. A search with a smaller table takes longer.
        time: seconds after which to stop, with what is known then; ``resume`` goes on.
        nodes: positions to visit before stopping in the same way.
        threads: how many threads share the work of a search that takes long; by default one per
            core. The value is the same for any number; where several moves are as good, which of
            them is found may differ. The other two searches take one.
        tables: solutions, or paths of their files, of the same class of games, with these
            parameters or others. Where the search comes to a position of one of them, it takes its
            value and goes no further. The rules must be the same from there on, and the file must
            have been made from the class as it is now.
        table: the path of a folder for the search's own table. It is written now and then, and
            when the search ends, for whatever reason. The same call resumes from it, also after
            the process was killed, and answers at once where the search had finished.
        progress: a function that is called with an ``Event`` now and then, in this thread.

    Returns:
        The proof. Where a limit or Ctrl-C stopped the search, its ``value`` may be None, and its
        ``bounds`` say what is known.

    Raises:
        RulesError: the class breaks the contract; ``zermelo.check`` reports how.
        CompileError: a rule uses something that cannot be compiled.
        ParameterError: an argument is invalid; or endless play is not a draw in the game, or it
            is a score game that can go round in circles; or ``search`` does not suit it; or one of
            the tables is of other rules.
        BudgetError: the tables have more positions than half of the memory can hold, or ``table``
            holds more than is allowed.
        TableBusyError: another process is searching with ``table``.
        TableWriteError: ``table`` cannot be written, or is something else.
        MissingTableError: there is no file at one of the paths.
        StaleTableError: the rules have changed since one of the files was made; or ``table`` is of
            another search.
        CorruptTableError: one of the files is damaged.
        PositionError: ``position`` is not a position of the game.
    """
    from zermelo._engine.core.ledger import Ledger
    from zermelo.proving.proof import Proof
    from zermelo.proving.proof_search import ProofSearch
    from zermelo.proving.search import searcher_for
    from zermelo.proving.tables import tabled_positions

    if ask not in ASKS:
        message = f"ask={ask!r} is not known; use one of {', '.join(ASKS)}"
        raise ParameterError(message)
    if search not in (None, *SEARCHES):
        message = f"search={search!r} is not known; use one of {', '.join(SEARCHES)}"
        raise ParameterError(message)
    _check_limits(time, nodes)
    ledger = Ledger.of(memory_bytes(memory))
    begin = game.start() if position is None else position
    compiled = folded_from(ready(game), begin)
    if remoteness and compiled.kind.gains:
        message = f"remoteness=True does not suit {compiled.rules.name}, a score game; leave it out"
        raise ParameterError(message)
    if search == PROOF_NUMBER and compiled.kind.gains:
        name = compiled.rules.name
        message = f"search={PROOF_NUMBER!r} does not suit {name}, a score game; leave it out"
        raise ParameterError(message)
    if search == COMPONENTS:
        _check_components(compiled, remoteness=remoteness, tables=tables)
    if compiled.rules.favours_a_player or compiled.rules.has("endless"):
        message = (
            f"endless play is not a draw in {compiled.rules.name}, which prove() does not know "
            "about; solve the game instead"
        )
        raise ParameterError(message)
    report = Reporter(progress)
    tabled = tabled_positions(compiled, tables, ledger, report, timed=remoteness)
    # How far away the end is, another table tells.
    each = ledger.allowed // 2 if remoteness else ledger.allowed
    searcher = searcher_for(compiled, each, report, thread_count(threads), tabled)
    proof = Proof(ProofSearch(compiled, begin, Question(ask, remoteness, search), searcher))
    if table is not None:
        proof.keep_in(table)
    proof._search(time, nodes)  # noqa: SLF001  # this is what begins it
    return proof


def ready(game: Game) -> CompiledRules:
    """Return the rules of a game, compared with Python in a sample, and folded if they can be."""
    from zermelo._compile.rules import compile_rules
    from zermelo.conformance.sample_check import check_sample

    compiled = compile_rules(game)
    passed = check_sample(compiled, folded=compiled.rules.foldable, searched=True)
    if passed is not None:
        compiled.remember_compared(passed)
    if compiled.rules.foldable:
        compiled = compiled.folded()
        # By an image with the players exchanged, a strategy would not know whose it is.
        own = [each for each in compiled.elements if not compiled.rules.turns_over(each)]
        if compiled.elements:
            compiled = compiled.folded(own)
    return compiled


def folded_from(compiled: CompiledRules, position: Any) -> CompiledRules:
    """Return rules folded as suits a search that begins in a position.

    In a placement game all that comes after a position has its stones. So images come up only by
    the symmetries that leave them where they are, and others would cost time for nothing.

    Args:
        compiled: the rules, folded as they can be.
        position: where the search begins.
    """
    if not (compiled.elements and isinstance(compiled.rules.game, PlacementGame)):
        return compiled
    try:
        flat = compiled.rules.layout.flatten(position)
    except MisfitError:  # as whoever packs it says at length
        return compiled
    own = [each for each in compiled.elements if each.of(flat) == flat]
    return compiled.folded(own) if len(own) > 1 else compiled.unfolded()


def _check_components(compiled: CompiledRules, *, remoteness: bool, tables: Any) -> None:
    """See that a question can be answered by components.

    Raises:
        ParameterError: it cannot.
    """
    from zermelo.proving.components import unsuited

    name, why = compiled.rules.name, unsuited(compiled.rules)
    if why is not None:
        message = f"search={COMPONENTS!r} does not suit {name}, {why}; leave it out"
        raise ParameterError(message)
    if remoteness or tables != ():
        other = "remoteness=True" if remoteness else "tables"
        message = f"search={COMPONENTS!r} does not go with {other}; leave one of them out"
        raise ParameterError(message)


def _check_limits(time: Any, nodes: Any) -> None:
    """See that limits are numbers above 0.

    Raises:
        ParameterError: one is not.
    """
    if time is not None and (
        isinstance(time, bool) or not isinstance(time, int | float) or not time > 0
    ):
        message = f"time={time!r} is not a number of seconds; use more than 0, or leave it out"
        raise ParameterError(message)
    if nodes is not None and (isinstance(nodes, bool) or not isinstance(nodes, int) or nodes < 1):
        message = (
            f"nodes must be a whole number of at least 1, not {nodes!r}; leave it out for no limit"
        )
        raise ParameterError(message)
