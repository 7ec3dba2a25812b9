"""The picture on the first page and in the README: three boards, with what each move is worth.

``python docs/banner.py`` solves the three games and writes ``docs/_static/banner.svg``, which
brings its colours with it, for a light and a dark page. A block of ``{banner}`` draws the same
boards in the colours of the page.
"""

from __future__ import annotations

import re
from math import hypot
from pathlib import Path
from typing import Any, NamedTuple

import zermelo
from zermelo import Option
from zermelo.games import CatAndMouse, ConnectFour, TicTacToe

#: Where the README finds its picture.
PLACE = Path(__file__).with_name("_static") / "banner.svg"

#: How an outcome is written and which of the colours it has.
SIGNS = {zermelo.WIN: ("+", "win"), zermelo.DRAW: ("=", "draw"), zermelo.LOSS: ("\u2212", "loss")}

#: What a screen reader says.
TITLE = (
    "Three positions, with the value of every move. Tic-tac-toe after a corner: only the centre "
    "holds the tie. Connect Four on five by four: one column wins in 15 plies, one ties, three "
    "lose. Cat and Mouse on a graph: one node wins, one draws, one loses."
)

#: The colours in a file of its own, which no page's style reaches.
STYLE = (
    "<style>.banner{color:#1f2328;--paper:#fff;--win:#1a7f37;--draw:#8a6100;--loss:#b42318}"
    "@media(prefers-color-scheme:dark){.banner{color:#e6edf3;--paper:#0d1117;--win:#56d37a;"
    "--draw:#e0b341;--loss:#ff8a80}}</style>"
)

WIDTH, HEIGHT, GAP, TOP = 880, 300, 28, 18

#: Closer than this to the middle of a place, what is drawn stands on it.
NEAR = 5


class Panel(NamedTuple):
    """One board of the picture.

    Attributes:
        game: the game.
        position: the position, as the game's ``parse`` reads it.
        name: what is written below.
        share: how much wider than the others it is.
        below: how far below its place each value stands, where something is drawn on the place.
    """

    game: Any
    position: str
    name: str
    share: float
    below: float = 0


PANELS = (
    Panel(TicTacToe(), "X . . / . . . / . . .", "Tic-tac-toe, O to move", 1),
    Panel(
        ConnectFour(5, 4), "..... / ..... / ..XO. / ..XXO", "Connect Four 5\u00d74, O to move", 1.3
    ),
    Panel(
        CatAndMouse([[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]),
        "mouse 2, cat 5, mouse to move",
        "Cat and Mouse, mouse to move",
        1.9,
        below=24,
    ),
)


def banner() -> str:
    """Return the picture as an ``<svg>`` element with its colours and a background."""
    room = WIDTH - GAP * (len(PANELS) + 1)
    total = sum(panel.share for panel in PANELS)
    parts, left = [], float(GAP)
    for panel in PANELS:
        across, high = room * panel.share / total, HEIGHT - TOP - 76
        inside, (width, height) = _drawn(panel)
        scale = min(across / width, high / height)
        x, y = left + (across - width * scale) / 2, TOP + (high - height * scale) / 2
        parts.append(f'<g transform="translate({x:.1f} {y:.1f}) scale({scale:.3f})">{inside}</g>')
        parts.append(_text(panel.name, left + across / 2, HEIGHT - 52, 15))
        left += across + GAP
    paper = f'<rect width="{WIDTH}" height="{HEIGHT}" rx="12" fill="var(--paper)" stroke="none"/>'
    legend, long = _legend()
    below = f'<g transform="translate({(WIDTH - long) / 2:.1f} {HEIGHT - 22})">{legend}</g>'
    return _svg("".join([STYLE, paper, *parts, below]), (WIDTH, HEIGHT), TITLE) + "\n"


def figures() -> str:
    """Return the picture as HTML whose boards stand below each other on a narrow screen."""
    boards = (
        f'<figure style="flex:1 1 {8 * panel.share:.1f}rem">{_svg(inside, size, panel.name)}'
        f"<figcaption>{panel.name}</figcaption></figure>"
        for panel in PANELS
        for inside, size in [_drawn(panel)]
    )
    legend, long = _legend()
    below = _svg(
        f'<g transform="translate(0 12)">{legend}</g>', (long, 24), "How to read the values"
    )
    return f'<div class="banner">{"".join(boards)}<p>{below}</p></div>'


def _svg(inside: str, size: tuple[float, float], title: str) -> str:
    width, height = (f"{number:.0f}" for number in size)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="banner" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'style="max-width:100%;height:auto" fill="none" stroke="currentColor" '
        f'font-family="system-ui,sans-serif"><title>{title}</title>{inside}</svg>'
    )


