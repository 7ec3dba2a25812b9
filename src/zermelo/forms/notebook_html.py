"""HTML of all answers for notebooks; every ``_repr_html_`` calls a function here.

The answers are accessed by their attributes only, as their modules import this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from zermelo.forms import markup
from zermelo.forms.markup import Markup
from zermelo.forms.move_overlay import mark_moves
from zermelo.forms.quantities import count_phrase

#: The most names that a line lists.
_MOST_NAMES = 4
#: The most moves, pictures of a line, rows of counts and other items that are shown.
_MOST_MOVES, _MOST_FRAMES, _MOST_COUNTS, _MOST_LISTED = 40, 24, 30, 12


def _worth(value: Any) -> Markup:
    return markup.value_text(value.word, str(value))


def _more(count: int, noun: str = "more") -> list[Markup]:
    return [markup.note(f"… and {count:,} {noun}")] if count > 0 else []


def value(answer: Any) -> str:
    """Return the HTML of a ``Value``; of a partizan game with its thermograph."""
    if answer.game_text is None:
        return markup.form(markup.line(_worth(answer)))
    rows = [
        ("outcome class", f"{answer.outcome_class}"),
        ("stops", f"{answer.left_stop} and {answer.right_stop}"),
        ("temperature", f"{answer.temperature}"),
        ("mean", f"{answer.mean}"),
    ]
    facts = [markup.lead(answer.game_text), markup.table(rows)]
    return markup.form(markup.side_by_side(markup.figure(answer.thermograph.svg), facts))


# -- moves and positions ---------------------------------------------------------------------------


def option(answer: Any) -> str:
    """Return the HTML of an ``Option``."""
    return markup.form(markup.table([(answer.name, _worth(answer.value))]))


def _moves(options: Any) -> list[Markup]:
    rows: list[tuple[Any, ...]] = [
        (option.name, _worth(option.value)) for option in options[:_MOST_MOVES]
    ]
    if any(options.notes):
        pairs = zip(rows, options.notes, strict=False)
        rows = [(*row, markup.element("span", each, class_="zermelo-note")) for row, each in pairs]
    return [markup.table(rows), *_more(len(options) - _MOST_MOVES)]


def _overlay_moves(options: Iterable[Any], best: Iterable[Any]) -> list[tuple[str, str, str, bool]]:
    """Return moves in the form that ``marked`` needs."""
    good = {id(option) for option in best}
    return [
        (option.name, option.value.word, str(option.value), id(option) in good)
        for option in options
    ]


def _board(svg: str, value: Any, options: Sequence[Any], best: Iterable[Any]) -> Markup:
    """Return a board with its moves marked, beside a table of them."""
    end_text = "" if options else ", and the game is over"
    if getattr(options, "by_chance", False):
        end_text = ", and chance decides"
    caption = [] if value is None else [markup.lead(_worth(value), end_text)]
    return markup.side_by_side(
        markup.figure(mark_moves(svg, _overlay_moves(options, best))), [*caption, *_moves(options)]
    )


def options(answer: Any) -> str:
    """Return the HTML of ``Options``: the board with the moves marked, and a table of them."""
    if answer.rules is None:
        return markup.form(*_moves(answer))
    svg = answer.rules.position_svg(answer.position)
    # That of a best move is not the value of the position where chance decides, nor of a game.
    is_value = answer and not answer.by_chance and answer[0].value.game_text is None
    value = answer[0].value if is_value else None
    return markup.form(_board(svg, value, answer, answer.best_options))


def view(answer: Any) -> str:
    """Return the HTML of a ``View``: that of its options, with the value of the position."""
    return markup.form(
        _board(answer.svg, answer.value, answer.options, answer.options.best_options)
    )


def solution(answer: Any, counts: Any, counted_as: str) -> str:
    """Return the HTML of a ``Solution``.

    Args:
        answer: the solution.
        counts: the number of its positions of each outcome.
        counted_as: the plural noun of the counts, such as ``positions``.
    """
    rows: list[tuple[str, Any]] = [("game", answer.rules.description)]
    begins = bool(answer.starts)
    if begins:
        rows.append(("value", _worth(answer.value)))
        if answer.winner or not counts.by_bounds:  # with chance, nobody else is sure to win
            rows.append(("winner", answer.winner or "nobody"))
    rows += [(counted_as, f"{counts.positions:,}"), ("method", answer.method)]
    facts = [markup.table(rows), *_outcome_bars(counts)]
    if not begins:
        return markup.form(*facts)
    view = answer.show()
    board = markup.figure(
        mark_moves(view.svg, _overlay_moves(view.options, view.options.best_options))
    )
    return markup.form(markup.side_by_side(board, _moves(view.options), facts))


def proof(answer: Any) -> str:
    """Return the HTML of a ``Proof``: the board with the known values of moves, and the search."""
    view = answer.solution.show()
    rows: list[tuple[str, Any]] = [
        ("proof of", answer.solution.rules.description),
        ("value", _worth(view.value)),
        ("searched", f"{count_phrase(answer.nodes, 'positions')} in {answer.seconds:.1f} s"),
        ("method", answer.choice),
    ]
    board = markup.figure(
        mark_moves(view.svg, _overlay_moves(view.options, view.options.best_options))
    )
    return markup.form(markup.side_by_side(board, _moves(view.options), markup.table(rows)))


def _outcome_bars(counts: Any) -> list[Markup]:
    parts = [("win", counts.win), ("draw", counts.draw), ("loss", counts.loss)]
    words = {"draw": counts.draw_word}
    if counts.by_bounds:
        words = {"win": "ahead", "draw": "even", "loss": "behind"}
    rows = [(words.get(name, name), n, name) for name, n in parts if n or name != "draw"]
    return [markup.share_bar(parts), markup.bars(rows)]


def counts(answer: Any) -> str:
    """Return the HTML of ``Counts``: the number of each outcome, and of each value, as bars."""
    blocks = [markup.lead(count_phrase(answer.positions, "positions")), *_outcome_bars(answer)]
    if answer.tie and answer.endless:
        blocks.append(markup.line(f"draws: {answer.tie:,} ties, {answer.endless:,} endless"))
    rows = list(counted_values(answer))
    if rows:
        bars = [(text, count, tone) for text, tone, count in rows[:_MOST_COUNTS]]
        blocks += [markup.bars(bars, head=("value", "positions")), *_more(len(rows) - _MOST_COUNTS)]
    return markup.form(*blocks)


def counted_values(answer: Any) -> Iterator[tuple[str, str, int]]:
    """Yield each value of ``Counts`` in words, with its outcome and its number."""
    for (outcome, plies), count in answer.by_remoteness.items():
        name = str(outcome)
        text = "endless draw" if name == "draw" and plies is None else name
        if plies is not None:
            text = f"{'tie' if name == 'draw' else name} in {plies:,}"
        yield text, name, count
    for worth, count in sorted(answer.by_value.items(), key=lambda pair: -pair[1]):
        yield str(worth), worth.word, count
    for score, count in answer.by_score.items():
        yield f"score {score:+,}" if score else "score 0", _sign(score), count
    for nimber, count in answer.by_nimber.items():
        yield f"nimber {nimber:,}", "win" if nimber else "loss", count
    for nimbers, count in answer.by_infinity.items():
        text = f"∞ with {', '.join(map(str, nimbers))}" if nimbers else "∞"
        yield text, "win" if 0 in nimbers else "draw", count


def _sign(number: int) -> str:
    return "win" if number > 0 else "loss" if number else "draw"


def probes(answer: Any) -> str:
    """Return the HTML of ``Probes``: the number of each outcome."""
    outcomes = answer.outcome[answer.found]
    parts = [("win", 1), ("draw", 0), ("loss", -1)]
    tallies = [(name, int((outcomes == sign).sum()), name) for name, sign in parts]
    if missing := len(answer) - len(outcomes):
        blocks = [markup.note(f"{missing:,} not found")]
    else:
        blocks = []
    return markup.form(
        markup.lead(count_phrase(len(answer), "positions")),
        markup.share_bar([(name, count) for name, count, _ in tallies]),
        markup.bars(tallies),
        *blocks,
    )


# -- lines, reasons and matches --------------------------------------------------------------------


def _frames(answer: Any, limit: int = _MOST_FRAMES) -> list[Markup]:
    """Return the pictures of a line, the start first, each with the move before it."""
    captions = ["start", *(f"{n}. {name}" for n, name in enumerate(answer.names, 1))]
    positions = [answer.start, *answer.positions]
    figures = [
        markup.figure(answer.rules.position_svg(position), caption)
        for position, caption in zip(positions[:limit], captions, strict=False)
    ]
    return [markup.strip(figures), *_more(len(positions) - limit, "positions")]


#: Phrases for the end of a line.
ENDS = {
    "terminal": "then the game is over",
    "repeats": "then play repeats for ever",
    "cut": "and so on",
    "unknown": "and what comes then is not in the proof",
    "unproved": "the best so far, and not proved",
}


def line(answer: Any) -> str:
    """Return the HTML of a ``Line``: its boards in sequence, like a film."""
    moves = count_phrase(len(answer), "moves")
    blocks = [markup.line(f"{moves}, {ENDS[answer.ends]}")]
    if answer.rules is None:
        return markup.form(*blocks, markup.line(", ".join(map(str, answer.moves))))
    return markup.form(*_frames(answer), *blocks)


def explanation(answer: Any) -> str:
    """Return the HTML of an ``Explanation``: the board beside the reasons, and the line below."""
    reasons: list[Markup] = []
    inner: list[str] = []
    first, *later = answer.sentences
    for sentence in [*later, ""]:
        if sentence.startswith("  ") and not sentence.endswith(":"):
            inner.append(sentence.strip())
            continue
        if inner:
            reasons.append(markup.item_list(inner))
            inner = []
        if sentence:
            reasons.append(markup.line(sentence.strip()))
    reasons.insert(0, markup.lead(first))
    if answer.line.rules is None:
        return markup.form(*reasons)
    svg = answer.line.rules.position_svg(answer.position)
    return markup.form(markup.side_by_side(markup.figure(svg), reasons))


def _names_text(names: Sequence[str]) -> str:
    """Return the first of some names, with an ellipsis if there are more."""
    return ", ".join([*names[:_MOST_NAMES], *(["…"] if len(names) > _MOST_NAMES else [])])


def match(answer: Any) -> str:
    """Return the HTML of a ``Match``: the board, the state and the moves."""
    names = answer.players
    rows = [
        (
            str(played.ply),
            names[played.player],
            played.option.name,
            _worth(played.option.value),
            "" if played.lost is None else f"mistake; best: {_names_text(played.best_names)}",
        )
        for played in answer.played
    ]
    state = [markup.lead(answer.prospects if not answer.is_over else _result_text(answer))]
    if not answer.is_over:
        state.append(markup.line(f"{names[answer.player]} to move"))
    if rows:
        head = ("ply", "player", "move", "value for the player", "")
        state.append(markup.table(rows, head, long=[4]))
    svg = answer.solution.rules.position_svg(answer.position)
    return markup.form(markup.side_by_side(markup.figure(svg), state))


def _result_text(answer: Any) -> str:
    return f"{answer.winner} has won" if answer.winner else "the game has ended in a draw"


# -- proofs and checks -----------------------------------------------------------------------------


def verification(answer: Any) -> str:
    """Return the HTML of a ``Verification``."""
    return markup.form(markup.verdict(str(answer), good=answer.ok))


def report(answer: Any) -> str:
    """Return the HTML of the ``Report`` of a check."""
    head, *_ = str(answer).splitlines()
    rows = [
        (
            problem.severity,
            problem.message,
            "" if problem.position is None else f"{problem.position!r}",
        )
        for problem in answer.problems
    ]
    blocks = [markup.table(rows, ("", "what", "where"), long=[1])] if rows else []
    return markup.form(markup.verdict(head, good=answer.ok), *blocks)


def fact(answer: Any) -> str:
    """Return the HTML of a ``Fact``, with its source."""
    return markup.form(markup.table(_fact_rows(answer), long=[1]))


def _fact_rows(answer: Any) -> list[tuple[str, str]]:
    rows = [(name, str(each)) for name, each in answer.parameters.items()]
    rows += [(name.replace("_", " "), str(each)) for name, each in answer.claims.items()]
    if answer.misere:
        rows.append(("misère", "yes"))
    return [*rows, *([("note", answer.note)] if answer.note else []), ("source", answer.source)]


def checked_fact(answer: Any) -> str:
    """Return the HTML of a ``CheckedFact``."""
    verdict = "the solution agrees" if answer else "the solution does not agree"
    return markup.form(
        markup.verdict(f"{answer.game!r}: {verdict}", good=bool(answer)),
        *([markup.item_list(answer.differences)] if answer.differences else []),
        markup.table(_fact_rows(answer.fact), long=[1]),
    )


# -- heaps -----------------------------------------------------------------------------------------


def heap_game(answer: Any, nimbers: Sequence[int]) -> str:
    """Return the HTML of a ``HeapGame``: the nimbers of its small heaps."""
    return markup.form(markup.lead(answer.title), _sequence(list(map(int, nimbers))))


def _sequence(nimbers: Sequence[int]) -> Markup:
    width = 20
    rows = [
        (str(begin), *map(str, nimbers[begin : begin + width]))
        for begin in range(0, len(nimbers), width)
    ]
    head = ("heap", *(f"+{n}" for n in range(min(width, len(nimbers)))))
    return markup.table(rows, head, numbers=range(width + 1))


def period(answer: Any) -> str:
    """Return the HTML of a ``Period``."""
    rows = [
        ("period", f"{answer.period:,}"),
        ("from heap", f"{answer.preperiod:,}"),
        *([("growth in each period", f"{answer.saltus:,}")] if answer.saltus else []),
        ("exceptions", _few(answer.exceptions)),
        ("proved by nimbers to", f"{answer.checked_to:,}"),
    ]
    return markup.form(
        markup.verdict(f"{answer.game.title} is periodic", good=True), markup.table(rows, long=[1])
    )


def _few(numbers: Sequence[int]) -> str:
    if not numbers:
        return "none"
    hidden = len(numbers) - _MOST_LISTED
    text = ", ".join(f"{number:,}" for number in numbers[:_MOST_LISTED])
    return f"{text} and {hidden:,} more, the last {numbers[-1]:,}" if hidden > 0 else text


def no_period(answer: Any) -> str:
    """Return the HTML of a ``NoPeriod``."""
    head = f"no period of {answer.game.title} proved by the nimbers to {answer.checked_to:,}"
    return markup.form(markup.verdict(head, good=False), markup.line(answer.reason))


def genus(answer: Any) -> str:
    """Return the HTML of a ``Genus``."""
    digits = str(answer).partition("^")[2].strip("{}")
    symbols = [str(answer.nimber), markup.element("sup", digits)]
    kind = "fickle" if answer.fickle else "firm" if answer.firm else "wild"
    rows = [
        ("normal play", markup.value_text(str(answer.normal), str(answer.normal))),
        ("misère play", markup.value_text(str(answer.misere), str(answer.misere))),
        ("kind", kind if kind == "wild" else f"tame, {kind}"),
    ]
    return markup.form(markup.lead(*symbols), markup.table(rows))


def misere_quotient(answer: Any) -> str:
    """Return the HTML of a ``MisereQuotient``."""
    head, *lines = str(answer).splitlines()
    rows = [(name, text) for name, _, text in (line_.partition(" ") for line_ in lines)]
    cells = [(name, text.strip()) for name, text in rows]
    return markup.form(markup.lead(head), markup.table(cells, long=[1]))


# -- analyses --------------------------------------------------------------------------------------


def sweep(head: Sequence[str], rows: Iterable[Sequence[str]], failed: Iterable[str] = ()) -> str:
    """Return the HTML of analyses side by side, with failures below them."""
    table = markup.table(rows, head, numbers=range(len(head)))
    return markup.form(table, *map(markup.note, failed))


def tree(answer: Any) -> str:
    """Return the HTML of a ``Tree``: its picture."""
    return markup.form(markup.figure(answer.svg))
