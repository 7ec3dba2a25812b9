"""Positions that fall apart into components: only these are solved, and any sum is answered."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import zermelo
from facts import rows
from support.games.component_games import (
    Cram,
    CutKayles,
    InvalidComponent,
    Kayles,
    WholeKayles,
    random_tokens,
)
from support.oracles.nimbers import as_oracle, nimbers_of
from support.sizes import counts, some
from zermelo import ParameterError, PositionError, RulesError, limits
from zermelo.cli import main
from zermelo.play.match import Match

#: Cells of the largest board of Cram that is solved here.
SMALL = 20


@pytest.mark.slow
def test_only_rows_without_gaps_are_solved(tmp_path: Path) -> None:
    """Thirteen of them stand for 4,096 positions, each of which has its value, also from a file."""
    split = zermelo.solve(Kayles(12), value="nimber")
    whole = zermelo.solve(WholeKayles(12), value="nimber")
    assert (len(split), len(whole)) == (13, 4096)
    assert split.choice.startswith("components alone, as split() gives them: ")
    with zermelo.open(split.save(tmp_path / "x.table"), Kayles) as opened:
        for each in (split, opened):
            assert (each.start, each.value, each.winner) == (4095, whole.value, "first")
            assert all(each[row] == value for row, value in whole.items())
            found, expected = each.probe_many(list(whole)), whole.probe_many(list(whole))
            assert (found.nimber == expected.nimber).all()
            assert {o.move: o.value for o in each.options(0b1110110)} == {
                o.move: o.value for o in whole.options(0b1110110)
            }
            assert each.line().ends == "terminal"
            assert each.verify()
            assert "13 components" in repr(each)
    match = Match(split)
    assert match.play(split.best()[0]).lost is None
    assert match.play(match.options[0]).lost is None
    header, *lines = split.export(tmp_path / "x.csv").read_text().splitlines()
    assert header.split(",")[:4] == ["position", "outcome", "nimber", "infinity"]
    assert len(lines) == 13
    moves = {line.split(",")[0]: line.split(",")[4] for line in lines}
    assert all(
        not moves[n] or split[int(n) & ~int(moves[n])].nimber == 0 for n in moves if moves[n]
    )


def test_a_row_of_sixty_pins_has_the_nimbers_that_are_known() -> None:
    """Guy and Smith 1956: they repeat after twelve from 72 on; these are the first sixty."""
    known = [
        *(0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7),
        *(4, 1, 2, 8, 5, 4, 7, 2, 1, 8, 6, 7, 4, 1, 2, 3, 1, 4, 7, 2, 1, 8, 2, 7),
        *(4, 1, 2, 8, 1, 4, 7, 2, 1, 4, 2, 7, 4),
    ]
    solution = zermelo.solve(Kayles(60), value="nimber")
    assert [solution[(1 << n) - 1].nimber for n in range(61)] == known
    assert solution[0b111_01_0111111].nimber == 3 ^ 1 ^ 3


@pytest.mark.parametrize(
    "row",
    some([row for row in rows("cram_nimbers") if int(row["rows"]) * int(row["cols"]) <= SMALL], 3),
    ids=lambda row: f"{row['rows']}x{row['cols']}",
)
def test_boards_of_cram_have_the_nimbers_that_are_published(row: dict[str, str]) -> None:
    """Boards of up to twenty cells, by their connected regions."""
    solution = zermelo.solve(Cram(int(row["rows"]), int(row["cols"])), value="nimber")
    assert solution.value.nimber == int(row["nimber"])


@counts(12, None, 1_000)
def test_sums_are_what_they_mean(count: int) -> None:
    """Of random games, with cycles and without; forged values of components are caught."""
    random = Random(1)
    for _ in range(count):
        game = random_tokens(random)
        solution: Any = zermelo.solve(game, value="nimber", threads=1)
        for position, expected in nimbers_of(game).items():
            assert as_oracle(solution[position]) == expected, (game, position)
            if solution[position].outcome != zermelo.DRAW:
                assert solution.line(position).ends == "terminal", (game, position)
        assert solution.verify(), game
        stored = solution._solved.table.column.stored
        for at in range(len(stored)):
            right = stored[at]
            stored[at] = random.choice([n for n in (0, 1, 2, -1, -2, -3, -4) if n != right])
            assert not solution.verify(), (game, at, stored[at])
            stored[at] = right


@pytest.mark.slow
def test_components_do_not_depend_on_stored_moves() -> None:
    """One pass from few pins to many is enough, as moves take pins."""
    stored = zermelo.solve(Kayles(12), value="nimber")
    with limits.using(in_memory=False, plain_seconds=0):
        found = zermelo.solve(Kayles(12), value="nimber")
    assert "nimbers in 1 pass, running the rules again" in found.choice
    assert dict(found.items()) == dict(stored.items())
    assert found.verify()


@pytest.mark.slow
def test_a_wrong_split_is_refused() -> None:
    """When the game is solved, and by check; a wrong position with the hook that made it."""
    with pytest.raises(RulesError, match=r"gives \[3, 12\], together worth nimber 0, but the mov"):
        zermelo.solve(CutKayles(4), value="nimber")
    assert (
        zermelo.solve(CutKayles(4)).value == zermelo.solve(WholeKayles(4)).value
    )  # it is not asked there
    report = zermelo.check(CutKayles(4))
    assert not report
    assert "put what one move can change or prevent into one component" in str(report)
    assert zermelo.check(Kayles(6))
    with pytest.raises(RulesError, match=r"InvalidComponent\.split\(15\) gives \[1\d+\]: .* widen"):
        zermelo.solve(InvalidComponent(4), value="nimber")


@pytest.mark.slow
def test_what_is_not_there_is_refused() -> None:
    """A component that the start does not lead to, no position at all, and an analysis."""
    solution = zermelo.solve(Kayles(4), value="nimber")
    with pytest.raises(PositionError, match="has the component 31, which does not arise"):
        solution[31]
    assert solution.get(31) is None
    assert 31 not in solution
    with pytest.raises(PositionError, match="not a position of Kayles"):
        solution["x"]
    assert solution.get_many([3, 31]).found.tolist() == [True, False]
    with pytest.raises(ParameterError, match="solve it without value='nimber'"):
        solution.analyse()


def test_commands_take_components(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They solve, probe, verify and play as with any other game."""
    monkeypatch.chdir(tmp_path)
    game = f"{Path(__file__)}:Kayles"

    def run(*words: str) -> str:
        result = CliRunner().invoke(main, list(words), prog_name="zermelo")
        assert (result.exit_code, result.stderr) == (0, ""), result.stderr
        return result.stdout

    made = ("solve", game, "--pins", "9", "--value", "nimber", "--table", "x.table", "--json")
    document = json.loads(run(*made))
    assert (document["value"]["nimber"], document["positions"]) == (4, 10)
    where = ("x.table", "--game", game)
    assert run("probe", *where, "119").startswith("119\n\nnimber 0 for the player to move\n")
    assert run("verify", *where).startswith("the certificate holds: 10 positions")
