"""Generated code of searches from one position; see ``_engine/search``."""

from __future__ import annotations

from dataclasses import replace

from zermelo._compile.generate import canonical, component_search, split_kernels
from zermelo._compile.generate.module import AnyRuleSet, KernelParts, Module, module_of
from zermelo._compile.generate.packing import PACKING, POSITION, packing_lines
from zermelo._engine.expand.expander import (
    BAD_OUTCOME,
    BAD_TURN,
    ENDLESS_MOVES,
)
from zermelo._engine.search.alpha_beta import (
    CROWDED,
    FAULT,
    FAULTY,
    NO_MOVES,
    NODE_LIMIT,
    OUTSIDE,
    SPARE,
    STEP,
    TOP,
    UNFOLD,
)
from zermelo._engine.search.transposition_entries import MOST
from zermelo.rules.hooks import MOST_MOVES, Rules

_WALK = """from zermelo._engine.core import shared_code as _s
from zermelo._engine.search import component_search as _c, proof_numbers as _n
from zermelo._engine.search import shared_loop as _l, table_positions as _t, alpha_beta as _w
_z_inline = _z.part(error_model="python", boundscheck=True, heap=HEAP, is_spliced=True)
_search_loop = _l.shared_loop(_w.advance, {words})
_prove_loop = _l.shared_loop(_n.advance_numbers, {words})
_part_loop = _l.shared_loop(_c.advance_components, {words})
"""

#: The kernels, each with its search loop and its test whether a single move is enough.
_KERNELS = {
    "search": ("_w.advance", "_w.cutoff_by_rules"),
    "prove": ("_n.advance_numbers", "_n.cutoff_by_rules_numbers"),
}

#: ``notes`` has the data of each move: its points, the author's estimate, and its class.
_EMIT = """
@_z_inline
def _z_emit(data, position, children, notes, capacity, index, move):
{child}
{folded}
    if index < capacity:
{words}
{gain}
        notes[1][index] = {promise}
{mark}
    elif index - capacity > {most}:
        return {endless}
    return index + 1
"""

_EVALUATE = """

@_z_inline
def _z_evaluate(data, keys, i, low, high, owners, table_slots, table_values, win_value):
    position = {position}
{turn}
{over}
    if table_values.size > 0:
        place = _t.find_position(table_slots, table_values.size, keys, i * {count}, {count})
        if place >= 0:
            value = int64(table_values[place])
            low[i] = min(max(value, -1), 1) if win_value == 1 else value
            high[i] = low[i]
            return 0
    low[i] = -win_value
    high[i] = win_value
{bounds}
    return 0

"""

_SEARCH = """

def {kernel}(
    loop, state, frames, keys, low, high, promise, move_classes, gains, owners, table, history,
    path, claims, table_slots, table_values, counts_plies, win_value, batch, turns, least,
    children, results, quota{arguments}
):
    data = {data}
    notes = (gains, promise, move_classes)
    capacity = int64(low.size)
    arrays = _s.pack_arrays({advance}, (
        state, frames, keys, low, high, promise, move_classes, gains, owners, table, history, path,
        claims
    ))
    while True:
        i = _s.call_shared(_{kernel}_loop, loop, (arrays, counts_plies, {until}))
        if i < 0:
{next}
            return i
        position = {position}
        index = state[{top}]
{children}
        if end < 0:
            state[{fault}] = -end
            state[{step}] = {unfold}
            return {faulty}
        if end > capacity:
            state[{step}] = {unfold}
            return {crowded}
        if end == index:
            state[{none}] = {dead_end}{mark}
        for child in range(index, end):
            status = _z_evaluate(
                data, keys, child, low, high, owners, table_slots, table_values, win_value
            )
            if keys[(child + 1) * {count} - 1] & uint64(state[{spare}]) != 0:
                status = {outside}
            if status != 0:
                state[{fault}] = status
                state[{step}] = {unfold}
                return {faulty}
            if {cutoff}(
                state, keys, child, low, high, gains, owners, table, {count}, counts_plies
            ):
                end = child + 1
                break
        state[{top}] = end
"""

