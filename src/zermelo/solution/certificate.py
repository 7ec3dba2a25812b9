"""The certificate: choice of the check for a solution, and sentences about its result."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._cluster import connect
from zermelo._engine.certificate import kernels as faults
from zermelo._engine.certificate.canonical import first_inequivalence
from zermelo._engine.certificate.kernels import Finding
from zermelo._engine.certificate.lookup_check import first_misplaced
from zermelo._engine.certificate.memory_plan import plan_memory
from zermelo._engine.certificate.partizan import ComparedGames, certify_turns
from zermelo._engine.certificate.symmetry import first_asymmetry, first_asymmetry_in_playouts
from zermelo._engine.certificate.table_check import certify
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import eager_free
from zermelo._engine.file.cache_limits import LEAST_CACHE, READ, verified_reading
from zermelo._methods.components import first_wrong_split
from zermelo._methods.partizan.turn_graph import Passing
from zermelo._store.table_forms import FORMS
from zermelo.errors import (
    BudgetError,
    ClusterError,
    CorruptTableError,
    ParameterError,
    PositionError,
    RulesError,
)
from zermelo.rules.impartiality import first_partizan
from zermelo.values.combinatorial.combinatorial_value import CombinatorialValue
from zermelo.values.outcomes import ExpectedValue, Value
from zermelo.values.partizan import PARTIZAN
from zermelo.values.results import Verification
from zermelo.values.scores import LARGEST_SCORE

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo._methods.components import Components
    from zermelo.progress import Reporter
    from zermelo.solution.solved_base import Solved

#: Blocks of at least this many bytes go back to the system when verifying frees them: pieces of
#: a table come and go by the thousand, and would fragment the memory.
_GIVEN_BACK = 1 << 14
#: The most moves that a sentence lists.
_SHOWN = 8
#: The most images that are checked for declared symmetries, and positions for canonical().
_IMAGES = 1 << 20
#: The most whole positions that are compared with their components; about half as many are.
_WHOLE = 1 << 12
#: Positions at which the moves of both players are compared, and for how many seconds.
_COMPARED, _SECONDS = 1 << 12, 2.0
#: Positions that are looked up where all are known to be in order.
_SOUGHT = 1 << 8
#: The sentence about a position on which ``legal`` and the table disagree.
_OF_LEGAL = {
    faults.LACKING: "is legal, and not in the table",
    faults.STOOD_FOR: (
        "is not legal, but in the table is one that symmetries() or canonical() makes the same"
    ),
}
#: The most characters of a header's value that a sentence quotes.
_LONGEST = 200


def verify_solved(
    solved: Solved,
    threads: int,
    memory: int | None,
    report: Reporter,
    workers: WorkerPool | None = None,
) -> Verification:
    """Check the certificate of a solution; see ``Solution.verify``.

    Args:
        solved: rules and values.
        threads: threads to use.
        memory: the most bytes to use; by default most of the free memory.
        report: receives the number of positions checked.
        workers: processes to share the check among; ``solved.has_cluster_check`` says whether they
            can.

    Raises:
        BudgetError: the memory is too little.
        ClusterError: workers cannot be used, or are lost.
        CorruptTableError: a file is damaged.
    """
    if solved.summands:
        return _verify_summands(solved, threads, memory, report)
    with eager_free(memory, _GIVEN_BACK):
        ledger = Ledger.for_budget(memory)
        try:
            if workers is None:
                finding = solved.check_values(threads, ledger, report)
            else:
                finding = solved.check_on_cluster(workers, threads, ledger, report)
            position, problem = fault_sentence(solved, finding)
            if problem is None:
                problem = header_fault(solved)
        except RulesError as error:
            # A solve has asked the rules about all positions that can be reached.
            finding, position = Finding(len(solved.table), 0), None
            problem = f"it has a position that cannot be reached, at which the rules fail: {error}"
    return Verification(
        ok=problem is None,
        positions=finding.positions,
        moves=finding.moves,
        problem=problem,
        seconds=sum(seconds for _, seconds in report.phases),
        position=position,
    )


def verify_on_cluster(
    solved: Solved, cluster: str, memory: int | None, threads: int, report: Reporter
) -> Verification:
    """Check the certificate with the help of workers; see ``Solution.verify``.

    Args:
        solved: rules and values.
        cluster: the workers.
        memory: the most bytes to use on each machine; by default most of the free memory.
        threads: threads to use on each machine.
        report: receives the number of positions checked.
    """
    connect.check(cluster)
    if not solved.has_cluster_check:
        message = (
            f"cluster={cluster!r} cannot verify this solution, only a table in a file, of the "
            "methods 'placement', 'dense', 'levels', 'retrograde' and 'pursuit'; leave cluster out"
        )
        raise ParameterError(message)
    if connect.is_worker(cluster):
        result: Verification | None = connect.result(cluster)
        if result is None:
            message = "the driver ended without a result; see its output"
            raise ClusterError(message)
        return result
    with connect.connect(cluster, memory, threads) as workers:
        workers.report_to(report)
        verification = verify_solved(solved, threads, memory, report, workers)
        workers.share(verification)
    return verification


def check_declarations(
    solved: Solved, compiled: CompiledRules, report: Reporter
) -> tuple[str, Any, Any] | None:
    """Check the declarations of a game that was just solved at all positions, but no values.

    Args:
        solved: rules and values.
        compiled: the rules that it was solved with.
        report: receives the number of positions checked; if it interrupts the check, the positions
            checked are spread evenly over all.

    Returns:
        A sentence on what is wrong, the position, and the position declared equivalent to it, if
        any; or None.
    """
    table, finding = solved.table, Finding(len(solved.table), 0)
    if table.reachability_evidence == "legal":
        finding = _check_complete(compiled, table, 1, report, finding)
    if finding.fault == faults.NOTHING and compiled.elements:
        finding = _check_symmetries(compiled, table, report, finding, whole=True)
    elif finding.fault == faults.NOTHING and compiled.is_folded:
        finding = _check_canonical(compiled, table, report, finding, whole=True)
    position, problem = fault_sentence(solved, finding)
    image = finding.other if finding.fault == faults.UNLIKE else None
    return None if problem is None else (problem, position, image)


def check_declarations_in_play(
    compiled: CompiledRules, report: Reporter
) -> tuple[str, Any, Any] | None:
    """Check declared symmetries at positions that random games reach.

    Args:
        compiled: the rules, folded.
        report: receives the number of images checked, and may interrupt the check.

    Returns:
        The result in the form of ``check_declarations``.
    """
    steps = [compiled.with_symmetries([element]) for element in compiled.elements[1:]]
    if not steps:
        return None
    plain, rng = compiled.without_symmetries(), np.random.default_rng(0)
    with report.phase("images", _IMAGES):
        starts = plain.start_words()
        asymmetry = first_asymmetry_in_playouts(
            compiled, plain, steps, starts, _IMAGES, rng, report
        )
    if asymmetry is None:
        return None
    packed, step = asymmetry
    return _image_fault(compiled, packed, step)


def _image_fault(
    compiled: CompiledRules, packed: npt.NDArray[np.uint64], step: int
) -> tuple[str, Any, Any]:
    """Return a sentence on a position unlike an image of it, the position, and the image."""
    layout = compiled.rules.layout
    position = layout.unpack(packed)
    image = layout.build(compiled.elements[step + 1].image_of(layout.flatten(position)))
    return _image_fault_text(position, image), position, image


def _image_fault_text(position: Any, image: object) -> str:
    positions = f"{position!r} and {image!r}, which symmetries() makes equivalent"
    return f"{positions}, have different ends or moves; run zermelo check"


def header_fault(solved: Solved) -> str | None:
    """Return a sentence on a wrong statement of a file's header about its values, or None."""
    table = solved.table
    if table.reader is None:
        return None
    from zermelo._store.save_table import are_equal

    header = table.reader.header
    counts = table.counts().by_outcome
    for name, right in solved.expected_header(counts).items():
        stated: Any = header.get(name)
        if name == "table":
            stated = {key: stated.get(key) for key in right}
        if are_equal(stated, right):
            continue
        if name == "counts":
            return f"its header counts {_short_text(stated)}, but its positions are {right!r}"
        if name == "value" and (value := _value_words(stated)) != (actual := _value_words(right)):
            return f"its header says that the start is {value}, but in its values it is {actual}"
        stated_text, right_text = _short_text(stated), _short_text(right)
        return f"its header has {stated_text} for {name!r}, and should have {right_text}"
    return None


