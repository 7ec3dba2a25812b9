"""Portable tables, and their readers in C and JavaScript: they answer as the solution does."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

import zermelo
from support.sizes import but
from zermelo import Game, ParameterError, TableExistsError, TableWriteError
from zermelo.cli import main
from zermelo.games import (
    CatAndMouse,
    CatAndMouseGrid,
    ChessEnding,
    ConnectFour,
    Quixo,
    StoneGame,
    TakeAway,
    TicTacToe,
)

GRAPH = ((2, 5), (3,), (0, 4, 5), (1, 4, 5), (2, 3), (0, 2, 3))

#: Reads positions, a line each, and writes what a reader says of them.
PROGRAM = """
#include "zermelo_reader.c"

static void write_number(int64_t number)
{
    if (number == ZERMELO_NONE) printf(" -");
    else printf(" %lld", (long long)number);
}

int main(int count, char **arguments)
{
    struct zermelo_table *table = zermelo_open(arguments[1]);
    struct zermelo_value value;
    int64_t position[1024];
    if (count != 2 || !table) return puts(zermelo_error), 1;
    for (;;) {
        for (int64_t n = 0; n < table->fields; n++) {
            long long number;
            if (scanf("%lld", &number) != 1) return zermelo_close(table), 0;
            position[n] = number;
        }
        int found = zermelo_probe(table, position, &value);
        printf(found == 1 ? "%d" : found ? "bad" : "none", value.outcome);
        if (found == 1) {
            write_number(value.remoteness);
            write_number(value.score);
            write_number(value.nimber);
            write_number(value.infinity);
        }
        puts("");
    }
}
"""
SCRIPT = """
import { readFileSync } from "node:fs";
import { decompress } from "fzstd";
import { Table } from "./zermelo_reader.js";

try {
  const bytes = new Uint8Array(readFileSync(process.argv[2]));
  const table = new Table(bytes, (frame) => decompress(frame));
  const lines = readFileSync(0, "utf8").split("\\n").slice(0, -1);
  const written = lines.map((line) => {
    try {
      const value = table.probe(line.split(" ").map(BigInt));
      if (!value) return "none";
      const { outcome, remoteness, score, nimber, infinity } = value;
      const bits = infinity && infinity.reduce((all, n) => all + 2 ** n, 0);
      const numbers = [remoteness, score, nimber, bits].map((n) => (n === null ? "-" : n));
      return [{ win: 1, draw: 0, loss: -1 }[outcome], ...numbers].join(" ");
    } catch (error) {
      if (!/out of range/.test(error.message)) throw error;
      return "bad";
    }
  });
  console.log(written.join("\\n"));
} catch (error) {
  console.log(error.message);
  process.exit(1);
}
"""
#: Does what fzstd does, where npm cannot fetch that: the reader takes any function that unpacks.
UNPACK = """
import { spawnSync } from "node:child_process";