#: Writes the children: of all moves, or of the moves of ``enough`` for values without distances. If
#: ``enough`` yields none, all moves are needed. It is called only if there are moves, so that it
#: may yield some in terminal positions.
_ALL = """        end = {moves}(data, position, keys, notes, capacity, index, position)  #: moves"""
_ENOUGH = """        end = int64(index)
        has_move = counts_plies == 0
        if has_move:
            status = {has_move}(data, position, keys, notes, capacity, index, position)  #: moves
            has_move = status < 0
        if has_move:
            end = {enough}(data, position, keys, notes, capacity, index, position)  #: enough
        if end == index:
            end = {moves}(data, position, keys, notes, capacity, index, position)  #: moves"""

#: Starts the next test of a batch.
_NEXT = """            if _w.next_test(
                i, state, frames, keys, owners, path, batch, turns, least, children, results, quota
            ):
                continue"""
#: The number of nodes at which the search pauses.
_UNTIL = f"min(quota, state[{NODE_LIMIT}])"


def write_searching(rules: Rules, rule_set: AnyRuleSet) -> Module:
    """Return the module that searches a game; its kernels are ``search`` and ``prove``.

    Args:
        rules: the hooks.
        rule_set: the rules' functions; the hooks are included here.
    """
    parts = KernelParts(rules, rule_set)
    folding = canonical.canonical_parts(rules, rule_set)
    emit = _emit(rules, rule_set, folding)
    moves = parts.item_loop("moves", "_z_emit")
    child_lines = dict.fromkeys(_KERNELS, _ALL.format(moves=moves))
    if rules.has_hook("enough"):
        enough = parts.item_loop("enough", "_z_emit")
        has_move = parts.item_loop("moves", split_kernels.HAS_MOVE)
        child_lines["search"] = _ENOUGH.format(enough=enough, moves=moves, has_move=has_move)
        emit += split_kernels.has_move_of("_z_inline")
    if rules.has_hook("split"):
        emit += component_search.emit_functions(rules, parts, folding)
    values = {
        "turn": "\n".join(_turn(rules, rule_set)) or "    pass",
        "over": "\n".join(_terminal_lines(rules, rule_set)) or "    pass",
        "bounds": "\n".join(_bounds(rules, rule_set)) or "    pass",
        "dead_end": _dead_end(rules, rule_set),
        "mark": "  #: score" if rules.has_hook("score") else "",
        "position": POSITION,
        "count": rules.layout.words,
        "top": TOP,
        "step": STEP,
        "unfold": UNFOLD,
        "fault": FAULT,
        "faulty": FAULTY,
        "crowded": CROWDED,
        "none": NO_MOVES,
        "spare": SPARE,
        "outside": OUTSIDE,
    }
    arguments, data = parts.data()  # complete, now that all rules are included
    early = folding.early if folding is not None else ""
    kernel = early + emit + parts.loop_functions + _EVALUATE.format(**values)
    for name, (advance, cutoff) in _KERNELS.items():
        kernel += _SEARCH.format(
            kernel=name,
            advance=advance,
            cutoff=cutoff,
            next=_NEXT if name == "search" else "",
            until=_UNTIL if name == "search" else "quota",
            children=child_lines[name],
            arguments=arguments,
            data=data,
            **values,
        )
    if rules.has_hook("split"):
        kernel += component_search.kernel_of(
            rules, parts, _bounds(rules, rule_set), arguments, data
        )
    module = module_of(rules, rule_set, kernel)
    return replace(module, header=module.header + _WALK.replace("{words}", str(rules.layout.words)))


def _emit(rules: Rules, rule_set: AnyRuleSet, folding: canonical.Folding | None) -> str:
    """Return the function that plays a move, packs the child, and stores the move's data."""
    method = rule_set.method
    child = f"{method('play')}(data, position, move)"
    gain = "        pass"
    if rules.has_hook("gain"):
        points = f"{method('gain')}(data, position, move)"
        points = f'_z.points({points}, "returns|return a whole number")  #: gain'
        gain = f"        notes[0][index] = {points}"
    promise = "0"
    if rules.has_hook("promise"):
        estimate = f"{method('promise')}(data, position, move)"
        promise = f'_z.whole({estimate}, "returns|return a whole number")  #: promise'
    return _EMIT.format(
        child="\n".join(f"    {line}" for line in packing_lines(child, "play")),
        folded="\n".join(folding.child) if folding is not None else "    pass",
        words="\n".join(canonical.store_lines(folding)),
        gain=gain,
        promise=promise,
        mark="\n".join(f"        {line}" for line in _mark(rules)),
        most=MOST_MOVES,
        endless=-ENDLESS_MOVES,
    )