def _value_words(document: Any) -> str:
    """Return a header's value in words, or as its text if it is no value."""
    try:
        return f"a {Value.from_json(document)}"
    except (AttributeError, KeyError, TypeError, ValueError):
        return _short_text(document)


def _short_text(value: object) -> str:
    """Return the text of a header's value, shortened if it is long."""
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _verify_summands(
    solved: Solved, threads: int, memory: int | None, report: Reporter
) -> Verification:
    """Check each part of a sum once; by a theorem, the values of the parts add up."""
    verified: dict[int, Verification] = {}
    problem = position = None
    for number, (name, summand) in enumerate(solved.summands):
        if id(summand) in verified:
            continue
        verification = summand.own_verification(report)
        if verification is None:
            verification = verify_solved(summand.with_compiled_rules(), threads, memory, report)
        verified[id(summand)] = verification
        if not verification:
            problem = f"part {name}: {verification.problem}"
            if verification.position is not None:
                position = solved.with_summand(number, verification.position)
            break
    return Verification(
        ok=problem is None,
        positions=sum(verification.positions for verification in verified.values()),
        moves=sum(verification.moves for verification in verified.values()),
        problem=problem,
        seconds=sum(seconds for _, seconds in report.phases),
        position=position,
    )


# -- words ----------------------------------------------------------------------------------------


