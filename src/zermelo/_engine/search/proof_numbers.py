"""The proof-number search loop: can one player, the attacker, force a win?

It is df-pn (Nagai 2002) with thresholds of 1 + ε (Pawlewicz & Lew 2006) and weakened sums (Ueda,
Hashimoto, Hashimoto & Iida 2008). A proof number estimates the work left to prove that the attacker
wins; a disproof number, the work left to prove that the attacker does not. A proved
position has the numbers 0 and infinity.

Play may have cycles, and a player who repeats a position has not won. So a position that occurs on
the path to itself counts as disproved on that path only (the graph-history problem; Kishimoto &
Müller 2004). A result that depends on such a repetition is stored for the position together with
the path to it. A result that depends on no earlier position is stored for the position alone: the
other player can keep the attacker forever within disproved positions, and so the attacker does not
win from any of them.

``advance_numbers`` runs until it needs the moves of a position, like ``alpha_beta.advance``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import (
    Int32Array,
    Int64Array,
    Integer,
    Uint8Array,
    Uint64Array,
)
from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import kernel, light_inlined, light_spliced
from zermelo._engine.core.memory import prefetch
from zermelo._engine.search.alpha_beta import (
    DEEP,
    DONE,
    FILLED,
    NO_MOVES,
    NODE_TARGET,
    NODES,
    ON_PATH,
    OWNER,
    PAUSED,
    PLY,
    RESULT,
    STEP,
    TOP,
)

#: The possible next steps.
ENTER, UNFOLD, SORT, NEXT, RETURN = range(5)
#: Fields of a frame: the index of its position, the index of its first child, and the number of
#: children; the thresholds of its proof and disproof number; the current child; whether the
#: attacker is to move; the hash of the path to it; the ply of the first position that its result
#: depends on; its proof and disproof number; and the length of a frame.
(
    AT,
    FIRST,
    COUNT,
    MOST_PROOF,
    MOST_DISPROOF,
    CHILD,
    ATTACKS,
    PATH_HASH,
    DEPENDENCE,
    PROOF,
    DISPROOF,
    FRAME,
) = range(12)
#: The codes of infinity, and of a result that depends on no earlier position.
INFINITE, INDEPENDENT = 1 << 30, 1 << 30
#: Entries in a bucket.
BUCKET_ENTRIES = 4

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_ODD = np.uint64(0xD6E8FEB86659FD93)


@light_inlined
def node_hash(keys: Uint64Array, offset: int, words: int, attacks: Integer) -> np.uint64:
    """Return the hash of a position with the player to move: ``attacks`` is 1 for the attacker."""
    product = (hash_of(keys, offset, words) + np.uint64(attacks)) * _ODD
    return product ^ (product >> np.uint64(31))


@light_inlined
def extended_path_hash(path_hash: np.uint64, position_hash: np.uint64) -> np.uint64:
    """Return the hash of a path extended by a position; it depends on the order of positions."""
    product = (path_hash + position_hash) * _ODD
    return product ^ (product >> np.uint64(31))


@light_inlined
def bucket_at(hashed: np.uint64, words: int, table: Uint64Array) -> Any:
    """Return the offset of the bucket for a hash."""
    stride = words + 3
    buckets = np.uint64(table.size // (stride * BUCKET_ENTRIES))
    return np.int64(((hashed >> _HALF) * buckets) >> _HALF) * (stride * BUCKET_ENTRIES)


@light_inlined
def find(
    table: Uint64Array,
    keys: Uint64Array,
    offset: int,
    words: int,
    own_hash: np.uint64,
    path_hash: np.uint64,
    attacks: Integer,
) -> Any:
    """Return the offset of a position's entry, or -1.

    An entry has the words of the position; the hash of the path to it, 0 for any path; a word with
    its two numbers; and a last word. The last word has, from the lowest bit: 1 if the attacker is
    to move; 1, as the entry is in use; and the ``detail`` of ``store_numbers``.
    """
    stride = words + 3
    bucket = bucket_at(own_hash ^ path_hash, words, table)
    for number in range(BUCKET_ENTRIES):
        entry = bucket + number * stride
        if (
            table[entry + words + 2] != 0
            and np.int64(table[entry + words + 2] & np.uint64(1)) == attacks
            and table[entry + words] == path_hash
            and same_key(table, entry, keys, offset, words)
        ):
            return entry
    return np.int64(-1)


@light_inlined
def store_numbers(
    table: Uint64Array,
    keys: Uint64Array,
    offset: int,
    words: int,
    own_hash: np.uint64,
    path_hash: np.uint64,
    attacks: Integer,
    proof: Integer,
    disproof: Integer,
    detail: Integer,
) -> int:
    """Store the numbers of a position; return 1 if that uses an empty entry, else 0.

    Args:
        table: the entries.
        keys: packed positions.
        offset: the offset of the position.
        words: words of a position.
        own_hash: the hash of the position.
        path_hash: the hash of the path to it, or 0.
        attacks: 1 if the attacker is to move, else 0.
        proof: its proof number.
        disproof: its disproof number.
        detail: for a proved position, the number of positions proved by then; for a result that
            depends on earlier positions, the ply of the first of them.
    """
    stride = words + 3
    numbers = (np.uint64(proof) << _HALF) | np.uint64(disproof)
    last_word = np.uint64(attacks) | np.uint64(2) | (np.uint64(detail) << np.uint64(2))
    entry = find(table, keys, offset, words, own_hash, path_hash, attacks)
    is_new = 0
    if entry >= 0 and table[entry + words + 1] >> _HALF == 0:
        return 0  # the first proof is kept: it leads to positions proved earlier
    if entry < 0:
        bucket = bucket_at(own_hash ^ path_hash, words, table)
        entry = bucket
        least = np.int64(1 << 62)
        for number in range(BUCKET_ENTRIES):
            candidate = bucket + number * stride
            if table[candidate + words + 2] == 0:
                entry, is_new = candidate, 1
                break
            # A final result is replaced only if all results of the bucket are final.
            lesser = min(
                np.int64(table[candidate + words + 1] >> _HALF),
                np.int64(table[candidate + words + 1] & _LOW),
            )
            priority = np.int64(1 << 40) if lesser == 0 else np.int64(0)
            if table[candidate + words] != 0:
                priority >>= 1
            else:
                priority += min(
                    np.int64(table[candidate + words + 1] >> _HALF)
                    + np.int64(table[candidate + words + 1] & _LOW),
                    np.int64(1 << 31),
                )
            if priority < least:
                entry, least = candidate, priority
    for word in range(words):
        table[entry + word] = keys[offset + word]
    table[entry + words] = path_hash
    table[entry + words + 1] = numbers
    table[entry + words + 2] = last_word
    return is_new


@kernel
def look_up_numbers(
    table: Uint64Array, keys: Uint64Array, words: int, attacks: Int64Array, entries: Int64Array
) -> None:
    """Write the numbers of positions, if the table has numbers that hold for any path.

    Args:
        table: the transposition table.
        keys: the packed positions.
        words: words of a position.
        attacks: for each, 1 if the attacker is to move, else 0.
        entries: the two numbers of each, which are replaced if there is an entry.
    """
    for i in range(entries.shape[0]):
        own_hash = node_hash(keys, i * words, words, attacks[i])
        entry = find(table, keys, i * words, words, own_hash, np.uint64(0), attacks[i])
        if entry >= 0:
            entries[i, 0] = np.int64(table[entry + words + 1] >> _HALF)
            entries[i, 1] = np.int64(table[entry + words + 1] & _LOW)


@kernel
def spread_numbers(table: Uint64Array, words: int, old_buckets: int) -> int:
    """Move entries to their buckets in an enlarged table; return their number.

    Args:
        table: the table; only the first buckets have entries.
        words: words of a position.
        old_buckets: the number of buckets before the enlargement.
    """
    stride = words + 3
    old_entries = np.zeros(stride * BUCKET_ENTRIES, np.uint64)
    filled = 0
    # Entries only move to later buckets, so a pass from the last bucket to the first loses none.
    for bucket in range(old_buckets - 1, -1, -1):
        begin = bucket * stride * BUCKET_ENTRIES
        for i in range(stride * BUCKET_ENTRIES):
            old_entries[i] = table[begin + i]
            table[begin + i] = 0
        for entry in range(0, stride * BUCKET_ENTRIES, stride):
            last_word = old_entries[entry + words + 2]
            if last_word != 0:
                attacks = np.int64(last_word & np.uint64(1))
                filled += store_numbers(
                    table,
                    old_entries,
                    entry,
                    words,
                    node_hash(old_entries, entry, words, attacks),
                    old_entries[entry + words],
                    attacks,
                    np.int64(old_entries[entry + words + 1] >> _HALF),
                    np.int64(old_entries[entry + words + 1] & _LOW),
                    np.int64(last_word >> np.uint64(2)),
                )
    return filled


@light_inlined
def cutoff_by_rules_numbers(
    state: Int64Array,
    keys: Uint64Array,
    child: int,
    low: Int64Array,
    high: Int64Array,
    gains: Int64Array,  # noqa: ARG001  # there are none
    owners: Uint8Array,
    table: Uint64Array,
    words: int,
    attacker: int,
) -> bool:
    """Whether the rules' bounds alone show that a move is good enough.

    See ``alpha_beta.cutoff_by_rules``.
    """
    child_attacks = 1 - state[NODE_TARGET]
    lower, upper = low[child], high[child]
    if owners.size > 0:
        child_attacks = 1 if owners[child] == attacker else 0
    if owners.size == 0 or owners[child] != state[OWNER]:
        lower, upper = -upper, -lower
    if lower >= state[NODE_TARGET]:
        return True
    if upper >= state[NODE_TARGET]:
        bucket = bucket_at(node_hash(keys, child * words, words, child_attacks), words, table)
        prefetch(table, bucket)
        prefetch(table, bucket + 8)
    return False


@light_spliced
def advance_numbers(
    state: Int64Array,
    frames: Int64Array,
    keys: Uint64Array,
    proofs: Int64Array,
    disproofs: Int64Array,
    promise: Int64Array,
    dependences: Int64Array,
    gains: Int64Array,  # noqa: ARG001  # there are none
    owners: Uint8Array,
    table: Uint64Array,
    history: Int64Array,
    path: Int32Array,
    claims: Uint64Array,  # noqa: ARG001  # one thread searches
    words: int,
    attacker: int,
    quota: int,
) -> Any:
    """Run until the moves of a position are needed, and return its index.

    Args:
        state: the state of the loop, indexed by ``alpha_beta.PLY`` and the constants after it.
        frames: a row of numbers for each ply, indexed by AT and the constants after it.
        keys: packed positions: first the root, then the children of each ply.
        proofs: for each the rules' lower bound of its value; replaced by proof numbers.
        disproofs: for each the rules' upper bound; replaced by disproof numbers.
        promise: for each, the author's estimate of the move to it.
        dependences: receives for each the ply of the first position that a disproof depends on, or
            for a proved position the number of positions proved by then.
        gains: unused.
        owners: the player to move in each; empty if players alternate.
        table: the transposition table.
        history: its first number counts the proved positions.
        path: the number of positions on the path for each of a few hashes.
        claims: unused.
        words: words of a position.
        attacker: the attacking player, if there is a turn; else 1.
        quota: the number of nodes after which to pause.

    Returns:
        The index of a position, or DONE, PAUSED or DEEP.
    """
    ply, step, result = state[PLY], state[STEP], state[RESULT]
    while True:
        frame = ply * FRAME
        position = frames[frame + AT]
        attacks = frames[frame + ATTACKS]
        if step == ENTER:
            if state[NODES] >= quota or frame + 2 * FRAME > frames.size:
                state[PLY], state[STEP], state[RESULT] = ply, step, result
                return PAUSED if state[NODES] >= quota else DEEP
            state[NODES] += 1
            own_hash = node_hash(keys, position * words, words, attacks)
            path[np.int64(own_hash & np.uint64(ON_PATH - 1))] += 1
            step = UNFOLD
        if step == UNFOLD:
            frames[frame + FIRST] = state[TOP]
            state[NODE_TARGET] = attacks  # a draw is enough for the defender
            if owners.size > 0:
                state[OWNER] = owners[position]
            state[PLY], state[STEP], state[RESULT] = ply, SORT, result
            return position
        if step == SORT:
            # Set the numbers of the children: from the rules, else from the table, else 1 and 1.
            first, end = frames[frame + FIRST], state[TOP]
            frames[frame + COUNT] = end - first
            own_hash = node_hash(keys, position * words, words, attacks)
            path_hash = extended_path_hash(np.uint64(frames[frame + PATH_HASH]), own_hash)
            if end == first:
                outcome = state[NO_MOVES] if attacks else -state[NO_MOVES]
                frames[frame + PROOF] = 0 if outcome > 0 else INFINITE
                frames[frame + DISPROOF] = INFINITE if outcome > 0 else 0
                frames[frame + DEPENDENCE] = INDEPENDENT
                step = RETURN
            else:
                for child in range(first, end):
                    child_attacks = 1 - attacks
                    if owners.size > 0:
                        child_attacks = 1 if owners[child] == attacker else 0
                    least, most = proofs[child], disproofs[child]
                    if not child_attacks:
                        least, most = -most, -least
                    dependences[child] = INDEPENDENT
                    if least > 0:
                        proofs[child], disproofs[child], dependences[child] = 0, INFINITE, 0
                        continue
                    if most <= 0:
                        proofs[child], disproofs[child] = INFINITE, 0
                        continue
                    child_hash = node_hash(keys, child * words, words, child_attacks)
                    proofs[child], disproofs[child] = 1, 1
                    path_slot = np.int64(child_hash & np.uint64(ON_PATH - 1))
                    if path[path_slot]:
                        for other_ply in range(ply + 1):
                            ancestor = frames[other_ply * FRAME + AT]
                            if frames[other_ply * FRAME + ATTACKS] == child_attacks and same_key(
                                keys, ancestor * words, keys, child * words, words
                            ):
                                proofs[child], disproofs[child] = INFINITE, 0
                                dependences[child] = other_ply
                                break
                        if disproofs[child] == 0:
                            continue
                    entry = find(
                        table, keys, child * words, words, child_hash, np.uint64(0), child_attacks
                    )
                    if entry >= 0:
                        proofs[child] = np.int64(table[entry + words + 1] >> _HALF)
                        disproofs[child] = np.int64(table[entry + words + 1] & _LOW)
                        if proofs[child] == 0:
                            dependences[child] = np.int64(table[entry + words + 2] >> np.uint64(2))
                        if proofs[child] == 0 or disproofs[child] == 0:
                            continue
                    entry = find(
                        table, keys, child * words, words, child_hash, path_hash, child_attacks
                    )
                    if entry >= 0:
                        proofs[child], disproofs[child] = INFINITE, 0
                        dependences[child] = np.int64(table[entry + words + 2] >> np.uint64(2))
                step = NEXT
        if step == NEXT:
            # Compute the numbers of the position, and choose the child to search next. In Nagai's
            # terms, phi is the number for which one child suffices, delta needs all children.
            first, end = frames[frame + FIRST], frames[frame + FIRST] + frames[frame + COUNT]
            fewest: Any = np.int64(INFINITE)  # the least phi of a child
            second = np.int64(INFINITE)
            most, count = np.int64(0), np.int64(0)
            best: Any = np.int64(-1)
            earliest, latest = np.int64(INDEPENDENT), np.int64(-1)
            for child in range(first, end):
                phi, delta = proofs[child], disproofs[child]
                if not attacks:
                    phi, delta = delta, phi
                if phi < fewest or (phi == fewest and best >= 0 and promise[child] > promise[best]):
                    second = fewest
                    best, fewest = child, phi
                elif phi < second:
                    second = phi
                if delta > 0:
                    count += 1
                    most = max(most, delta)
                earliest = min(earliest, dependences[child])
                if disproofs[child] == 0:
                    latest = max(latest, dependences[child])
            total = min(most + count - 1, INFINITE - 1) if count > 0 else np.int64(0)
            if fewest == 0:
                total = np.int64(INFINITE)
            elif count == 0:
                fewest = np.int64(INFINITE)
            proof, disproof = (fewest, total) if attacks else (total, fewest)
            frames[frame + PROOF], frames[frame + DISPROOF] = proof, disproof
            frames[frame + DEPENDENCE] = INDEPENDENT
            if disproof == 0:
                frames[frame + DEPENDENCE] = earliest if attacks else latest
            most_proof, most_disproof = frames[frame + MOST_PROOF], frames[frame + MOST_DISPROOF]
            if proof == 0 or disproof == 0 or proof >= most_proof or disproof >= most_disproof:
                step = RETURN
            else:
                phi, delta = most_proof, most_disproof
                if not attacks:
                    phi, delta = delta, phi
                phi = min(phi, second + 1 + (second >> 2))
                best_delta = disproofs[best] if attacks else proofs[best]
                delta = max(delta - (count - 1), best_delta + 1)
                if not attacks:
                    phi, delta = delta, phi
                frames[frame + CHILD] = best
                own_hash = node_hash(keys, position * words, words, attacks)
                child_attacks = 1 - attacks
                if owners.size > 0:
                    child_attacks = 1 if owners[best] == attacker else 0
                ply += 1
                frame += FRAME
                frames[frame + AT] = best
                frames[frame + ATTACKS] = child_attacks
                frames[frame + MOST_PROOF], frames[frame + MOST_DISPROOF] = phi, delta
                frames[frame + PATH_HASH] = np.int64(
                    extended_path_hash(np.uint64(frames[frame - FRAME + PATH_HASH]), own_hash)
                )
                step = ENTER
                continue
        # RETURN: store the result, and leave the frame.
        own_hash = node_hash(keys, position * words, words, attacks)
        path[np.int64(own_hash & np.uint64(ON_PATH - 1))] -= 1
        proof, disproof = frames[frame + PROOF], frames[frame + DISPROOF]
        dependence = frames[frame + DEPENDENCE]
        path_hash = np.uint64(0)
        detail = np.int64(0)
        if disproof == 0 and dependence < ply:
            path_hash, detail = np.uint64(frames[frame + PATH_HASH]), dependence
        elif disproof == 0:
            dependence = np.int64(INDEPENDENT)
        elif proof == 0:
            history[0] += 1
            detail = history[0]
        state[FILLED] += store_numbers(
            table,
            keys,
            position * words,
            words,
            own_hash,
            path_hash,
            attacks,
            proof,
            disproof,
            detail,
        )
        state[TOP] = frames[frame + FIRST]
        if ply == 0:
            result = np.int64(1 if proof == 0 else -1)
            state[PLY], state[STEP], state[RESULT] = ply, step, result
            return DONE
        ply -= 1
        child = frames[frame - FRAME + CHILD]
        proofs[child], disproofs[child] = proof, disproof
        dependences[child] = detail if proof == 0 else dependence
        step = NEXT