def _mark(rules: Rules) -> list[str]:
    """Return the lines that store the class of a move: a hash of what it changes.

    That is the difference of all numbers of the position before and after, for either player.
    """
    layout = rules.layout
    move = "_z.hash_move(move, int64(0))"
    if layout.kind is None or layout.holds or any(length for _, length in layout.fields):
        return [f"notes[2][index] = {move}"]
    changed_bits = f"_z.xor_numbers(numbers, _z.numbers({PACKING}, position))"
    return [f"notes[2][index] = _w.move_class({move}, {changed_bits})"]


def _turn(rules: Rules, rule_set: AnyRuleSet) -> list[str]:
    """Return the lines that store the player to move."""
    if rules.alternate:
        return []
    fault = '"returns|return 0 or 1"'
    return [
        f"    turn = _z.whole({rule_set.method('turn')}(data, position), {fault})  #: turn",
        "    if turn != 0 and turn != 1:",
        f"        return {BAD_TURN}",
        "    owners[i] = turn",
    ]


def _terminal_lines(rules: Rules, rule_set: AnyRuleSet) -> list[str]:
    """Return the lines that give a terminal position its value."""
    hook = next((h for h in ("outcome", "winner") if rules.has_hook(h)), None)
    if hook is None:
        return []
    choice = {"outcome": "WIN, DRAW, LOSS or None", "winner": "0, 1, NOBODY or None"}[hook]
    mark = "  #: score" if rules.has_hook("score") else ""
    if rules.kind.gains:
        value = _score(rules, rule_set)
    elif hook == "outcome":
        value = "win_value * result"
    else:
        value = "0 if result == -1 else win_value if result == turn else -win_value"
    return [
        f"    over = {rule_set.method(hook)}(data, position)  #: {hook}",
        "    if _z.is_given(over):",
        f'        result = _z.present_value(over, "returns|return {choice}")  #: {hook}',
        "        if result < -1 or result > 1:",
        f"            return {BAD_OUTCOME}",
        f"        low[i] = {value}{mark}",
        "        high[i] = low[i]",
        "        return 0",
    ]


def _bounds(rules: Rules, rule_set: AnyRuleSet) -> list[str]:
    """Return the lines that narrow the bounds of a position by the author's ``bounds``."""
    if not rules.has_hook("bounds"):
        return []
    bounds = rule_set.method("bounds")
    form = "two whole numbers" if rules.kind.gains else "two of LOSS, DRAW and WIN"
    lines = [
        f"    bounds = {bounds}(data, position)  #: bounds",
        f'    limits = _z.tuple_of_length(bounds, 2, "returns|return {form}")  #: bounds',
        f'    least = _z.whole(limits[0], "returns|return {form}")  #: bounds',
        f'    most = _z.whole(limits[1], "returns|return {form}")  #: bounds',
    ]
    if rules.kind.gains:
        return [
            *lines,
            "    low[i] = min(max(least, -win_value), win_value)",
            "    high[i] = max(min(most, win_value), -win_value)",
        ]
    return [
        *lines,
        "    if least >= 0:",
        "        low[i] = least",
        "    if most <= 0:",
        "        high[i] = most",
    ]


def _dead_end(rules: Rules, rule_set: AnyRuleSet) -> str:
    """Return the expression for the value of a position without moves."""
    if rules.kind.gains:
        return _score(rules, rule_set)
    return f"{int(rules.no_moves)} * win_value"


def _score(rules: Rules, rule_set: AnyRuleSet) -> str:
    if not rules.has_hook("score"):
        return "0"
    score = f"{rule_set.method('score')}(data, position)"
    return f'min(max(_z.points({score}, "returns|return a whole number"), -{MOST}), {MOST})'
