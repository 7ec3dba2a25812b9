"""Generated code of searches from one position; see ``_engine/search``."""

from __future__ import annotations

from dataclasses import replace

from zermelo._compile.generate import canonical, component_search
from zermelo._compile.generate.module import MadeRules, Module, Parts, module_of
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
    OUTSIDE,
    SPARE,
    STEP,
    TOP,
    UNFOLD,
    UNTIL,
)
from zermelo._engine.search.transposition_entries import MOST
from zermelo.rules.hooks import MOST_MOVES, Rules

_WALK = """from zermelo._engine.search import component_search as _c, proof_numbers as _n
from zermelo._engine.search import table_positions as _t, alpha_beta as _w
_z_inline = _z.part(error_model="python", boundscheck=True, heap=HEAP, is_spliced=True)
"""

#: The kernels, each with its search loop and its test whether a single move is enough.
_KERNELS = {
    "search": ("_w.advance", "_w.cutoff_by_rules"),
    "prove": ("_n.advance_numbers", "_n.cutoff_by_rules_numbers"),
}

#: ``notes`` has the data of each move: its points, the author's estimate, and its class.
_EMIT = """
@_z_inline
def _z_emit(data, position, children, notes, room, at, move):
{child}
{folded}
    if at < room:
{words}
{gain}
        notes[1][at] = {promise}
{mark}
    elif at - room > {most}:
        return {endless}
    return at + 1
"""

#: Stops at the first move.
_SOME = """

@_z_inline
def _z_some(data, position, children, notes, room, at, move):
    return int64(-1)
"""

_SETTLE = """

@_z_inline
def _z_settle(data, keys, i, low, high, owners, held, worths, great):
    position = {position}
{turn}
{over}
    if worths.size > 0:
        place = _t.find_position(held, worths.size, keys, i * {count}, {count})
        if place >= 0:
            worth = int64(worths[place])
            low[i] = min(max(worth, -1), 1) if great == 1 else worth
            high[i] = low[i]
            return 0
    low[i] = -great
    high[i] = great
{bounds}
    return 0

"""

_SEARCH = """

def {kernel}(
    state, frames, keys, low, high, promise, marks, gains, owners, table, history, path, busy,
    held, worths, fades, great, many, turns, least, to, found, quota{arguments}
):
    data = {data}
    notes = (gains, promise, marks)
    room = int64(low.size)
    while True:
        i = {advance}(
            state, frames, keys, low, high, promise, marks, gains, owners, table, history, path,
            busy, {count}, fades, {until}
        )
        if i < 0:
{next}
            return i
        position = {position}
        at = state[{top}]
{listed}
        if after < 0:
            state[{fault}] = -after
            state[{step}] = {unfold}
            return {faulty}
        if after > room:
            state[{step}] = {unfold}
            return {crowded}
        if after == at:
            state[{none}] = {dead_end}{mark}
        for child in range(at, after):
            status = _z_settle(data, keys, child, low, high, owners, held, worths, great)
            if keys[(child + 1) * {count} - 1] & uint64(state[{spare}]) != 0:
                status = {outside}
            if status != 0:
                state[{fault}] = status
                state[{step}] = {unfold}
                return {faulty}
            if {foresee}(
                state, keys, child, low, high, gains, owners, table, {count}, fades
            ):
                after = child + 1
                break
        state[{top}] = after
"""

#: Writes the children: of all moves, or of the moves of ``enough`` for values without distances. If
#: ``enough`` yields none, all moves are needed. It is called only if there are moves, so that it
#: may yield some in terminal positions.
_ALL = """        after = {moves}(data, position, keys, notes, room, at, position)  #: moves"""
_ENOUGH = """        after = int64(at)
        if fades == 0 and {some}(data, position, keys, notes, room, at, position) < 0:  #: moves
            after = {enough}(data, position, keys, notes, room, at, position)  #: enough
        if after == at:
            after = {moves}(data, position, keys, notes, room, at, position)  #: moves"""

#: Starts the next test of a batch.
_NEXT = """            if _w.next_test(
                i, state, frames, keys, owners, path, many, turns, least, to, found, quota
            ):
                continue"""
#: The number of nodes at which the search pauses.
_UNTIL = f"min(quota, state[{UNTIL}])"