const program = `
import sys, zstandard
sys.stdout.buffer.write(zstandard.ZstdDecompressor().decompressobj().decompress(sys.stdin.buffer.read()))
`;
export function decompress(frame) {
  const done = spawnSync(process.env.PYTHON, ["-c", program], { input: frame, maxBuffer: 2 ** 30 });
  if (done.status !== 0) throw new Error("a damaged frame");
  return new Uint8Array(done.stdout);
}
"""


class Wide(NamedTuple):
    """Numbers that take several words, with more bits that vary than one has."""

    left: int
    mixed: int
    below: int


@dataclass(frozen=True)
class Scattered(Game):
    """A countdown that remembers how it came about, so that positions are far apart."""

    top: int = 17

    def start(self) -> Wide:
        """All is left."""
        return Wide(self.top, 1, 0)

    def moves(self, p: Wide):
        """Yield how many to take."""
        for take in range(1, min(2, p.left) + 1):
            yield take

    def play(self, p: Wide, take: int) -> Wide:
        """Mix what was taken into the rest."""
        mixed = ((p.mixed << 5) ^ (p.mixed >> 7) ^ take) & ((1 << 57) - 1)
        return Wide(p.left - take, mixed, -mixed if take == 1 else p.below >> 1)


def cases():
    """Yield solutions of every kind of value, solved by every kind of index."""
    yield "listed", zermelo.solve(TicTacToe())
    yield "tiers", zermelo.solve(ConnectFour(4, 4))
    yield "folded slots", zermelo.solve(ChessEnding("KQK"))
    yield "folded", zermelo.solve(Quixo(3))
    yield "pursuit", zermelo.solve(CatAndMouse(GRAPH))
    yield "endless win", zermelo.solve(CatAndMouseGrid())
    yield "scores", zermelo.solve(StoneGame([5, 3, 4, 5, 1, 9, 2, 6]))
    yield "scores with plies", zermelo.solve(StoneGame([5, 3, 4, 5]), value="score-and-plies")
    large = StoneGame([(1 << 52) - 2, 3, 4, 1 << 52])
    yield "large scores", zermelo.solve(large)
    far = StoneGame([7_999_999_999, 3, 4, 8, 2, 1])
    yield "large scores with plies", zermelo.solve(far, value="score-and-plies")
    yield "outcomes", zermelo.solve(TakeAway(300, 3), value="outcome")
    yield "nimbers", zermelo.solve(TakeAway(300, 3), value="nimber")
    yield "several words", zermelo.solve(Scattered())


def numbers_of(solution, position):
    """Return the numbers of a position in the order of a table's fields."""
    return solution._solved.compiled.rules.layout.flatten(position)


def questions(solution, count):
    """Return positions, equivalent ones, and some that may not be there; each as its numbers."""
    rules = solution._solved.compiled.rules
    layout, elements = rules.layout, solution._solved.compiled.elements
    there = [layout.flatten(position) for position in solution]
    rng = random.Random(18)
    asked = []
    for n in range(count):
        flat = rng.choice(there)
        if elements:
            flat = rng.choice(elements).image_of(flat)
        if n % 5 == 0:
            slot = rng.randrange(len(flat))
            other = rng.choice(there)[slot]
            flat = [*flat[:slot], other + rng.randrange(-1, 2), *flat[slot + 1 :]]
        asked.append(flat)
    return asked


def expected(solution, flat):
    """Return what a reader is to write of a position."""
    layout = solution._solved.compiled.rules.layout
    for slot, number in zip(layout.slots, flat, strict=True):
        if slot.bits < 64 and not slot.low <= number <= slot.high:
            return "bad"
    value = solution.get(layout.build(flat))
    if value is None:
        return "none"
    infinity = None if value.infinity is None else sum(1 << n for n in value.infinity)
    said = (value.remoteness, value.score, value.nimber, infinity)
    return " ".join([str(int(value.outcome)), *("-" if n is None else str(n) for n in said)])


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """Return how to run the reader in each language on a table, where its tools are installed."""
    folder = tmp_path_factory.mktemp("readers")
    zermelo.write_readers(folder)
    (folder / "program.c").write_text(PROGRAM)
    (folder / "script.js").write_text(SCRIPT.replace("\\\\n", "\\n"))
    (folder / "package.json").write_text('{"type": "module"}')
    found = {}
    if shutil.which("gcc"):
        how = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "program.c", "-lzstd"]
        checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover"]
        built = subprocess.run(
            ["gcc", *checks, *how, "-o", "program"],
            cwd=folder,
            capture_output=True,
            check=False,
            text=True,
        )
        if "zstd.h" not in built.stderr:
            assert built.returncode == 0, built.stderr
            found["c"] = [str(folder / "program")]
    if shutil.which("node"):
        npm = shutil.which("npm") or "false"
        install = [npm, "install", "--silent", "fzstd"]
        if subprocess.run(install, cwd=folder, capture_output=True, check=False).returncode:
            stand_in(folder / "node_modules" / "fzstd")
        found["js"] = ["node", str(folder / "script.js")]
    return found


def stand_in(folder):
    """Write a module that is imported as fzstd is."""
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"type": "module", "main": "index.js"}')
    (folder / "index.js").write_text(
        UNPACK.replace("process.env.PYTHON", json.dumps(sys.executable))
    )


