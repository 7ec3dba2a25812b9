"""The certificate in words: what verifying a solution says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.certificate import kernels as certify_checks
from zermelo._engine.certificate.batches import Batches, certify, first_wrong
from zermelo._engine.certificate.kernels import Finding
from zermelo._engine.certificate.symmetry import first_unlike
from zermelo._engine.core.ledger import readable
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.file.reading import KEPT, PARTS, READ, few_kept, read_within, room_for
from zermelo._engine.table import PAGE
from zermelo.errors import BudgetError
from zermelo.values.answers import Verification
from zermelo.values.outcomes import Value

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.table import Table
    from zermelo._methods.placement.certificate.walk import Examined
    from zermelo._methods.pursuit.certificate.kernels import Chase
    from zermelo.progress import Reporter

#: Bytes of what no array says, and of those for each thread: stacks, and what unpacks blocks.
_SMALL, _THREAD = 1 << 20, 1 << 19
#: Bytes that a start takes while all are listed, beside those of its words.
_START = 64
#: Positions from which on it is worth compiling what looks at 64 at a time, and positions that are
#: looked at one by one anyway.
_FEW, _SAMPLES = 1 << 16, 1 << 8
#: Moves that a sentence has room for.
_SHOWN = 8
#: Images that are looked at, at the most, to see that symmetries are some.
_IMAGES = 1 << 20


def verified(
    compiled: CompiledRules,
    table: Table,
    threads: int,
    report: Reporter,
    decoded: Callable[[int], Value],
    allowed: int,
) -> Verification:
    """Check a table: of one from a file first that it is what was written, then its values.

    Args:
        compiled: the rules that the table was made with.
        table: positions and values.
        threads: threads to use.
        report: is told how many positions are checked.
        decoded: what a stored value means.
        allowed: bytes that may be taken; where a table from a file does not fit, its parts are
            unpacked as they are needed.

    Raises:
        BudgetError: it cannot be done within so much memory.
        CorruptTableError: the file is not what was written.
    """
    with _compared(table, report, allowed):
        finding, refusal = None, None
        try:
            finding = _at_once(compiled, table, threads, report, allowed)
            if finding is None:
                finding = _by_rows(compiled, table, threads, report, allowed)
        except BudgetError as error:
            refusal = error
        if finding is None:
            try:
                finding, table, threads = _one_by_one(compiled, table, threads, allowed, report)
            except BudgetError as error:
                if refusal is not None and refusal.needed < error.needed:
                    raise refusal from None
                raise
        problem, position = None, None
        if finding.fault != certify_checks.NOTHING:
            problem = _problem(compiled, table, finding, decoded)
            if finding.fault != certify_checks.MISSING_START:
                position = _position(compiled, table, finding.place)
        elif compiled.elements:
            with report.phase("images"):
                problem = _unlike(compiled, table)
        if problem is None and table.reachability_evidence == "legal":
            problem = _lacking(compiled, table, threads, report)
        return Verification(
            ok=problem is None,
            positions=finding.positions,
            moves=finding.moves,
            problem=problem,
            seconds=sum(seconds for _, seconds in report.phases),
            position=position,
        )


@contextmanager
def _compared(table: Table, report: Reporter, allowed: int) -> Iterator[None]:
    """See that a table from a file is what was written, and have it keep little meanwhile."""
    with read_within(table, allowed) as reader:
        if reader is not None:
            with report.phase("checksums"):
                reader.compare()  # what blocks hold is looked at when they are read
        yield


def _one_by_one(
    compiled: CompiledRules, table: Any, threads: int, allowed: int, report: Reporter
) -> tuple[Finding, Table, int]:
    """Check a table by expanding every position.

    Returns:
        The finding, the table to look into further, and how many threads may do that.

    Raises:
        BudgetError: there is too little memory for it.
    """
    left = allowed - _SMALL - _THREAD * threads
    loads = table.file is not None
    # In a game in which all positions are starts, these take more than the table.
    left -= len(table.starts) * (_START + 16 * compiled.words)
    size = table.loaded_bytes + len(table) if loads else table.span
    batches = Batches.within(compiled, threads, PAGE, left - size)
    if not loads or size + batches.bytes <= left:
        _afford(table, allowed, allowed - left + size + batches.bytes)
        if loads:
            with report.phase("load"):
                table = table.loaded()
        threads = min(threads, batches.count)
    else:
        left -= table.span
        least = Batches.within(compiled, 1, len(table), 0).bytes
        _afford(table, allowed, allowed - left + least + KEPT)
        spare, unpacked, threads = left - least, table.unpacked_bytes, 1
        kept = max(unpacked if unpacked <= spare // 2 else spare // PARTS, KEPT)
        batches = Batches.within(compiled, 1, len(table), left - kept)
        if unpacked <= kept:
            with report.phase("load"):
                table.unpacked()
        else:
            table.keep_within(kept)
    starts = compiled.start_words()
    return certify(compiled, starts, table, threads, report, batches), table, threads


def _with_room(needed: int) -> int:
    """Return the least that has to be allowed, so that so much is left beside reading a file."""
    return max(needed + KEPT, -(-READ * needed // (READ - 1)))


def _afford(table: Any, allowed: int, needed: int) -> None:
    """See that this many bytes may be taken.

    Raises:
        BudgetError: they are more.
    """
    if needed > allowed:
        message = (
            f"verifying {len(table):,} positions needs {readable(needed)} at least, and "
            f"{readable(allowed)} are allowed; allow more memory"
        )
        raise BudgetError(message, needed, allowed)


def _at_once(
    compiled: CompiledRules, table: Any, threads: int, report: Reporter, allowed: int
) -> Finding | None:
    """Check a table of a placement game 64 positions at a time, or nothing where that cannot be.

    A fault is looked at one by one, and so are some positions from all over a table without any:
    the rules then say the same as the board, and the table finds what it has.

    Raises:
        BudgetError: there is too little memory for it.
    """
    if table.saved_as != "tiers" or len(table) < _FEW:
        return None
    from zermelo._methods.placement.certificate.plan import CertificatePlan
    from zermelo._methods.placement.certificate.walk import examined, least
    from zermelo.solution.declared import declares

    plan = CertificatePlan(table.board, timed=not table.kind.needs_potential)
    if not plan.fits(table.directory):
        return None
    filed = table.file is not None
    besides = _SMALL + _THREAD * threads + (table.opened_bytes if filed else 0)
    needed = least(table, plan) + besides
    _afford(table, allowed, _with_room(needed) if filed else needed)
    with report.phase("rules"):
        if not declares(compiled, table.board, table.fields):
            return None
    room = allowed - besides - (room_for(allowed) if filed else 0)
    with report.phase("verify", len(table)):
        found = examined(table, plan, threads, room, report)
        if found is None:
            return None
        # What is looked at one by one is in few parts of the file.
        threads = 1 if filed else threads
        with few_kept(table, room // PARTS):
            finding = _by_the_rules(compiled, table, found, threads, report, room // PARTS)
        return None if finding is None else replace(finding, moves=found.moves)


def _by_the_rules(
    compiled: CompiledRules,
    table: Table,
    found: Examined,
    threads: int,
    report: Reporter,
    room: int,
) -> Finding | None:
    """Look at what was found in a table, or nothing where the rules do not say the same."""
    if found.suspect is not None:
        begin, end = found.suspect
        pages = (np.arange(n, min(n + PAGE, end)) for n in range(begin, end, PAGE))
        finding = first_wrong(compiled, table, pages, threads, report, room)
        return None if finding.fault == certify_checks.NOTHING else finding
    samples = np.concatenate(found.samples)
    some = iter([samples[:: -(-len(samples) // _SAMPLES)]])
    finding = first_wrong(compiled, table, some, threads, report, room)
    if finding.fault != certify_checks.NOTHING:
        return None
    if found.unreached is not None:
        return Finding(len(table), 0, certify_checks.UNREACHED, found.unreached)
    return Finding(len(table), 0)


def _by_rows(
    compiled: CompiledRules, table: Any, threads: int, report: Reporter, allowed: int
) -> Finding | None:
    """Check a table of a pursuit row by row, or nothing where that cannot be.

    A fault is looked at by the rules, and so are placements from all over a table.

    Raises:
        BudgetError: there is too little memory for it, and the table is in a file.
    """
    if table.saved_as != "pursuit" or len(table) < _FEW or compiled.is_folded:
        return None
    from zermelo._methods.pursuit.certificate.kernels import Chase
    from zermelo.solution import pursued

    board, filed = table.chase, table.file is not None
    besides = _SMALL + _THREAD * threads + pursued.needed(board)
    left, unpacked = allowed - besides, table.unpacked_bytes if filed else 0
    chase = Chase(board, table.halves(), on_disk=table.on_disk)
    fits = chase.needed(threads, left - unpacked) <= left - unpacked
    if not fits and not filed:
        return None
    with Scratch() as scratch:
        if not fits:
            left -= room_for(allowed)
            threads = threads if chase.needed(threads, left) <= left else 1
            _afford(table, allowed, _with_room(chase.needed(threads, left) + besides))
        if filed:
            with report.phase("load"):
                halves = table.unpacked().halves() if fits else table.spilled(scratch)
                chase = Chase(board, halves, on_disk=not fits)
                chase.needed(threads, left - unpacked * fits)
        return _compared_rows(compiled, table, chase, threads, report, left)


def _compared_rows(
    compiled: CompiledRules, table: Any, chase: Chase, threads: int, report: Reporter, left: int
) -> Finding | None:
    """Compare a pursuit's rules with its description, and its values with what follows."""
    from zermelo.solution import pursued

    with report.phase("rules"):
        if not pursued.follows(compiled, table, table.chase, pursued.sampled(table.chase)):
            return None
    with report.phase("verify", len(table)):
        # These two have each other's place, and are the rules' to look at.
        swapped = (0, table.first)
        found = chase.examined(swapped, threads, report)
        if found is None:
            return None
        suspects = [*swapped]
        if found.wrong is not None:
            suspects += table.by_raw(np.array([found.wrong])).tolist()
        places = iter([np.unique(suspects)])
        looked_at = first_wrong(compiled, table, places, 1, report, max(left // PARTS, 1))
    if looked_at.fault != certify_checks.NOTHING:
        return replace(looked_at, moves=found.moves)
    return None if found.wrong is not None else Finding(len(table), found.moves)


def _problem(
    compiled: CompiledRules,
    table: Table,
    finding: Finding,
    decoded: Callable[[int], Value],
) -> str:
    if finding.fault == certify_checks.MISSING_START:
        return f"start {finding.place} of the game is not in the table"
    position = _position(compiled, table, finding.place)
    if finding.fault == certify_checks.WRONG_VALUE:
        stored = int(table.values(np.array([finding.place]))[0])
        right = decoded(finding.expected)
        moves = _moves(compiled, table, position, decoded)
        said = "its successors make it" if moves else "the rules make it"
        return f"{position!r} is called {decoded(stored)}, and {said} {right}{moves}"
    legal = table.reachability_evidence == "legal"
    return {
        certify_checks.STRANGE_CHILD: f"a move from {position!r} leads out of the table",
        certify_checks.WRONG_OWNER: f"it is not the turn at {position!r} that the table says",
        certify_checks.BACKWARD: f"the moves from {position!r} lead in a circle",
        certify_checks.UNREACHED: f"{position!r} "
        + ("is not legal" if legal else "cannot be reached from the start"),
    }[finding.fault]


def _moves(
    compiled: CompiledRules, table: Table, position: Any, decoded: Callable[[int], Value]
) -> str:
    """Return what a table says of the positions that the moves lead to, or nothing without any.

    That is the values as they stand there, each for the player to move in that position.
    """
    rules, said = compiled.rules, []
    moves = rules.moves(position)
    for move in moves[:_SHOWN]:
        packed = np.array(rules.layout.pack(rules.play(position, move)), np.uint64)
        place = np.empty(1, np.int64)
        table.places(compiled.canonical(packed, 1), 1, place)
        value = decoded(int(table.values(place)[0])) if place[0] >= 0 else "no position"
        said.append(f"{rules.move_name(move)} leads to {value}")
    if not said:
        return ""
    more = len(moves) - len(said)
    return f" ({', '.join(said)}{f' and {more:,} more' if more else ''})"


def _lacking(compiled: CompiledRules, table: Table, threads: int, report: Reporter) -> str | None:
    from zermelo._methods.dense.legal import first_missing
    from zermelo._methods.dense.method import ranking_of

    ranking = ranking_of(compiled.rules, compiled.elements)
    with report.phase("legal", ranking.slots):
        packed = first_missing(compiled, ranking, table, threads, report)
    if packed is None:
        return None
    return f"{compiled.rules.layout.unpack(packed)!r} is legal, and not in the table"


def _unlike(compiled: CompiledRules, table: Table) -> str | None:
    steps = [compiled.folded([element]) for element in compiled.elements[1:]]
    found = first_unlike(compiled, steps, table, _IMAGES)
    if found is None:
        return None
    place, step = found
    position = _position(compiled, table, place)
    layout = compiled.rules.layout
    image = layout.build(compiled.elements[step + 1].of(layout.flatten(position)))
    return (
        f"{position!r} and {image!r}, which symmetries() makes one, have other ends or moves; "
        "run zermelo check"
    )


def _position(compiled: CompiledRules, table: Table, place: int) -> Any:
    return compiled.rules.layout.unpack(table.packed(np.array([place])))