def write_searching(rules: Rules, made: MadeRules) -> Module:
    """Return the module that searches a game; its kernels are ``search`` and ``prove``.

    Args:
        rules: the hooks.
        made: the rules' functions; the hooks are included here.
    """
    parts = Parts(rules, made)
    folding = canonical.canonical_parts(rules, made)
    emit = _emit(rules, made, folding)
    moves = parts.item_loop("moves", "_z_emit")
    listed = dict.fromkeys(_KERNELS, _ALL.format(moves=moves))
    if rules.has_hook("enough"):
        enough, some = parts.item_loop("enough", "_z_emit"), parts.item_loop("moves", "_z_some")
        listed["search"] = _ENOUGH.format(enough=enough, moves=moves, some=some)
        emit += _SOME
    if rules.has_hook("split"):
        emit += component_search.emit_functions(rules, parts, folding)
    said = {
        "turn": "\n".join(_turn(rules, made)) or "    pass",
        "over": "\n".join(_terminal_lines(rules, made)) or "    pass",
        "bounds": "\n".join(_bounds(rules, made)) or "    pass",
        "dead_end": _dead_end(rules, made),
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
    kernel = early + emit + parts.listed + _SETTLE.format(**said)
    for name, (advance, foresee) in _KERNELS.items():
        kernel += _SEARCH.format(
            kernel=name,
            advance=advance,
            foresee=foresee,
            next=_NEXT if name == "search" else "",
            until=_UNTIL if name == "search" else "quota",
            listed=listed[name],
            arguments=arguments,
            data=data,
            **said,
        )
    if rules.has_hook("split"):
        kernel += component_search.kernel_of(rules, parts, _bounds(rules, made), arguments, data)
    module = module_of(rules, made, kernel)
    return replace(module, header=module.header + _WALK)


def _emit(rules: Rules, made: MadeRules, folding: canonical.Folding | None) -> str:
    """Return the function that plays a move, packs the child, and stores the move's data."""
    method = made.method
    played = f"{method('play')}(data, position, move)"
    gain = "        pass"
    if rules.has_hook("gain"):
        gained = f"{method('gain')}(data, position, move)"
        gain = (
            f'        notes[0][at] = _z.points({gained}, "returns|return a whole number")  #: gain'
        )
    promise = "0"
    if rules.has_hook("promise"):
        told = f"{method('promise')}(data, position, move)"
        promise = f'_z.whole({told}, "returns|return a whole number")  #: promise'
    return _EMIT.format(
        child="\n".join(f"    {line}" for line in packing_lines(played, "play")),
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
    move = "_z.move_mark(move, int64(0))"
    if layout.kind is None or layout.holds or any(length for _, length in layout.fields):
        return [f"notes[2][at] = {move}"]
    mixed = f"_z.mixed(numbers, _z.numbers({PACKING}, position))"
    return [f"notes[2][at] = _w.move_class({move}, {mixed})"]


def _turn(rules: Rules, made: MadeRules) -> list[str]:
    """Return the lines that store the player to move."""
    if rules.alternate:
        return []
    fault = '"returns|return 0 or 1"'
    return [
        f"    turn = _z.whole({made.method('turn')}(data, position), {fault})  #: turn",
        "    if turn != 0 and turn != 1:",
        f"        return {BAD_TURN}",
        "    owners[i] = turn",
    ]


def _terminal_lines(rules: Rules, made: MadeRules) -> list[str]:
    """Return the lines that give a terminal position its value."""
    hook = next((h for h in ("outcome", "winner") if rules.has_hook(h)), None)
    if hook is None:
        return []
    choice = {"outcome": "WIN, DRAW, LOSS or None", "winner": "0, 1, NOBODY or None"}[hook]
    mark = "  #: score" if rules.has_hook("score") else ""
    if rules.kind.gains:
        worth = _score(rules, made)
    elif hook == "outcome":
        worth = "great * result"
    else:
        worth = "0 if result == -1 else great if result == turn else -great"
    return [
        f"    over = {made.method(hook)}(data, position)  #: {hook}",
        "    if _z.given(over):",
        f'        result = _z.inside(over, "returns|return {choice}")  #: {hook}',
        "        if result < -1 or result > 1:",
        f"            return {BAD_OUTCOME}",
        f"        low[i] = {worth}{mark}",
        "        high[i] = low[i]",
        "        return 0",
    ]


def _bounds(rules: Rules, made: MadeRules) -> list[str]:
    """Return the lines that narrow the bounds of a position by the author's ``bounds``."""
    if not rules.has_hook("bounds"):
        return []
    bounds = made.method("bounds")
    what = "two whole numbers" if rules.kind.gains else "two of LOSS, DRAW and WIN"
    lines = [
        f'    told = _z.shaped({bounds}(data, position), 2, "returns|return {what}")  #: bounds',
        f'    least = _z.whole(told[0], "returns|return {what}")  #: bounds',
        f'    most = _z.whole(told[1], "returns|return {what}")  #: bounds',
    ]
    if rules.kind.gains:
        return [
            *lines,
            "    low[i] = min(max(least, -great), great)",
            "    high[i] = max(min(most, great), -great)",
        ]
    return [
        *lines,
        "    if least >= 0:",
        "        low[i] = least",
        "    if most <= 0:",
        "        high[i] = most",
    ]


def _dead_end(rules: Rules, made: MadeRules) -> str:
    """Return the expression for the value of a position without moves."""
    if rules.kind.gains:
        return _score(rules, made)
    return f"{int(rules.no_moves)} * great"


def _score(rules: Rules, made: MadeRules) -> str:
    if not rules.has_hook("score"):
        return "0"
    scored = f"{made.method('score')}(data, position)"
    return f'min(max(_z.points({scored}, "returns|return a whole number"), -{MOST}), {MOST})'