def command_of(commands, language):
    """Return how to run a reader; skip the test, and say so, where its tools are missing.

    Where ``READERS_MUST_RUN`` is set, as ``.ci/run`` does, the test fails instead.
    """
    if language not in commands:
        needed = {"c": "gcc and libzstd-dev", "js": "node"}
        missing = pytest.fail if os.environ.get("READERS_MUST_RUN") else pytest.skip
        missing(f"needs {needed[language]}")
    return commands[language]


def run(command, path, text=""):
    """Run a reader on a table and return what became of it."""
    return subprocess.run(
        [*command, str(path)], input=text, capture_output=True, check=False, text=True
    )


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Solve and save each of the cases once, and draw what is asked of it."""
    folder = tmp_path_factory.mktemp("tables")
    found = []
    for n, (name, solution) in enumerate(cases()):
        path = solution.save(folder / f"{n}.table", portable=True)
        asked = questions(solution, 10_000)
        found.append((name, path, asked, [expected(solution, flat) for flat in asked]))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "js"])
def test_readers_answer_as_the_solution_does(commands, saved, language):
    """Of 130,000 positions, some equivalent to those in the table and some not there."""
    command = command_of(commands, language)
    for name, path, asked, wanted in saved:
        text = "".join(" ".join(map(str, flat)) + "\n" for flat in asked)
        done = run(command, path, text)
        assert done.returncode == 0, (name, done.stdout[:300], done.stderr[:1000])
        answers = done.stdout.splitlines()
        wrong = [row for row in zip(asked, answers, wanted, strict=True) if row[1] != row[2]]
        assert wrong == [], name
        assert {"none", "bad"} & set(answers) or name in ("nimbers", "outcomes")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "js"])
def test_readers_notice_damage(commands, saved, tmp_path, language):
    """A flipped bit anywhere is told, or is where nothing was asked for."""
    command = command_of(commands, language)
    _, path, asked, wanted = saved[0]
    text = "".join(" ".join(map(str, flat)) + "\n" for flat in asked[:300])
    data = path.read_bytes()
    rng = random.Random(5)
    told = 0
    for at in [0, 15, 25, 40, 61, len(data) - 1, *rng.sample(range(len(data)), 30)]:
        damaged = bytearray(data)
        damaged[at] ^= 1 << rng.randrange(8)
        (tmp_path / "damaged.table").write_bytes(damaged)
        done = run(command, tmp_path / "damaged.table", text)
        assert "runtime error" not in done.stderr
        if done.returncode:
            assert "table" in done.stdout or "damaged" in done.stdout
            told += 1
        else:
            assert done.stdout.splitlines() == wanted[:300]
    assert told > 25
    (tmp_path / "half.table").write_bytes(data[: len(data) // 2])
    for wrong in (tmp_path / "half.table", Path(__file__)):
        done = run(command, wrong)
        assert done.returncode == 1
        assert done.stdout.strip()
    zermelo.solve(ConnectFour(3, 3)).save(tmp_path / "tiers.table")
    done = run(command, tmp_path / "tiers.table")
    assert done.returncode == 1
    assert "write it with" in done.stdout or "use zermelo export --portable" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "js"])
def test_the_programs_of_the_page_run(commands, tmp_path, language):
    """As they stand there, in a folder with the table and the readers."""
    command = command_of(commands, language)
    text = (Path(__file__).parents[3] / "docs" / "how-to" / "carry-a-table.md").read_text()
    zermelo.write_readers(tmp_path)
    zermelo.solve(TicTacToe()).save(tmp_path / "tic-tac-toe.table", portable=True)
    if language == "c":
        program = text.partition("```c\n")[2].partition("```")[0]
        (tmp_path / "program.c").write_text(program)
        how = ["gcc", "-O2", "program.c", "-lzstd", "-o", "program"]
        subprocess.run(how, cwd=tmp_path, check=True)
        shown = subprocess.check_output(["./program"], cwd=tmp_path, text=True)
        assert shown == "outcome 0, remoteness 9\n"
        return
    program = text.partition("```javascript\n")[2].partition("```")[0]
    (tmp_path / "program.js").write_text(program)
    for name in ("node_modules", "package.json"):
        (tmp_path / name).symlink_to(Path(command[1]).parent / name)
    shown = subprocess.check_output(["node", "program.js"], cwd=tmp_path, text=True)
    assert "TicTacToe { mine: 0, theirs: 0 }" in shown
    assert "in the middle: a draw after 8 plies" in shown


@pytest.mark.parametrize(
    "game", but([TicTacToe(), ConnectFour(3, 3), CatAndMouse(GRAPH), Quixo(3)], Quixo(3))
)
def test_a_portable_table_is_a_table(game, tmp_path):
    """It opens, holds the same and passes the certificate; a copy of it is portable as well."""
    solution = zermelo.solve(game)
    opened = zermelo.open(solution.save(tmp_path / "portable.table", portable=True))
    assert dict(opened.items()) == dict(solution.items())
    assert opened.counts() == solution.counts()
    assert opened.verify()
    path = opened.save(tmp_path / "copy.table")
    assert path.read_bytes() == (tmp_path / "portable.table").read_bytes()


def test_a_table_of_another_layout_becomes_portable(tmp_path):
    """It need not be solved again."""
    solution = zermelo.solve(ConnectFour(3, 3))
    plain = zermelo.open(solution.save(tmp_path / "plain.table"))
    portable = plain.save(tmp_path / "portable.table", portable=True)
    solution.save(tmp_path / "same.table", portable=True)
    assert portable.read_bytes() == (tmp_path / "same.table").read_bytes()
    header = zermelo.describe_table(portable)
    assert header["table"]["kind"] == "listed"


class OwnForm(TakeAway):
    """A game with a canonical form of its own."""

    def canonical(self, left):
        """Every position is its own."""
        return left


def test_what_cannot_be_portable_is_refused(tmp_path):
    """In a sentence that says what to do."""
    solution = zermelo.solve(OwnForm(5))
    with pytest.raises(ParameterError, match=r"canonical.* of its own.*symmetry=False"):
        solution.save(tmp_path / "x.table", portable=True)
    assert zermelo.solve(OwnForm(5), symmetry=False).save(tmp_path / "x.table", portable=True)
    graph = zermelo.graph.solve([0, 1, 1], [1])
    with pytest.raises(ParameterError, match=r"not a game.*export"):
        graph.save(tmp_path / "y.table", portable=True)
    assert not (tmp_path / "y.table").exists()


def test_readers_are_written(tmp_path):
    """Two files, of at most 220 lines each, which nothing replaces by accident."""
    paths = zermelo.write_readers(tmp_path / "new")
    assert [path.name for path in paths] == ["zermelo_reader.c", "zermelo_reader.js"]
    for path in paths:
        assert len(path.read_text().splitlines()) <= 220
        assert "zermelo export GAME --portable FILE" in path.read_text()
    with pytest.raises(TableExistsError, match=r"already exists.*overwrite=True"):
        zermelo.write_readers(tmp_path / "new")
    assert zermelo.write_readers(tmp_path / "new", overwrite=True) == paths
    with pytest.raises(TableWriteError, match="cannot write to"):
        zermelo.write_readers(paths[0] / "below")


def test_the_commands_write_them(tmp_path, monkeypatch):
    """``zermelo readers`` and ``zermelo export --portable``."""
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    done = runner.invoke(main, ["readers", "--json"])
    assert json.loads(done.output)["files"] == ["zermelo_reader.c", "zermelo_reader.js"]
    refused = runner.invoke(main, ["readers"])
    assert refused.exit_code == 2
    assert "use --force to replace it" in refused.output
    asked = ["export", "take-away", "--stones", "20", "--portable", "heap.table", "--json"]
    document = json.loads(runner.invoke(main, asked).stdout)
    assert document["format"] == "portable"
    assert document["bytes"] == Path("heap.table").stat().st_size
    assert zermelo.open("heap.table").verify()
