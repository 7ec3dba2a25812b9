"""The zoo as a table: ``python -m benchmarks zoo`` solves every game and prints the page.

Each game is solved with the parameters of the largest of its facts, in a process of its own: once
to compile its rules, and once more, of which the CPU seconds are told.
"""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

from zermelo.cli.text.facts import options_text
from zermelo.game.facts import largest
from zermelo.games import zoo

HEAD = """# The zoo in one table

Each game is solved with the parameters of the largest of its facts that the tests solve, or
else with its defaults. *Value* is that of the start, for the player to move. *Positions* are
all that can be reached. *CPU seconds* are those of a solve whose rules were compiled before; a
first solve takes one to five more. *Source* is whoever published the fact; the page of the game
has more.

`python -m benchmarks zoo` made this page, on {machine}.

| game | parameters | value | positions | CPU seconds | source |
|---|---|---|---|---|---|"""

#: No game of the table may take longer.
SECONDS = 600


def solved(name: str) -> str:
    """Solve a game twice, and return its line of the table."""
    import zermelo

    kind: Any = zoo()[name]
    fact = largest(kind.facts)
    game = kind(**fact.parameters) if fact else kind()
    # A fact that tells a nimber alone may be about a game too large to be solved as a whole.
    value = "nimber" if fact and fact.nimber is not None and fact.positions is None else None
    zermelo.solve(game, value=value)
    before = time.process_time()
    solution = zermelo.solve(game, value=value)
    seconds = time.process_time() - before
    page = f"{kind.__module__.split('.')[-2]}/{name}.md"
    options = f"`{options_text(fact)}`" if fact and options_text(fact) else ""
    cells = (f"[{name}]({page})", options, str(solution.value), f"{solution.counts().positions:,}")
    source = fact.source.replace("|", "\\|") if fact else "too large to solve; see its page"
    return f"| {' | '.join(cells)} | {seconds:.2g} | {source} |"


def page(machine: str) -> int:
    """Print the page; return 1 if a game could not be solved."""
    print(HEAD.format(machine=machine), flush=True)
    failed = 0
    for name in zoo():
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.zoo", name],
            stdout=subprocess.PIPE,
            timeout=SECONDS,
            encoding="utf-8",
            check=False,
        )
        failed |= done.returncode
        print(done.stdout, end="", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    print(solved(sys.argv[1]))
