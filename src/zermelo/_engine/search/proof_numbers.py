"""The proof-number search loop: can one player, the attacker, force a win?

It is df-pn (Nagai 2002) with thresholds of 1 + ε (Pawlewicz & Lew 2006) and weakened sums (Ueda,
Hashimoto, Hashimoto & Iida 2008). A proof number estimates the work left to prove that the attacker
wins; a disproof number, the work left to prove that the attacker does not. Proved means 0 and
infinity.

Play may have cycles, and a player who repeats a position has not won. So a position on the path to
itself counts as disproved there, and only there (the graph-history problem; Kishimoto & Müller
2004). Results that depend on such repetitions are stored for the position together with the path to
it. A result is stored for the position alone once it depends on no earlier position: then the other
player can keep the attacker forever within disproved positions, and so the attacker does not win
from any of them.

``advance_numbers`` runs until it needs the moves of a position, as ``walk.advance`` does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import prefetch
from zermelo._engine.search.alpha_beta import (
    DEEP,
    DONE,
    FILLED,
    NO_MOVES,
    NODES,
    ON_PATH,
    OWNER,
    PAUSED,
    PLY,
    RESULT,
    STEP,
    TOP,
    WANTED,
)

#: The possible next steps.
ENTER, UNFOLD, SORT, NEXT, RETURN = range(5)
#: Fields of a frame: the index of its position, of its first move, and the number of moves; the
#: thresholds of its proof and disproof number; the current move; whether the attacker is to move;
#: the hash of the path to it; the ply of the first position that its result depends on; its
#: numbers.
AT, FIRST, COUNT, MOST_PROOF, MOST_DISPROOF, CHILD, ATTACKS, WAY, RESTS, PROOF, DISPROOF, FRAME = (
    range(12)
)
#: The code of infinity, and of a result that depends on no earlier position.
INFINITE, NOTHING = 1 << 30, 1 << 30
#: Entries in a bucket.
WAYS = 4

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_ODD = np.uint64(0xD6E8FEB86659FD93)


@inlined
def node_hash(keys: Any, at: int, words: int, attacks: Any) -> Any:
    """Return the hash of a position and of whether the attacker is to move."""
    mixed = (hash_of(keys, at, words) + np.uint64(attacks)) * _ODD
    return mixed ^ (mixed >> np.uint64(31))


@inlined
def extended_path_hash(way: Any, own: Any) -> Any:
    """Return the hash of a path extended by a position; the order counts."""
    mixed = (way + own) * _ODD
    return mixed ^ (mixed >> np.uint64(31))


@inlined
def bucket_at(hashed: Any, words: int, table: Any) -> Any:
    stride = words + 3
    buckets = np.uint64(table.size // (stride * WAYS))
    return np.int64(((hashed >> _HALF) * buckets) >> _HALF) * (stride * WAYS)


@inlined
def find(table: Any, keys: Any, at: int, words: int, own: Any, way: Any, attacks: int) -> Any:
    """Return the index of an entry, or -1.

    An entry has the words of the position; the hash of the path to it, 0 for any path; its two
    numbers; and one word with whether the attacker moves, when it was proved, and the ply it
    depends on.
    """
    stride = words + 3
    bucket = bucket_at(own ^ way, words, table)
    for each in range(WAYS):
        place = bucket + each * stride
        if (
            table[place + words + 2] != 0
            and np.int64(table[place + words + 2] & np.uint64(1)) == attacks
            and table[place + words] == way
            and same_key(table, place, keys, at, words)
        ):
            return place
    return np.int64(-1)


@inlined
def store_numbers(
    table: Any,
    keys: Any,
    at: int,
    words: int,
    own: Any,
    way: Any,
    attacks: Any,
    proof: Any,
    disproof: Any,
    more: Any,
) -> int:
    """Store the numbers of a position; return 1 if that uses an empty entry, else 0.

    Args:
        table: the entries.
        keys: packed positions.
        at: the offset of this one.
        words: words of a position.
        own: its hash.
        way: the hash of the path to it, or 0.
        attacks: 1 if the attacker is to move, else 0.
        proof: its proof number.
        disproof: its disproof number.
        more: for a proved position, when it was proved; for one that depends on earlier positions,
            the ply of the first of them.
    """
    stride = words + 3
    numbers = (np.uint64(proof) << _HALF) | np.uint64(disproof)
    rest = np.uint64(attacks) | np.uint64(2) | (np.uint64(more) << np.uint64(2))
    place = find(table, keys, at, words, own, way, attacks)
    filled = 0
    if place >= 0 and table[place + words + 1] >> _HALF == 0:
        return 0  # the first proof stays: it leads to positions proved earlier
    if place < 0:
        bucket = bucket_at(own ^ way, words, table)
        place = bucket
        least = np.int64(1 << 62)
        for each in range(WAYS):
            other = bucket + each * stride
            if table[other + words + 2] == 0:
                place, filled = other, 1
                break
            # A final result is replaced only if the bucket has no other.
            settled = min(
                np.int64(table[other + words + 1] >> _HALF),
                np.int64(table[other + words + 1] & _LOW),
            )
            worth = np.int64(1 << 40) if settled == 0 else np.int64(0)
            if table[other + words] != 0:
                worth >>= 1
            else:
                worth += min(
                    np.int64(table[other + words + 1] >> _HALF)
                    + np.int64(table[other + words + 1] & _LOW),
                    np.int64(1 << 31),
                )
            if worth < least:
                place, least = other, worth
    for word in range(words):
        table[place + word] = keys[at + word]
    table[place + words] = way
    table[place + words + 1] = numbers
    table[place + words + 2] = rest
    return filled


@kernel
def look_up_numbers(table: Any, keys: Any, words: int, attacks: Any, found: Any) -> None:
    """Write the numbers of positions that hold for any path.

    Args:
        table: the transposition table.
        keys: the packed positions.
        words: words of a position.
        attacks: for each, 1 if the attacker is to move, else 0.
        found: the two numbers of each, updated if there is an entry.
    """
    for i in range(found.shape[0]):
        own = node_hash(keys, i * words, words, attacks[i])
        place = find(table, keys, i * words, words, own, np.uint64(0), attacks[i])
        if place >= 0:
            found[i, 0] = np.int64(table[place + words + 1] >> _HALF)
            found[i, 1] = np.int64(table[place + words + 1] & _LOW)


@kernel
def spread_numbers(table: Any, words: int, before: int) -> int:
    """Move entries to their buckets in an enlarged table; return their number.

    Args:
        table: the table; only the first buckets have entries.
        words: words of a position.
        before: the number of buckets before.
    """
    stride = words + 3
    held = np.zeros(stride * WAYS, np.uint64)
    filled = 0
    # Entries only move to later buckets, so processing buckets backwards overwrites none.
    for bucket in range(before - 1, -1, -1):
        begin = bucket * stride * WAYS
        for i in range(stride * WAYS):
            held[i] = table[begin + i]
            table[begin + i] = 0
        for place in range(0, stride * WAYS, stride):
            rest = held[place + words + 2]
            if rest != 0:
                attacks = np.int64(rest & np.uint64(1))
                filled += store_numbers(
                    table,
                    held,
                    place,
                    words,
                    node_hash(held, place, words, attacks),
                    held[place + words],
                    attacks,
                    np.int64(held[place + words + 1] >> _HALF),
                    np.int64(held[place + words + 1] & _LOW),
                    np.int64(rest >> np.uint64(2)),
                )
    return filled


@inlined
def cutoff_by_rules_numbers(
    state: Any,
    keys: Any,
    child: int,
    low: Any,
    high: Any,
    gains: Any,  # noqa: ARG001  # there are none
    owners: Any,
    table: Any,
    words: int,
    attacker: int,
) -> bool:
    """Whether the rules' bounds alone show that a move is good enough.

    See ``alpha_beta.cutoff_by_rules``.
    """
    theirs = 1 - state[WANTED]
    least, most = low[child], high[child]
    if owners.size > 0:
        theirs = 1 if owners[child] == attacker else 0
    if owners.size == 0 or owners[child] != state[OWNER]:
        least, most = -most, -least
    if least >= state[WANTED]:
        return True
    if most >= state[WANTED]:
        bucket = bucket_at(node_hash(keys, child * words, words, theirs), words, table)
        prefetch(table, bucket)
        prefetch(table, bucket + 8)
    return False


@inlined
def advance_numbers(
    state: Any,
    frames: Any,
    keys: Any,
    proofs: Any,
    disproofs: Any,
    promise: Any,
    rests: Any,
    gains: Any,  # noqa: ARG001  # there are none
    owners: Any,
    table: Any,
    history: Any,
    path: Any,
    busy: Any,  # noqa: ARG001  # one thread searches
    words: int,
    attacker: int,
    quota: int,
) -> Any:
    """Run until the moves of a position are needed, and return its index.

    Args:
        state: the state of the loop, indexed by ``walk.PLY`` and the constants after it.
        frames: a row of numbers for each ply, indexed by AT and the constants after it.
        keys: packed positions: first the root, then the children of each ply.
        proofs: for each the rules' lower bound of its value; replaced by proof numbers.
        disproofs: for each the rules' upper bound; replaced by disproof numbers.
        promise: for each, the author's estimate of the move to it.
        rests: receives the ply of the first position that a disproof depends on, or when a position
            was proved.
        gains: unused.
        owners: the player to move in each; empty if players alternate.
        table: the transposition table.
        history: its first number counts the proved positions.
        path: the number of positions on the path for each of a few hashes.
        busy: unused.
        words: words of a position.
        attacker: the attacking player, if there is a turn; else 1.
        quota: the number of nodes after which to pause.

    Returns:
        The index of a position, or DONE, PAUSED or DEEP.
    """
    ply, step, result = state[PLY], state[STEP], state[RESULT]
    while True:
        frame = ply * FRAME
        at = frames[frame + AT]
        attacks = frames[frame + ATTACKS]
        if step == ENTER:
            if state[NODES] >= quota or frame + 2 * FRAME > frames.size:
                state[PLY], state[STEP], state[RESULT] = ply, step, result
                return PAUSED if state[NODES] >= quota else DEEP
            state[NODES] += 1
            own = node_hash(keys, at * words, words, attacks)
            path[np.int64(own & np.uint64(ON_PATH - 1))] += 1
            step = UNFOLD
        if step == UNFOLD:
            frames[frame + FIRST] = state[TOP]
            state[WANTED] = attacks  # a draw is enough for the defender
            if owners.size > 0:
                state[OWNER] = owners[at]
            state[PLY], state[STEP], state[RESULT] = ply, SORT, result
            return at
        if step == SORT:
            # The numbers of the children: from the rules, else from the table, else 1 and 1.
            first, end = frames[frame + FIRST], state[TOP]
            frames[frame + COUNT] = end - first
            own = node_hash(keys, at * words, words, attacks)
            way = extended_path_hash(np.uint64(frames[frame + WAY]), own)
            if end == first:
                worth = state[NO_MOVES] if attacks else -state[NO_MOVES]
                frames[frame + PROOF] = 0 if worth > 0 else INFINITE
                frames[frame + DISPROOF] = INFINITE if worth > 0 else 0
                frames[frame + RESTS] = NOTHING
                step = RETURN
            else:
                for child in range(first, end):
                    theirs = 1 - attacks
                    if owners.size > 0:
                        theirs = 1 if owners[child] == attacker else 0
                    least, most = proofs[child], disproofs[child]
                    if not theirs:
                        least, most = -most, -least
                    rests[child] = NOTHING
                    if least > 0:
                        proofs[child], disproofs[child], rests[child] = 0, INFINITE, 0
                        continue
                    if most <= 0:
                        proofs[child], disproofs[child] = INFINITE, 0
                        continue
                    hashed = node_hash(keys, child * words, words, theirs)
                    proofs[child], disproofs[child] = 1, 1
                    near = np.int64(hashed & np.uint64(ON_PATH - 1))
                    if path[near]:
                        for other in range(ply + 1):
                            before = frames[other * FRAME + AT]
                            if frames[other * FRAME + ATTACKS] == theirs and same_key(
                                keys, before * words, keys, child * words, words
                            ):
                                proofs[child], disproofs[child] = INFINITE, 0
                                rests[child] = other
                                break
                        if disproofs[child] == 0:
                            continue
                    place = find(table, keys, child * words, words, hashed, np.uint64(0), theirs)
                    if place >= 0:
                        proofs[child] = np.int64(table[place + words + 1] >> _HALF)
                        disproofs[child] = np.int64(table[place + words + 1] & _LOW)
                        if proofs[child] == 0:
                            rests[child] = np.int64(table[place + words + 2] >> np.uint64(2))
                        if proofs[child] == 0 or disproofs[child] == 0:
                            continue
                    place = find(table, keys, child * words, words, hashed, way, theirs)
                    if place >= 0:
                        proofs[child], disproofs[child] = INFINITE, 0
                        rests[child] = np.int64(table[place + words + 2] >> np.uint64(2))
                step = NEXT
        if step == NEXT:
            # The numbers of the position, and the move to search next.
            first, end = frames[frame + FIRST], frames[frame + FIRST] + frames[frame + COUNT]
            fewest: Any = np.int64(INFINITE)  # the least number, if one child suffices
            second = np.int64(INFINITE)
            most, count = np.int64(0), np.int64(0)
            best: Any = np.int64(-1)
            early, late = np.int64(NOTHING), np.int64(-1)
            for child in range(first, end):
                one, all_ = proofs[child], disproofs[child]
                if not attacks:
                    one, all_ = all_, one
                if one < fewest or (one == fewest and best >= 0 and promise[child] > promise[best]):
                    second = fewest
                    best, fewest = child, one
                elif one < second:
                    second = one
                if all_ > 0:
                    count += 1
                    most = max(most, all_)
                early = min(early, rests[child])
                if disproofs[child] == 0:
                    late = max(late, rests[child])
            total: Any = min(most + count - 1, INFINITE - 1) if count > 0 else np.int64(0)
            if fewest == 0:
                total = np.int64(INFINITE)
            elif count == 0:
                fewest = np.int64(INFINITE)
            proof, disproof = (fewest, total) if attacks else (total, fewest)
            frames[frame + PROOF], frames[frame + DISPROOF] = proof, disproof
            frames[frame + RESTS] = NOTHING
            if disproof == 0:
                frames[frame + RESTS] = early if attacks else late
            most_proof, most_disproof = frames[frame + MOST_PROOF], frames[frame + MOST_DISPROOF]
            if proof == 0 or disproof == 0 or proof >= most_proof or disproof >= most_disproof:
                step = RETURN
            else:
                one, all_ = most_proof, most_disproof
                if not attacks:
                    one, all_ = all_, one
                one = min(one, second + 1 + (second >> 2))
                known = disproofs[best] if attacks else proofs[best]
                all_ = max(all_ - (count - 1), known + 1)
                if not attacks:
                    one, all_ = all_, one
                frames[frame + CHILD] = best
                own = node_hash(keys, at * words, words, attacks)
                theirs = 1 - attacks
                if owners.size > 0:
                    theirs = 1 if owners[best] == attacker else 0
                ply += 1
                frame += FRAME
                frames[frame + AT] = best
                frames[frame + ATTACKS] = theirs
                frames[frame + MOST_PROOF], frames[frame + MOST_DISPROOF] = one, all_
                frames[frame + WAY] = np.int64(
                    extended_path_hash(np.uint64(frames[frame - FRAME + WAY]), own)
                )
                step = ENTER
                continue
        # RETURN: store the result, and leave the frame.
        own = node_hash(keys, at * words, words, attacks)
        path[np.int64(own & np.uint64(ON_PATH - 1))] -= 1
        proof, disproof = frames[frame + PROOF], frames[frame + DISPROOF]
        rest = frames[frame + RESTS]
        way = np.uint64(0)
        more = np.int64(0)
        if disproof == 0 and rest < ply:
            way, more = np.uint64(frames[frame + WAY]), rest
        elif disproof == 0:
            rest = np.int64(NOTHING)
        elif proof == 0:
            history[0] += 1
            more = history[0]
        state[FILLED] += store_numbers(
            table, keys, at * words, words, own, way, attacks, proof, disproof, more
        )
        state[TOP] = frames[frame + FIRST]
        if ply == 0:
            result = np.int64(1 if proof == 0 else -1)
            state[PLY], state[STEP], state[RESULT] = ply, step, result
            return DONE
        ply -= 1
        child = frames[frame - FRAME + CHILD]
        proofs[child], disproofs[child] = proof, disproof
        rests[child] = more if proof == 0 else rest
        step = NEXT