def fault_sentence(solved: Solved, finding: Finding) -> tuple[Any, str | None]:
    """Return the position with the fault and a sentence on it, or None for both."""
    fault, other, decoded = finding.fault, finding.other, solved.table.kind.decode
    if fault == faults.NOTHING:
        return None, None
    if fault == faults.MISSING_START:
        return None, f"start {finding.place} of the game is not in the table"
    if fault == faults.STRANGE_VALUE:
        return None, "some of its numbers are not values"
    if fault in _OF_LEGAL:
        return other, f"{other!r} {_OF_LEGAL[fault]}"
    if fault == faults.UNEVEN:
        return None, other
    if fault == faults.UNPLAYABLE:
        return None, f"symmetries() gives an image at which the rules fail: {other}"
    position = solved.positions(np.array([finding.place]))[0]
    stored_text = _exact_text(decoded(solved.table.value(finding.place)))
    claim = f"{position!r} is stored as {stored_text}, but "
    if fault == faults.UNEQUAL:
        stored, difference = solved.table.value(finding.place), "their moves differ"
        if finding.expected != stored:
            expected = decoded(finding.expected)
            difference = (
                f"the moves of the first make it {expected}, and the second is {decoded(stored)}"
            )
        claim_of_both = f"canonical() takes {other!r} and {position!r} for the same"
        return other, f"{claim_of_both}, but {difference}; run zermelo check"
    if fault in (faults.WRONG_VALUE, faults.OTHER_GAME):
        return position, claim + _implied_text(solved, finding, position)
    return position, {
        faults.STRANGE_CHILD: f"a move from {position!r} leads out of the table",
        faults.WRONG_OWNER: f"the table has the wrong turn at {position!r}",
        faults.UNFOUNDED: f"{claim}that does not follow from positions proved before it",
        faults.BACKWARD: f"the moves from {position!r} lead in a cycle",
        faults.POINTS_KEPT: f"a move from {position!r} makes points, or changes what endless play "
        "is worth, so that the two do not add up along a cycle",
        faults.TOO_LARGE: f"{claim}points and margins are within ±{LARGEST_SCORE:,}",
        faults.UNREACHED: f"{position!r} cannot be reached from the start",
        faults.NOT_LEGAL: f"{position!r} is not legal",
        faults.MISPLACED: f"{position!r} is in the table, but cannot be found there",
        faults.UNLIKE: _image_fault_text(position, other),
    }[fault]


def _implied_text(solved: Solved, finding: Finding, position: Any) -> str:
    """Return a clause on the value that the moves of a position make it."""
    if finding.fault == faults.OTHER_GAME:
        return f"the moves of both players make it {_game_text(*finding.other)}"
    moves = _successors_text(solved, position)
    difference = "its successors make it" if moves else "the rules make it"
    expected = solved.table.kind.decode(finding.expected)
    return f"{difference} {_exact_text(expected)}{moves}"


def _game_text(games: ComparedGames, number: int) -> str:
    """Return a game of the certificate as text."""
    values: dict[int, CombinatorialValue] = {}
    for each in range(number + 1):
        options = games.left[each], games.right[each]
        if all(option in values for side in options for option in side):
            left, right = ([values[option] for option in side] for side in options)
            values[each] = CombinatorialValue.of_options(left, right)
    return str(values[number])