def _drawn(panel: Panel) -> tuple[str, tuple[int, int]]:
    """Return what is in the picture of a board with its values, and the size of that picture."""
    position = panel.game.parse(panel.position)
    svg = panel.game.svg(position)
    size = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg)
    assert size is not None  # noqa: S101  # every picture says how large it is
    clicked = r"<(?:rect|circle|polygon) data-move[^>]*>"
    inside = re.sub(clicked, "", svg.partition("</title>")[2].removesuffix("</svg>"))
    badges = _badges(zermelo.solve(panel.game).options(position), svg, panel.below)
    return inside + badges, (int(size[1]), int(size[2]))


def _badges(options: tuple[Option, ...], svg: str, below: float) -> str:
    """Return what the moves are worth, each where it is made."""
    number = r"([\d.]+)"
    box = rf'x="{number}" y="{number}" width="{number}" height="{number}"'
    places = [
        (name, float(x) + float(wide) / 2, float(y) + float(high) / 2)
        for name, x, y, wide, high in re.findall(rf'<rect data-move="([^"]*)" {box}', svg)
    ]
    disc = rf'<circle data-move="([^"]*)" cx="{number}" cy="{number}"'
    places += [(name, float(x), float(y)) for name, x, y in re.findall(disc, svg)]
    drawn = [
        (float(a), float(b)) for a, b in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', svg)
    ]
    found = []
    for option in options:
        spots = [(x, y) for name, x, y in places if name == option.name]
        free = [
            spot
            for spot in spots
            if below or all(hypot(spot[0] - a, spot[1] - b) > NEAR for a, b in drawn)
        ]
        x, y = free[-1]  # a disc falls as far as it can
        sign, colour = SIGNS[option.value.outcome]
        far = option.value.remoteness
        found.append(_badge(f"{sign}{'' if far is None else far}", colour, x, y + below))
    return "".join(found)


def _badge(word: str, colour: str, x: float, y: float) -> str:
    wide = 12 + 8 * len(word)
    box = (
        f'<rect x="{x - wide / 2:.1f}" y="{y - 10:.1f}" width="{wide}" height="20" rx="10" '
        f'fill="var(--paper,var(--color-background-primary))" stroke-width="2" '
        f'style="stroke:var(--{colour})"/>'
    )
    return box + _text(word, x, y, 13, f"var(--{colour})", bold=True)


def _text(
    word: str, x: float, y: float, size: int, colour: str = "currentColor", *, bold: bool = False
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" dy=".35em" font-size="{size}" text-anchor="middle" '
        f'stroke="none" style="fill:{colour}"{weight}>{word}</text>'
    )


def _legend() -> tuple[str, float]:
    """Return a line on how to read the values, its middle at height 0, and its length."""
    words = (("+15", "win", "wins in 15 plies"), ("=", "draw", "draws"))
    words = (*words, ("\u22126", "loss", "loses in 6"))
    parts, x = [], 20.0
    for sign, colour, word in words:
        wide = 7 * len(word)
        parts += [_badge(sign, colour, x, 0), _text(word, x + 26 + wide / 2, 0, 13)]
        x += wide + 66
    return "".join(parts), x - 40


if __name__ == "__main__":
    PLACE.write_text(banner(), encoding="utf-8")
