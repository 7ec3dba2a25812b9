"""A tree of moves, such as a strategy, as text, DOT and a picture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from zermelo.errors import ParameterError
from zermelo.forms import notebook_html
from zermelo.forms.markup import COLOURS
from zermelo.forms.pictures import Picture, PicturedAnswer
from zermelo.forms.quantities import count_phrase
from zermelo.values.outcomes import ExpectedValue, Value

if TYPE_CHECKING:
    from zermelo.rules.view import Answering

#: The most nodes of a tree; a larger one would not be read.
MOST_NODES = 5_000
#: The texts if the game is over.
_ENDS = {"win": "{} has won", "draw": "tie", "loss": "{} has lost"}
#: The height of a node in a picture, the space between nodes across and down, the space for a
#: move's name, the width of a letter, and the margin.
_HEIGHT, _ACROSS, _DOWN, _NAME, _LETTER, _MARGIN = 36, 14, 48, 20, 6.8, 10


@dataclass(slots=True)
class TreeNode:
    """A position in a tree.

    Attributes:
        name: the name of the move that leads to it; "" for the root.
        player: the name of the player to move here.
        position: the position.
        value: its value for the player to move.
        over: whether the game is over.
        by_chance: whether chance decides here.
        children: the positions that the moves shown lead to.
        more: the number of moves left out, if the tree is cut here.
    """

    name: str
    player: str
    position: Any
    value: Value
    over: bool
    children: list[TreeNode] = field(default_factory=list)
    more: int = 0
    by_chance: bool = False


@dataclass(frozen=True, repr=False)
class Tree(PicturedAnswer):
    """The tree of the moves from a position; made by ``Solution.tree``.

    ``print`` writes it as text. Notebooks draw it, ``save`` writes its picture to a file, and
    ``dot`` is for Graphviz.

    Attributes:
        root: the position at the root, with the tree below it.
        player: the name of the player whose strategy it is, or None if all moves are shown.
    """

    root: TreeNode
    player: str | None

    def __iter__(self) -> Iterator[TreeNode]:
        """Iterate over the positions, each before its children."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def __len__(self) -> int:
        """Return the number of positions."""
        return sum(1 for _ in self)

    def __str__(self) -> str:
        """Return the tree as lines of text, one move each, with replies indented below it."""
        player = self.root.player
        turn = f"chance decides for {player}" if self.root.by_chance else f"{player} to move"
        lines = [f"{turn}: {self.root.value}"]
        waiting = [(node, "", n == 0) for n, node in enumerate(reversed(self.root.children))]
        while waiting:
            node, indent, last = waiting.pop()
            cut = ""
            if node.more:
                noun = "more results" if node.by_chance else "more moves"
                cut = f" … {count_phrase(node.more, noun)}" if node.more > 1 else " …"
            lines.append(f"{indent}{'└─' if last else '├─'} {node.name}  {_value_text(node)}{cut}")
            child_indent = indent + ("   " if last else "│  ")
            waiting += [
                (each, child_indent, n == 0) for n, each in enumerate(reversed(node.children))
            ]
        if self.root.more:
            noun = "more results" if self.root.by_chance else "more moves"
            lines.append(f"… {count_phrase(self.root.more, noun)}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        """Return a text with the player and the size."""
        subject = f"strategy of {self.player}" if self.player else "tree of moves"
        return f"<Tree: {subject}, {count_phrase(len(self), 'positions')}>"

    @property
    def dot(self) -> str:
        """The tree in the language of Graphviz, for ``dot -Tsvg``."""
        numbers = {id(node): n for n, node in enumerate(self)}
        lines = ["digraph {", "  node [shape=box, style=rounded, fontname=sans];"]
        for node in self:
            label = json.dumps(f"{node.player}\n{_value_text(node)}", ensure_ascii=False)
            colour = COLOURS[node.value.word]
            lines.append(f'  n{numbers[id(node)]} [label={label}, color="{colour}"];')
            for child in node.children:
                name = json.dumps(child.name, ensure_ascii=False)
                lines.append(f"  n{numbers[id(node)]} -> n{numbers[id(child)]} [label={name}];")
        return "\n".join([*lines, "}"])

    @property
    def svg(self) -> str:
        """The tree as one ``<svg>`` element, the root at the top."""
        return _Drawing(self.root).svg

    @property
    def picture(self) -> Picture:
        """The tree as a picture, which can be saved as SVG, PNG and PDF."""
        return Picture((self.svg,))

    def _repr_html_(self) -> str:
        """Return the tree as a picture, for notebooks."""
        return notebook_html.tree(self)


def tree_of(solution: Answering, position: Any, depth: object, player: object) -> Tree:
    """Return the moves from a position as a tree; see ``Solution.tree``.

    Raises:
        ParameterError: an argument makes no sense, or the tree is too large.
    """
    rules = solution.rules
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 0):
        message = f"depth={depth!r} is not a number of plies; give 0 or more, or None for all"
        raise ParameterError(message)
    side = _side(rules.players, player)
    count = 0

    def add_node(name: str, place: Any, mover: int) -> TreeNode:
        nonlocal count
        count += 1
        if count > MOST_NODES:
            message = (
                f"the tree has more than {MOST_NODES:,} positions; give a smaller depth, or "
                "player= to follow one move of that player each time"
            )
            raise ParameterError(message)
        return TreeNode(name, rules.players[mover], place, solution[place], over=False)

    first = rules.owner(position)
    root = add_node("", position, first)
    waiting = [(root, 0, first, frozenset([position]))]
    while waiting:
        node, ply, mover, ancestors = waiting.pop()
        options = solution.options(node.position)
        node.over, node.by_chance = not options, options.by_chance
        visible = options[:1] if side == mover and not node.by_chance else options
        repeats = node is not root and node.position in ancestors
        if repeats or (depth is not None and ply >= depth):
            node.more = len(visible)
            continue
        for option in visible:
            keeps_turn = rules.keeps_turn(node.position, option.move, option.position)
            next_mover = mover if keeps_turn else 1 - mover
            child = add_node(option.name, option.position, next_mover)
            node.children.append(child)
            waiting.append((child, ply + 1, next_mover, ancestors | {node.position}))
    return Tree(root, None if side is None else rules.players[side])


def _side(players: tuple[str, str], player: object) -> int | None:
    if player is None:
        return None
    if isinstance(player, str) and player in players:
        return players.index(player)
    if isinstance(player, int) and not isinstance(player, bool) and player in (0, 1):
        return player
    message = f"player={player!r} is not a player; give {players[0]!r} or {players[1]!r}"
    raise ParameterError(message)


def _value_text(node: TreeNode) -> str:
    """Return the value of a position in words that name the player."""
    if _has_result(node):
        return _ENDS[node.value.word].format(node.player)
    return f"{node.player}: {_text_of(node)}"


def _has_result(node: TreeNode) -> bool:
    """Return whether the game is over with a win, a draw or a loss, and not with a margin."""
    is_scored = isinstance(node.value, ExpectedValue) and node.value.is_scored
    return node.over and node.value.score is None and not is_scored


def _text_of(node: TreeNode) -> str:
    return str(node.value).removeprefix("expected ") if node.over else str(node.value)


class _Drawing:
    """A drawing of a tree, with leaves side by side and each parent above its children."""

    def __init__(self, root: TreeNode) -> None:
        self.places: dict[int, tuple[float, float]] = {}
        self.parts: list[str] = []
        self.right = float(_MARGIN)
        self.bottom = 0.0
        self._place(root)
        self._draw(root)
        width, height = self.right - _ACROSS + _MARGIN, self.bottom + _HEIGHT + _MARGIN
        self.svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:.0f} '
            f'{height:.0f}" width="{width:.0f}" height="{height:.0f}" fill="none" '
            f'stroke="currentColor" font-family="system-ui,sans-serif"><title>'
            f"tree of {count_phrase(len(self.places), 'positions')}</title>"
            f"{''.join(self.parts)}</svg>"
        )

    def _place(self, root: TreeNode) -> None:
        order = [(root, 0)]
        for node, depth in order:  # which grows in the loop: parents before children
            order += [(child, depth + 1) for child in node.children]
        wide: dict[int, float] = {}
        for node, _ in reversed(order):
            children_width = sum(wide[id(child)] + _ACROSS for child in node.children) - _ACROSS
            wide[id(node)] = max(_width(node), children_width)
        left = {id(root): float(_MARGIN)}
        for node, depth in order:
            start, top = left[id(node)], _MARGIN + depth * (_HEIGHT + _DOWN)
            self.places[id(node)] = (start + wide[id(node)] / 2, top)
            children_width = sum(wide[id(child)] + _ACROSS for child in node.children) - _ACROSS
            start += (wide[id(node)] - children_width) / 2
            for child in node.children:
                left[id(child)] = start
                start += wide[id(child)] + _ACROSS
            self.bottom = max(self.bottom, top)
        self.right = _MARGIN + wide[id(root)] + _ACROSS

    def _draw(self, root: TreeNode) -> None:
        waiting = [root]
        while waiting:
            node = waiting.pop()
            waiting += node.children
            x, y = self.places[id(node)]
            for child in node.children:
                a, b = self.places[id(child)]
                top = y + _HEIGHT
                self.parts.append(
                    f'<path d="M{x:.1f} {top:.1f}C{x:.1f} {top + 14:.1f} {a:.1f} '
                    f'{top + 5:.1f} {a:.1f} {b - _NAME:.1f}" opacity=".45"/>'
                )
                self.parts.append(_text(child.name, a, b - _NAME / 2, 12, bold=True))
            wide, colour = _width(node), COLOURS[node.value.word]
            self.parts.append(
                f'<rect x="{x - wide / 2:.1f}" y="{y:.1f}" width="{wide:.1f}" '
                f'height="{_HEIGHT}" rx="7" fill="{colour}" fill-opacity=".18" stroke="{colour}"/>'
            )
            self.parts.append(_text(node.player, x, y + 11, 11))
            ellipsis = f" … +{node.more}" if node.more else ""
            self.parts.append(_text(_short(node) + ellipsis, x, y + 25, 12, bold=True))


def _short(node: TreeNode) -> str:
    if _has_result(node):
        return _ENDS[node.value.word].removeprefix("{} ")
    return _text_of(node)


def _width(node: TreeNode) -> float:
    longest = max(len(node.player), len(_short(node)) + (6 if node.more else 0), len(node.name), 6)
    return 16 + _LETTER * longest


def _text(word: str, x: float, y: float, size: int, *, bold: bool = False) -> str:
    heavy = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" dy=".35em" font-size="{size}" text-anchor="middle" '
        f'fill="currentColor" stroke="none"{heavy}>{escape(word)}</text>'
    )