def _exact_text(value: Value) -> str:
    """Return a value as text, an expectation with its bounds, which may differ little."""
    if isinstance(value, ExpectedValue):
        return f"{value}, from {value.bounds[0]!r} to {value.bounds[1]!r}"
    return str(value)


def _successors_text(solved: Solved, position: Any) -> str:
    """Return the table's values of the successors of a position as text, or "" without any.

    These are the values in the table, each for the player to move in the successor.
    """
    rules, table, texts = solved.rules, solved.table, []
    moves = rules.moves(position)
    for move in moves[:_SHOWN]:
        try:
            place = solved.place(rules.play(position, move))
            value: object = table.kind.decode(table.value(place))
        except PositionError:
            value = "no position"
        texts.append(f"{rules.move_name(move)} leads to {value}")
    hidden = len(moves) - len(texts)
    return f" ({', '.join(texts)}{f' and {hidden:,} more' if hidden else ''})" if texts else ""


# -- games ----------------------------------------------------------------------------------------


def check_game_table(
    compiled: CompiledRules,
    table: Table,
    threads: int,
    ledger: Ledger,
    report: Reporter,
    components: Components | None = None,
    workers: WorkerPool | None = None,
    whole: int = _WHOLE,
) -> Finding:
    """Check a game's table: first, if it is a file, that it is intact, then its values.

    Args:
        compiled: the rules that the table was made with.
        table: positions and values.
        threads: threads to use.
        ledger: the memory budget; if a table from a file does not fit, its parts are decompressed
            as they are needed.
        report: receives the number of positions checked.
        components: the rules that split positions, if it is a table of components.
        workers: processes that check parts of the file, if the table can be shared.
        whole: the most whole positions that are compared with their components; about half as many
            are.

    Raises:
        BudgetError: the memory is too little.
        ClusterError: workers cannot be used, or are lost.
        CorruptTableError: the file is damaged.
    """
    form = FORMS[table.saved_as]
    with verified_reading(table, ledger.allowed, report):
        finding, refusal = None, None
        try:
            finding = form.check(compiled, table, threads, ledger, report, workers)
        except BudgetError as error:
            refusal = error
        if finding is not None:
            _count(table, finding)
            return _check_claims(compiled, table, threads, report, components, finding, whole)
        try:
            expand: Any = components or compiled
            finding, loaded, crew = _check_by_expansion(expand, table, threads, ledger, report)
        except BudgetError as error:
            if refusal is not None and refusal.needed < error.needed:
                raise refusal from None
            raise
        _count(table, finding)
        finding = _check_claims(compiled, loaded, crew, report, components, finding, whole)
        del loaded
        if finding.fault == faults.NOTHING and table.file is not None:
            return _check_lookups(table, ledger, report, finding)
        return finding


def _count(table: Table, finding: Finding) -> None:
    """Count the values of a file for ``header_fault``, while they are in memory."""
    if finding.fault == faults.NOTHING and table.file is not None:
        with suppress(CorruptTableError):  # found again, and reported, by ``header_fault``
            table.tally()


def _check_claims(
    compiled: CompiledRules,
    table: Table,
    threads: int,
    report: Reporter,
    components: Components | None,
    finding: Finding,
    whole: int,
) -> Finding:
    """Check the rules' further claims, for a table whose values follow from one another."""
    expand: Any = components or compiled
    if finding.fault == faults.NOTHING and compiled.elements:
        finding = _check_symmetries(compiled, table, report, finding)
    elif finding.fault == faults.NOTHING and compiled.is_folded:
        finding = _check_canonical(expand, table, report, finding)
    if finding.fault == faults.NOTHING and components is not None:
        finding = _check_split(components, table, report, finding, whole)
    by_turns = compiled.rules.passes and table.kind.impartial
    if finding.fault == faults.NOTHING and by_turns:
        finding = _check_impartial(compiled, table, report, finding)
    if finding.fault == faults.NOTHING and table.reachability_evidence == "legal":
        finding = _check_complete(compiled, table, threads, report, finding)
    return finding


def _check_by_expansion(
    compiled: CompiledRules, table: Table, threads: int, ledger: Ledger, report: Reporter
) -> tuple[Finding, Table, int]:
    """Check a table by expanding every position.

    Returns:
        The finding, the table for the further checks, and the number of threads for those.

    Raises:
        BudgetError: the memory is too little.
    """
    if table.kind.algebra == PARTIZAN.algebra:
        loaded = table.loaded()
        return certify_turns(Passing(compiled), loaded, ledger, report), loaded, threads
    table, batches, threads = plan_memory(compiled, table, threads, ledger, report)
    starts = compiled.start_words()
    return certify(compiled, starts, table, threads, report, batches), table, threads


