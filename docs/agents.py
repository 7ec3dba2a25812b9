"""The picture in the how-to that trains agents: the shares that its table lists, as bars.

``python docs/agents.py`` reads the table in ``docs/how-to/train-an-agent.md`` and writes
``docs/_static/agents.svg``, which brings its colours with it, for a light and a dark page.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import NamedTuple

#: The page with the table, and where it finds its picture.
PAGE = Path(__file__).with_name("how-to") / "train-an-agent.md"
PLACE = Path(__file__).with_name("_static") / "agents.svg"

#: What a screen reader says.
TITLE = (
    "How often each agent makes one of the best moves and keeps the value, in percent, with a mark "
    "for random moves; the numbers are those of the table below."
)

STYLE = (
    "<style>svg{--ink:#1f2328;--paper:#fff;--network:#0969da;--learner:#bc4c00}"
    "@media(prefers-color-scheme:dark){svg{--ink:#e6edf3;--paper:#0d1117;--network:#4c9bf5;"
    "--learner:#f0883e}}text{fill:var(--ink);font-size:14px}</style>"
)

WIDTH, MARGIN, LABEL, GAP = 720, 16, 96, 32
TOP, ROW, GROUP, BAR = 40, 24, 30, 16
#: The width of each of the two columns of bars, all the way to 100 %.
FULL = (WIDTH - 2 * MARGIN - LABEL - GAP) // 2
COLOURS = {"network": "network", "Q-learner": "learner"}


class Row(NamedTuple):
    """One agent in some of the positions; shares are in percent.

    Attributes:
        where: the positions, as the table names them.
        agent: the agent.
        best: how often it makes one of the best moves.
        chance: how often random moves are; None where the table does not say.
        keeps: how often it keeps the value.
    """

    where: str
    agent: str
    best: float
    chance: float | None
    keeps: float


def rows(page: str) -> list[Row]:
    """Return the rows of the table on the page."""
    found: list[Row] = []
    for where, agent, best, keeps in re.findall(
        r"^\| ([^|]*)\| (network|Q-learner) \| ([^|]+) \| ([^|]+) \|", page, re.MULTILINE
    ):
        chance = re.search(r"random ([\d.]+) %", best)
        found.append(
            Row(
                where.strip() or found[-1].where,
                agent,
                float(best.split()[0]),
                float(chance[1]) if chance else None,
                float(keeps.split()[0]),
            )
        )
    return found


def picture(page: str) -> str:
    """Return the picture of the page's table."""
    left = MARGIN + LABEL
    right = left + FULL + GAP
    parts = [_text(left, TOP - 16, "best moves"), _text(right, TOP - 16, "keeps the value")]
    y, where = TOP, ""
    for row in rows(page):
        if row.where != where:
            where = row.where
            y += GROUP
            parts.append(_text(MARGIN, y - 8, where, "font-weight='bold'"))
        parts.append(_text(MARGIN, y + BAR - 3, row.agent))
        for x, share in ((left, row.best), (right, row.keeps)):
            colour = f"var(--{COLOURS[row.agent]})"
            length = FULL * share / 100
            parts.append(_box(x, y, FULL, "var(--ink)", "opacity='0.1'"))
            parts.append(_box(x, y, length, colour))
            parts.append(_text(x + 6, y + BAR - 3, f"{share:.1f} %", "style='fill:var(--paper)'"))
        if row.chance is not None:
            at = left + FULL * row.chance / 100
            parts.append(
                f"<path d='M{at:.1f} {y - 2}v{BAR + 4}' stroke='var(--ink)' stroke-width='2'/>"
            )
        y += ROW
    y += 14
    parts.append(f"<path d='M{left + 1} {y - 11}v14' stroke='var(--ink)' stroke-width='2'/>")
    parts.append(_text(left + 10, y, "as often as random moves"))
    height = y + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="system-ui,sans-serif">'
        f"<title>{escape(TITLE)}</title>{STYLE}"
        f"<rect width='{WIDTH}' height='{height}' fill='var(--paper)'/>{''.join(parts)}</svg>\n"
    )


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f"<text x='{x}' y='{y}' {more}>{escape(text)}</text>".replace(" >", ">")


def _box(x: float, y: float, width: float, colour: str, more: str = "") -> str:
    box = f"<rect x='{x}' y='{y}' width='{width:.1f}' height='{BAR}' rx='2' fill='{colour}' {more}"
    return f"{box.rstrip()}/>"


if __name__ == "__main__":
    PLACE.write_text(picture(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
