"""Random rule sets, compiled against interpreted: how ``test_random_rules.py`` asks for them.

    PYTHONPATH=tests python -m support.games.written.many --count 20000

Rule sets share a module, so that what is the same for all is compiled once, and modules share a
process, so that a crash is seen and takes few with it. A seed stands for the same rule set always.

Each module is an edit of the one before it: it has the same file, and the same names in it. Every
other one has a single function of each rule set edited. All share one cache of compiled code, in
which nothing may be found that was another's.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from support.games.written.grammar import CLASS, HEADER, ROW, SAMPLES, TOGETHER, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Rule sets that share a process.
_PROCESS = 6 * TOGETHER


class Module:
    """A game that is many rule sets, and where each of them stands in its file."""

    def __init__(self, seeds: list[int], folder: Path) -> None:
        """Write the rule sets of some seeds."""
        self.seeds = seeds
        written = [Rules(seed, name).functions() for name, seed in enumerate(seeds)]
        outer = "\n\n".join(outside for outside, _ in written)
        inner = "\n\n".join(inside for _, inside in written)
        hooks = [f"    def {hook}(self, p{more}):\n" for hook, more in _HOOKS.items()]
        for name in range(len(seeds)):
            for at, (hook, more) in enumerate(_HOOKS.items()):
                way = "yield from" if hook == "moves" else "return"
                hooks[at] += f"        if p.rules == {name}:\n"
                hooks[at] += f"            {way} self.{hook}_{name}(p{more})\n"
        hooks[2] += "        return p\n"
        text = "\n".join([HEADER, outer, CLASS, inner, *hooks])
        self.lines = text.splitlines()
        self.path = folder / "many.py"
        self.path.write_text(text)

    def game(self) -> Any:
        """Return the game."""
        spec = importlib.util.spec_from_file_location(self.path.stem, self.path)
        assert spec is not None
        assert spec.loader is not None
        self.module = sys.modules[self.path.stem] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)
        return self.module.Many()

    def seed_at(self, line: int) -> int:
        """Return the seed of the rule set that a line of the file belongs to."""
        for text in reversed(self.lines[:line]):
            head = text.split("(")[0].split("_")
            if text.lstrip().startswith("def ") and head[-1].isdigit():
                return self.seeds[int(head[-1])]
        raise AssertionError(line)

    def positions(self, seed: int) -> list[Any]:
        """Return some positions of a rule set."""
        rng, name = Random(-seed - 1), self.seeds.index(seed)
        return [
            self.module.Place(name, _some(rng), _some(rng), tuple(_some(rng) for _ in range(ROW)))
            for _ in range(SAMPLES)
        ]


_HOOKS = {"outcome": "", "moves": "", "play": ", move"}


def _some(rng: Random) -> int:
    return rng.choice([0, 1, rng.randint(-4, 12), rng.randint(-(1 << 20), 1 << 20)])


def compare(seeds: list[int], folder: Path) -> list[dict[str, Any]]:
    """Return what was found: for each seed how it went, and at which position."""
    from zermelo import CompileError

    found, left = [], list(seeds)
    while left:
        module = Module(left, folder)
        try:
            found += _compared(module, module.game())
        except CompileError as error:
            line = error.line
            if line is None:
                if len(left) == 1:
                    return [*found, {"seed": left[0], "said": "unplaced", "what": str(error)}]
                half = len(left) // 2
                return found + compare(left[:half], folder) + compare(left[half:], folder)
            seed = module.seed_at(line)
            what = f"{error.args[0]}: {module.lines[line - 1].strip()}"
            found.append({"seed": seed, "said": "refused", "what": what})
            left.remove(seed)
        except Exception as error:  # noqa: BLE001  # what is looked for
            if len(left) == 1:
                what = f"{type(error).__name__}: {error}"
                return [*found, {"seed": left[0], "said": "error", "what": what}]
            half = len(left) // 2
            return found + compare(left[:half], folder) + compare(left[half:], folder)
        else:
            return found
    return found


def _compared(module: Module, game: Any) -> list[dict[str, Any]]:
    from zermelo import RulesError
    from zermelo._compile.rules import compile_rules
    from zermelo._engine.expand.expander import Buffers

    compiled = compile_rules(game)
    layout, kind = compiled.rules.layout, compiled.kind
    buffers = Buffers.for_rules(compiled, 1, 400)
    compiled(np.empty(0, np.uint64), 0, 0, buffers)
    found = []
    for seed in module.seeds:
        said, what = "same", ""
        for position in module.positions(seed):
            try:
                ending = game.outcome(position)
                moves = list(game.moves(position)) if ending is None else []
                wanted: Any = [game.play(position, move) for move in moves]
                over = game.no_moves if ending is None and not moves else ending
                value = kind.unknown if over is None else kind.terminal(over)
                error: Exception | None = None
            except Exception as raised:  # noqa: BLE001  # whatever it is, both must raise
                error, wanted, value = raised, None, None
            key = np.array(layout.pack(position), np.uint64).reshape(-1)
            try:
                _, made, status = compiled(key, 0, 1, buffers)
            except RulesError as raised:
                if error is None:
                    said, what = "raises", f"{position}: {raised}"
                    break
                said = "raises alike"
                continue
            children = buffers.children[: made * compiled.words].reshape(-1, compiled.words)
            given = [layout.unpack(words) for words in children.tolist()]
            if error is not None:
                said, what = "raises not", f"{position}: {error!r}"
                break
            if status or (given, int(buffers.values[0])) != (wanted, value):
                pairs = zip(wanted, given, strict=False)
                one = next((pair for pair in pairs if pair[0] != pair[1]), (value, status, made))
                said, what = "differs", f"{position}: {one}"
                break
        found.append({"seed": seed, "said": said, "what": what})
    return found


def run(count: int, first: int = 0) -> Iterator[dict[str, Any]]:
    """Compare ``count`` rule sets in processes of their own, and yield what was found of each."""
    with tempfile.TemporaryDirectory() as folder:
        for begin in range(first, first + count, _PROCESS):
            modules = _modules(begin, min(begin + _PROCESS, first + count))
            while modules:
                found, error = _in_a_process(modules, folder)
                yield from found
                done = {each["seed"] for each in found}
                modules = [seeds for seeds in modules if not done.issuperset(seeds)]
                if error:  # in the first module of those that are missing
                    crashed = modules.pop(0) if modules else [found[-1]["seed"]]
                    yield from ({"seed": seed, "said": "crash", "what": error} for seed in crashed)


def _modules(first: int, end: int) -> list[list[int]]:
    """Return which seeds share a module, in their order."""
    found = []
    for begin in range(first - first % 2, end, 2 * TOGETHER):
        both = [*range(max(begin, first), min(begin + 2 * TOGETHER, end))]
        found += [[seed for seed in both if seed % 2 == edited] for edited in (0, 1)]
    return [seeds for seeds in found if seeds]


def _in_a_process(modules: list[list[int]], folder: str) -> tuple[list[dict[str, Any]], str]:
    """Return what was found, and what the process said before it crashed if it did."""
    line = [sys.executable, "-B", __file__, "--worker", json.dumps(modules), "--folder", folder]
    paths = [str(Path(__file__).parents[3]), *sys.path]
    given = {
        "ZERMELO_CACHE_DIR": f"{folder}/cache",
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
    }
    done = subprocess.run(line, env=os.environ | given, capture_output=True, text=True, check=False)
    found = [json.loads(each) for each in done.stdout.splitlines() if each.startswith("{")]
    return found, f"{done.returncode}: {done.stderr[-2000:]}" if done.returncode else ""


def main() -> None:
    """Compare as many as were asked for, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="rule sets to write")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--worker", type=json.loads, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        for seeds in given.worker:
            for each in compare(seeds, given.folder):
                print(json.dumps(each), flush=True)  # noqa: T201  # how it tells
        return
    said: Counter[str] = Counter()
    for each in run(given.count, given.first):
        said[each["said"]] += 1
        if not each["said"].startswith(("same", "raises alike")):
            print(json.dumps(each), flush=True)  # noqa: T201  # how it tells
        if said.total() % _PROCESS == 0:
            print(dict(said), flush=True)  # noqa: T201  # how it tells
    print(dict(said), flush=True)  # noqa: T201  # how it tells


if __name__ == "__main__":
    main()