def _check_symmetries(
    compiled: CompiledRules,
    table: Table,
    report: Reporter,
    right: Finding,
    *,
    whole: bool = False,
) -> Finding:
    """Check that images of positions under the declared symmetries are alike."""
    steps = [compiled.with_symmetries([element]) for element in compiled.elements[1:]]
    images = len(table) * len(steps)
    with report.phase("images", images if whole else min(images, _IMAGES)):
        try:
            plain = compiled.without_symmetries()
            asymmetry = first_asymmetry(compiled, plain, steps, table, _IMAGES, report, whole=whole)
        except RulesError as error:
            return right.with_fault(faults.UNPLAYABLE, other=error)
    if asymmetry is None:
        return right
    place, step = asymmetry
    image = _image_fault(compiled, table.packed(np.array([place])), step)[2]
    return right.with_fault(faults.UNLIKE, place, other=image)


def _check_canonical(
    compiled: CompiledRules,
    table: Table,
    report: Reporter,
    right: Finding,
    *,
    whole: bool = False,
) -> Finding:
    """Check that positions that ``canonical`` replaces have the same value as their replacement."""
    rules, plain = compiled.rules, compiled.without_symmetries()
    with report.phase("images"):
        starts = plain.start_words()
        inequivalence = first_inequivalence(
            compiled, plain, starts, table, _IMAGES, report, whole=whole
        )
    if inequivalence is None:
        return right
    wrong, packed = inequivalence
    by_value = wrong.fault == faults.WRONG_VALUE
    expected = wrong.expected if by_value else table.value(wrong.place)
    position = rules.layout.unpack(packed)
    return right.with_fault(faults.UNEQUAL, wrong.place, expected=expected, other=position)


def _check_split(
    components: Components, table: Table, report: Reporter, right: Finding, whole: int
) -> Finding:
    """Check that the value of whole positions is that of their components together."""
    if not table.kind.impartial:  # the moves of both players are compared
        whole //= 4
    with report.phase("split"):
        message = first_wrong_split(components, table, whole)
    return right if message is None else right.with_fault(faults.UNEVEN, other=message)


def _check_impartial(
    compiled: CompiledRules, table: Table, report: Reporter, right: Finding
) -> Finding:
    """Check on a sample that both players have the same moves in a position."""
    rules = compiled.rules
    with report.phase("players"):
        indices = np.linspace(0, len(table) - 1, min(len(table), _COMPARED)).astype(np.int64)
        places = np.concatenate(list(table.pages()))[indices]
        rows = table.packed(places).reshape(len(places), -1)
        difference = first_partizan(rules, map(rules.layout.unpack, rows), _SECONDS)
    return right if difference is None else right.with_fault(faults.UNEVEN, other=difference[1])


def _check_lookups(table: Table, ledger: Ledger, report: Reporter, right: Finding) -> Finding:
    """Check that the file of a table finds each position at its index.

    What was loaded of it is found by other means. Kernels that check 64 positions at a time find
    them as the file does. Where loading has shown that positions ascend, a binary search finds each
    of them, and looking up a few tests that it is one.
    """
    table.limit_cache(max(LEAST_CACHE, ledger.allowed // READ))
    pages, count = None, len(table)
    if table.index.is_ordered and count > _SOUGHT:
        pages, count = iter([np.linspace(0, count - 1, _SOUGHT).astype(np.int64)]), _SOUGHT
    with report.phase("find", count):
        place = first_misplaced(table, report, pages)
    return right if place is None else right.with_fault(faults.MISPLACED, place)


def _check_complete(
    compiled: CompiledRules, table: Table, threads: int, report: Reporter, right: Finding
) -> Finding:
    """Check that the table contains exactly the legal positions of a declared space."""
    from zermelo._methods.dense.legal_check import first_mismatch
    from zermelo._methods.dense.ranking import ranking_of

    ranking = ranking_of(compiled.rules, compiled.elements)
    with report.phase("legal", ranking.slots):
        packed = first_mismatch(compiled, ranking, table, threads, report)
    if packed is None:
        return right
    position = compiled.rules.layout.unpack(packed)
    fault = faults.LACKING if compiled.rules.legal(position) else faults.STOOD_FOR
    return right.with_fault(fault, other=position)
