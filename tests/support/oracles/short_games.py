"""Short games by their definitions: trees of options, compared as the definition of the order says.

Nothing here is shared with Zermelo. A game is a number that stands for its left and right options,
which are sets of such numbers; trees that are written alike have one number. It is slow, and meant
for the values of small positions: facts that are only recalled, and random games.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import Any

_TREES: list[tuple[frozenset[int], frozenset[int]]] = []
_NUMBERS: dict[tuple[frozenset[int], frozenset[int]], int] = {}


def tree(left: Iterable[int], right: Iterable[int]) -> int:
    """Return the number of the tree with these options."""
    options = frozenset(left), frozenset(right)
    if options not in _NUMBERS:
        _NUMBERS[options] = len(_TREES)
        _TREES.append(options)
    return _NUMBERS[options]


def left_of(game: int) -> frozenset[int]:
    """Return the options of Left."""
    return _TREES[game][0]


def right_of(game: int) -> frozenset[int]:
    """Return the options of Right."""
    return _TREES[game][1]


@cache
def at_most(g: int, h: int) -> bool:
    """Return whether g <= h: Left has no option in g, and Right none in h, that denies it."""
    return not any(at_most(h, option) for option in left_of(g)) and not any(
        at_most(option, g) for option in right_of(h)
    )


def equal(g: int, h: int) -> bool:
    """Return whether two games have the same value."""
    return at_most(g, h) and at_most(h, g)


@cache
def simplest(game: int) -> int:
    """Return the canonical form: options made canonical, reversible and dominated ones removed."""
    left = {simplest(option) for option in left_of(game)}
    right = {simplest(option) for option in right_of(game)}
    while True:
        current = tree(left, right)
        bypassed = _bypass(current, left, left_of, right_of, at_most)
        bypassed = bypassed or _bypass(
            current, right, right_of, left_of, lambda g, h: at_most(h, g)
        )
        if not bypassed:
            break
    left -= {g for g in left if any(g != h and at_most(g, h) for h in left)}
    right -= {g for g in right if any(g != h and at_most(h, g) for h in right)}
    return tree(left, right)


def _bypass(
    game: int,
    options: set[int],
    own: Callable[[int], frozenset[int]],
    other: Callable[[int], frozenset[int]],
    no_better: Callable[[int, int], bool],
) -> bool:
    """Replace one reversible option by what it leads to; False if there is none."""
    for option in options:
        for answer in other(option):
            if no_better(answer, game):
                options.remove(option)
                options |= own(answer)
                return True
    return False


@cache
def negative(game: int) -> int:
    """Return the game with the players exchanged."""
    return tree(map(negative, right_of(game)), map(negative, left_of(game)))


@cache
def add(g: int, h: int) -> int:
    """Return the canonical form of a sum."""
    g, h = simplest(g), simplest(h)
    left = [add(option, h) for option in left_of(g)] + [add(g, option) for option in left_of(h)]
    right = [add(option, h) for option in right_of(g)] + [add(g, option) for option in right_of(h)]
    return simplest(tree(left, right))


# -- names --------------------------------------------------------------------------------------


def number(value: Fraction | int) -> int:
    """Return a dyadic fraction as a game."""
    value = Fraction(value)
    if value.denominator == 1:
        if value == 0:
            return tree((), ())
        below = number(abs(value) - 1)
        return tree([below], ()) if value > 0 else negative(tree([below], ()))
    step = Fraction(1, value.denominator)
    return tree([number(value - step)], [number(value + step)])


def nimber(n: int) -> int:
    """Return a heap of Nim."""
    smaller = [nimber(size) for size in range(n)]
    return tree(smaller, smaller)


ZERO = tree((), ())
STAR = tree([ZERO], [ZERO])
UP = tree([ZERO], [STAR])


def multiple(count: int, game: int) -> int:
    """Return a sum of copies of a game, or of its negative."""
    total = ZERO
    for _ in range(abs(count)):
        total = add(total, game if count > 0 else negative(game))
    return total


def up_power(n: int) -> int:
    """Return the n-th power of up, {0 | -(the sum of the lower powers) + *}."""
    total = STAR
    for lower in range(1, n):
        total = add(total, negative(up_power(lower)))
    return simplest(tree([ZERO], [total]))


_WORDS = re.compile(r"\|+|[{}(),+-]|±|\d+(?:/\d+)?|\*(?:\d+(?!/))?|[\^v]+(?:\d+|<\d+>)?|Tiny|Miny")


def parse(text: str) -> int:
    """Return the canonical form of a game as the field writes it.

    Numbers, nimbers such as ``*2``, ``^``, ``^^``, ``^3`` and ``v`` for multiples of up and down,
    ``^<2>`` for powers of up, ``Tiny(x)`` and ``Miny(x)``, braces such as ``{2|0||-1/2|-2}``,
    ``+-x`` for ``{x|-x}`` and ``+-{x,y}``. What is written side by side, or with ``+`` and ``-``
    between, is a sum.
    """
    words = _WORDS.findall(text.replace("±", "+-"))
    if "".join(words) != re.sub(r"\s", "", text.replace("±", "+-")):
        raise ValueError(text)
    game, rest = _sum(words)
    if rest:
        raise ValueError(text)
    return game


def _sum(words: list[str]) -> tuple[int, list[str]]:
    total, sign = ZERO, 1
    while words and (words[0] in "+-{(" or words[0][0].isalnum() or words[0][0] in "*^"):
        if words[:2] == ["+", "-"]:
            options, words = _switch(words[2:])
            part = simplest(tree(options, map(negative, options)))
        elif words[0] in "+-":
            sign = 1 if words[0] == "+" else -1
            words = words[1:]
            if words[:2] == ["+", "-"]:
                continue
            part, words = _one(words)
        else:
            part, words = _one(words)
        total, sign = add(total, part if sign > 0 else negative(part)), 1
    return total, words


def _switch(words: list[str]) -> tuple[list[int], list[str]]:
    """Return the options of Left after a plus-minus sign: of a game, or of braces without bars."""
    if words[0] == "{":
        end = _end(words)
        if not any(word[0] == "|" for word in _outside(words[1:end])):
            return _options(words[1:end]), words[end + 1 :]
    game, words = _one(words)
    return [game], words


def _end(words: list[str]) -> int:
    """Return the place of the brace that closes the first one."""
    depth = 0
    for place, word in enumerate(words):
        depth += {"{": 1, "}": -1}.get(word, 0)
        if depth == 0:
            return place
    raise ValueError(words)


def _one(words: list[str]) -> tuple[int, list[str]]:
    word, *words = words
    if word == "(":
        game, words = _sum(words)
        return game, words[1:]
    if word == "{":
        end = _end([word, *words])
        return _braces(words[: end - 1]), words[end:]
    if word in {"Tiny", "Miny"}:
        end = words.index(")")
        size, _ = _sum(words[1:end])
        game = simplest(tree([ZERO], [tree([ZERO], [negative(size)])]))
        return game if word == "Tiny" else negative(game), words[end + 1 :]
    if word[0] == "*":
        return nimber(int(word[1:] or 1)), words
    if word[0] in "^v" and word[-1] == ">":
        power = up_power(int(word[2:-1]))
        return power if word[0] == "^" else negative(power), words
    if word[0] in "^v":
        marks = len(word.rstrip("0123456789"))
        count = int(word[marks:] or 1) * marks
        return multiple(count if word[0] == "^" else -count, UP), words
    return simplest(number(Fraction(word))), words


def _braces(words: list[str]) -> int:
    """Return the game between braces, divided at the longest run of bars outside other braces."""
    depth, bars = 0, []
    for place, word in enumerate(words):
        depth += {"{": 1, "}": -1}.get(word, 0)
        if word[0] == "|" and depth == 0:
            bars.append(place)
    longest = max(len(words[place]) for place in bars)
    (place,) = [place for place in bars if len(words[place]) == longest]
    sides = words[:place], words[place + 1 :]
    return simplest(tree(_options(sides[0]), _options(sides[1])))


def _options(words: list[str]) -> list[int]:
    if not words:
        return []
    depth, parts = 0, [[]]
    for word in words:
        depth += {"{": 1, "}": -1, "(": 1, ")": -1}.get(word, 0)
        if word == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(word)
    if any(word[0] == "|" for word in _outside(words)):
        return [_braces(words)]
    return [_sum(part)[0] for part in parts]


def _outside(words: list[str]) -> list[str]:
    depth, found = 0, []
    for word in words:
        depth += {"{": 1, "}": -1}.get(word, 0)
        if depth == 0 and word != "}":
            found.append(word)
    return found


# -- positions ------------------------------------------------------------------------------------


def values_of(game: Any) -> Callable[[Any], int]:
    """Return a function from positions of a game to their values, the player to move as Left.

    It plays by the rules alone: by ``moves``, ``play``, and ``pass_turn`` or the field ``player``.
    """

    def passed(position: Any) -> Any:
        if hasattr(game, "pass_turn"):
            return game.pass_turn(position)
        return position._replace(player=1 - position.player)

    @cache
    def value(position: Any) -> int:
        other = passed(position)
        left = [negative(value(game.play(position, move))) for move in game.moves(position)]
        right = [value(game.play(other, move)) for move in game.moves(other)]
        return simplest(tree(left, right))

    return value
