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

    results, seeds_left = [], list(seeds)
    while seeds_left:
        module = Module(seeds_left, folder)
        try:
            results += _compared(module, module.game())
        except CompileError as error:
            line = error.line
            if line is None:
                if len(seeds_left) == 1:
                    return [
                        *results,
                        {"seed": seeds_left[0], "said": "unplaced", "what": str(error)},
                    ]
                half = len(seeds_left) // 2
                return (
                    results
                    + compare(seeds_left[:half], folder)
                    + compare(seeds_left[half:], folder)
                )
            seed = module.seed_at(line)
            message = f"{error.args[0]}: {module.lines[line - 1].strip()}"
            results.append({"seed": seed, "said": "refused", "what": message})
            seeds_left.remove(seed)
        except Exception as error:  # noqa: BLE001  # what is looked for
            if len(seeds_left) == 1:
                message = f"{type(error).__name__}: {error}"
                return [*results, {"seed": seeds_left[0], "said": "error", "what": message}]
            half = len(seeds_left) // 2
            return results + compare(seeds_left[:half], folder) + compare(seeds_left[half:], folder)
        else:
            return results
    return results


def _compared(module: Module, game: Any) -> list[dict[str, Any]]:
    from support.compiled_rules import CompiledGame
    from zermelo import RulesError

    compiled = CompiledGame(game)
    compiled.expand([])
    results = []
    for seed in module.seeds:
        verdict, message = "same", ""
        for position in module.positions(seed):
            try:
                outcome = game.outcome(position)
                moves = list(game.moves(position)) if outcome is None else []
                expected_children: Any = [game.play(position, move) for move in moves]
                final_outcome = game.no_moves if outcome is None and not moves else outcome
                kind = compiled.kind
                value = kind.unknown if final_outcome is None else kind.terminal(final_outcome)
                error: Exception | None = None
            except Exception as raised:  # noqa: BLE001  # whatever it is, both must raise
                error, expected_children, value = raised, None, None
            try:
                (found,) = compiled.expand([position])
            except RulesError as raised:
                if error is None:
                    verdict, message = "raises", f"{position}: {raised}"
                    break
                verdict = "raises alike"
                continue
            if error is not None:
                verdict, message = "raises not", f"{position}: {error!r}"
                break
            if (found.children, found.value) != (expected_children, value):
                pairs = zip(expected_children, found.children, strict=False)
                difference = next(
                    (pair for pair in pairs if pair[0] != pair[1]), (value, found.value)
                )
                verdict, message = "differs", f"{position}: {difference}"
                break
        results.append({"seed": seed, "said": verdict, "what": message})
    return results


def run(count: int, first: int = 0) -> Iterator[dict[str, Any]]:
    """Compare ``count`` rule sets in processes of their own, and yield what was found of each."""
    with tempfile.TemporaryDirectory() as folder:
        for begin in range(first, first + count, _PROCESS):
            modules = _modules(begin, min(begin + _PROCESS, first + count))
            while modules:
                results, error = _in_a_process(modules, folder)
                yield from results
                done_seeds = {result["seed"] for result in results}
                modules = [seeds for seeds in modules if not done_seeds.issuperset(seeds)]
                if error:  # in the first module of those that are missing
                    crashed_seeds = modules.pop(0) if modules else [results[-1]["seed"]]
                    yield from (
                        {"seed": seed, "said": "crash", "what": error} for seed in crashed_seeds
                    )


def _modules(first: int, end: int) -> list[list[int]]:
    """Return which seeds share a module, in their order."""
    modules = []
    for begin in range(first - first % 2, end, 2 * TOGETHER):
        pair_seeds = [*range(max(begin, first), min(begin + 2 * TOGETHER, end))]
        modules += [[seed for seed in pair_seeds if seed % 2 == edited] for edited in (0, 1)]
    return [seeds for seeds in modules if seeds]


def _in_a_process(modules: list[list[int]], folder: str) -> tuple[list[dict[str, Any]], str]:
    """Return what was found, and what the process said before it crashed if it did."""
    line = [sys.executable, "-B", __file__, "--worker", json.dumps(modules), "--folder", folder]
    paths = [str(Path(__file__).parents[3]), *sys.path]
    environment = {
        "ZERMELO_CACHE_DIR": f"{folder}/cache",
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
    }
    process = subprocess.run(
        line, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    results = [
        json.loads(line_text)
        for line_text in process.stdout.splitlines()
        if line_text.startswith("{")
    ]
    return results, f"{process.returncode}: {process.stderr[-2000:]}" if process.returncode else ""


def main() -> None:
    """Compare as many as were asked for, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="rule sets to write")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--worker", type=json.loads, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        for seeds in arguments.worker:
            for each in compare(seeds, arguments.folder):
                print(json.dumps(each), flush=True)  # noqa: T201  # how it tells
        return
    said: Counter[str] = Counter()
    for each in run(arguments.count, arguments.first):
        said[each["said"]] += 1
        if not each["said"].startswith(("same", "raises alike")):
            print(json.dumps(each), flush=True)  # noqa: T201  # how it tells
        if said.total() % _PROCESS == 0:
            print(dict(said), flush=True)  # noqa: T201  # how it tells
    print(dict(said), flush=True)  # noqa: T201  # how it tells


if __name__ == "__main__":
    main()
