"""``zermelo.prove``: the search for one position's value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.errors import ParameterError
from zermelo.game.placement import PlacementGame
from zermelo.plain.solve import solve_from
from zermelo.progress import Listener, Reporter
from zermelo.proving.components import check_components
from zermelo.proving.question import ASKS, COMPONENTS, NIMBER, PROOF_NUMBER, SEARCHES, Question
from zermelo.resources import memory_bytes, thread_count
from zermelo.rules.hooks import Rules
from zermelo.rules.layout import MisfitError
from zermelo.values.endless import REMOTENESS_ALGEBRAS
from zermelo.values.kind import check_known
from zermelo.values.scores import SCORES

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from zermelo._compile.rules import CompiledRules
    from zermelo.game.contract import Game
    from zermelo.proving.proof import Proof
    from zermelo.proving.proof_search import ProofSearch
    from zermelo.solution.solution import Solution

#: The algebras that a search knows.
_KNOWN = (*REMOTENESS_ALGEBRAS, SCORES.algebra)


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
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Listener | None = None,
) -> Proof:
    """Find the value of one position by search, with a strategy that proves it.

    Use it if the game is far too large for ``solve``, which finds the value of every position.
    (If few positions can follow, and no argument limits or chooses a search, all of them are solved
    in plain Python instead, without the hooks below.) The rules are the same and compiled in the
    same way. Three optional hooks help: ``promise(position, move)``, a whole number that is greater
    for moves to be searched first; ``bounds(position)``, a lower and an upper bound of the
    position's value for the player to move, such as ``(DRAW, WIN)``; and ``enough(position)``, some
    of its moves, one of which is a best one.

    Args:
        game: the game, an instance of the author's class.
        position: the position; by default the start.
        ask: the question: ``"value"``; or a weaker one, which may be answered much sooner:
            ``"win"``, whether the player to move can win, or ``"draw"``, whether that player can
            get at least a draw. In a score game these are whether the margin can be more than 0, or
            at least 0. ``"nimber"`` asks for more than the value: the nimber of the position of an
            impartial game with ``split``.
        remoteness: whether to find, too, how many plies it takes to the end: for a tie, by the
            shortest way over drawn positions, all of which are searched; for an endless draw, that
            it is endless.
        search: ``"alpha-beta"``, ``"proof-number"`` or ``"components"``. By default it is by
            components in impartial games with ``split``, unless ``remoteness`` or ``tables``
            exclude it; else alpha-beta, and proof-number search once a position repeats.
            Proof-number search has no scores, and with ``remoteness=True`` it finds who wins, and
            alpha-beta in how many plies.
        memory: the most memory for the table of the search, in bytes or as ``"4GB"``; by default
            most of the free memory. A search with a smaller table takes longer.
        time: seconds after which to stop with the bounds known then; ``resume`` continues.
        nodes: positions to visit before stopping in the same way.
        threads: how many threads share the work of a long search; by default one per core. The
            value does not depend on it; if several moves are equally good, a different one may be
            found. The other two searches use one thread.
        tables: solutions, or paths of their files, of the same class of games, with these
            parameters or others. When the search reaches a position of one of them, it uses its
            value and searches no further. The rules must be the same from there on, and the file
            must have been made from the class as it is now.
        checkpoint: the path of a folder for the search's own table. It is written from time to
            time, and when the search ends for any reason. The same call resumes from it, also after
            the process was killed, and answers immediately if the search had finished.
        progress: a function that is called with an ``Event`` from time to time, in this thread.

    Returns:
        The proof. If a limit or Ctrl-C stopped the search, its ``value`` may be known in part, and
        the ``bounds`` of this contain what is known.

    Raises:
        RulesError: the class breaks the contract; ``zermelo.check`` reports how.
        CompileError: a rule uses something that cannot be compiled.
        ParameterError: an argument is invalid; or endless play is not a draw in the game, or it is
            a score game with cycles; or ``search`` does not suit it; or one of the tables is of
            other rules.
        BudgetError: the tables have more positions than half of the memory can hold, or
            ``checkpoint`` contains more than is allowed.
        TableBusyError: another process is searching with ``checkpoint``.
        TableWriteError: ``checkpoint`` cannot be written, or is something else.
        MissingTableError: there is no file at one of the paths.
        StaleTableError: the rules have changed since one of the files was made; or ``checkpoint``
            is of another search.
        CorruptTableError: one of the files is damaged.
        PositionError: ``position`` is not a position of the game.
    """
    from zermelo._engine.core.ledger import Ledger
    from zermelo.proving.proof import Proof
    from zermelo.proving.proof_search import ProofSearch
    from zermelo.proving.search import searcher_for
    from zermelo.proving.tables import find_table_positions

    if ask not in ASKS:
        message = f"ask={ask!r} is not known; use one of {', '.join(ASKS)}"
        raise ParameterError(message)
    if search not in (None, *SEARCHES):
        message = f"search={search!r} is not known; use one of {', '.join(SEARCHES)}"
        raise ParameterError(message)
    if ask == NIMBER and search not in (None, COMPONENTS):
        message = f"ask={ask!r} needs search={COMPONENTS!r}, not {search!r}; leave that out"
        raise ParameterError(message)
    if search == COMPONENTS or ask == NIMBER:
        check_components(
            Rules(game),
            f"ask={ask!r}" if ask == NIMBER else f"search={search!r}",
            remoteness=remoteness,
            has_tables=tables != (),
        )
    _check_limits(time, nodes)
    root = game.start() if position is None else position
    question = Question(ask, remoteness, search)
    report, allowed, workers = Reporter(progress), memory_bytes(memory), thread_count(threads)
    has_limits = search is not None or ask == NIMBER or time is not None or nodes is not None
    if not has_limits and checkpoint is None and tables == ():
        small = _small_search(game, root, question, allowed, report, workers)
        if small is not None:
            proof = Proof(small)
            proof._search(time, nodes)  # noqa: SLF001  # this begins the search
            return proof
    ledger = Ledger.for_budget(allowed)
    compiled = fold_rules(prepare_rules(game), root)
    _check_suited(compiled.rules, remoteness=remoteness)
    if search == PROOF_NUMBER and compiled.kind.gains:
        name = compiled.rules.name
        message = f"search={PROOF_NUMBER!r} does not suit {name}, a score game; leave it out"
        raise ParameterError(message)
    table_positions = find_table_positions(
        compiled, tables, ledger, report, with_distance=remoteness
    )
    # The distance to the end takes a second table.
    share = ledger.allowed // 2 if remoteness else ledger.allowed
    searcher = searcher_for(compiled, share, report, workers, table_positions)
    proof = Proof(ProofSearch(compiled, root, question, searcher), checkpoint=checkpoint)
    proof._search(time, nodes)  # noqa: SLF001  # this begins the search
    return proof


def _check_suited(rules: Rules, *, remoteness: bool) -> None:
    """Check that ``prove`` handles a game.

    Raises:
        ParameterError: it does not.
        UnknownKindError: it does not know the kind of value.
    """
    if rules.has_chance:
        message = f"prove() does not search {rules.name}, which has chance(); use zermelo.solve()"
        raise ParameterError(message)
    check_known(rules.kind, _KNOWN, "prove()")
    if remoteness and rules.kind.gains:
        message = f"remoteness=True does not suit {rules.name}, a score game; leave it out"
        raise ParameterError(message)
    if rules.favours_a_player or rules.has_hook("endless"):
        message = (
            f"endless play is not a draw in {rules.name}, which prove() does not know about; "
            "solve the game instead"
        )
        raise ParameterError(message)


def _small_search(
    game: Game,
    position: Any,
    question: Question,
    memory: int | None,
    report: Reporter,
    threads: int,
) -> ProofSearch | None:
    """Return a search of all positions that can follow, in plain Python, or None if these are many.

    Raises:
        RulesError: the class breaks the contract.
        ParameterError: ``prove`` does not handle the game.
        PositionError: it is not a position of the game.
    """
    from zermelo._engine.core.ledger import Ledger
    from zermelo.proving.proof_search import ProofSearch
    from zermelo.proving.search import KnownSearcher, Tally
    from zermelo.proving.tables import KnownPositions

    rules = Rules(game)
    _check_suited(rules, remoteness=question.remoteness)
    solved = solve_from(rules, position, memory, report)
    if solved is None:
        return None
    searcher = KnownSearcher(
        game,
        KnownPositions(solved),
        with_distance=False,
        memory=Ledger.for_budget(memory).allowed,
        report=report,
        tally=Tally(),
        threads=threads,
    )
    return ProofSearch(solved.compiled, position, question, searcher)


def prepare_rules(game: Game) -> CompiledRules:
    """Compile the rules of a game, compare them with Python on a sample, and add symmetries."""
    from zermelo._compile.rules import compile_rules
    from zermelo.conformance.sample_check import check_sample

    compiled = compile_rules(game)
    agreement = check_sample(compiled, folded=compiled.rules.foldable, searched=True)
    if agreement is not None:
        compiled.save_agreement(agreement)
    return with_own_symmetries(compiled)


def with_own_symmetries(compiled: CompiledRules) -> CompiledRules:
    """Add the symmetries that do not exchange the players, or ``canonical``.

    In an image with the players exchanged, a strategy's player would be ambiguous.
    """
    if not compiled.rules.foldable:
        return compiled
    compiled = compiled.with_symmetries()
    elements = [element for element in compiled.elements if not compiled.rules.turns_over(element)]
    return compiled.with_symmetries(elements) if compiled.elements else compiled


def fold_rules(compiled: CompiledRules, position: Any) -> CompiledRules:
    """Return rules with the symmetries that are useful for a search from a position.

    In a placement game every later position contains the stones of this one. So only symmetries
    that preserve these produce images, and others would only cost time.

    Args:
        compiled: the rules, with all symmetries.
        position: the root of the search.
    """
    if not (compiled.elements and isinstance(compiled.rules.game, PlacementGame)):
        return compiled
    try:
        flat = compiled.rules.layout.flatten(position)
    except MisfitError:  # packing raises it with an explanation
        return compiled
    useful = [element for element in compiled.elements if element.image_of(flat) == flat]
    return compiled.with_symmetries(useful) if len(useful) > 1 else compiled.without_symmetries()


def _check_limits(time: object, nodes: object) -> None:
    """Check that limits are numbers above 0.

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
