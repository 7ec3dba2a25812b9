"""A solved pursuit: what it answers, what its certificate says, its file, and the commands."""

from __future__ import annotations

import csv
import json

import networkx as nx
import numpy as np
import pytest

import zermelo
import zermelo.graph
from support.faults.tampered_tables import forged
from zermelo import CorruptTableError, ParameterError, PositionError, limits
from zermelo.games import CatAndMouse
from zermelo.pursuits import PursuitPosition

PATH = [[1], [0, 2], [1, 3], [2]]
ONE_WAY = [[v + 1] if v < 8 else [] for v in range(9)]


@pytest.fixture(scope="module")
def chases():
    """A chase of one, of two together and of three in turn, with nodes of all kinds."""
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(3, 3))
    return [
        zermelo.pursuit(PATH, safe=[0], forbidden=[0], threads=1),
        zermelo.pursuit(grid, pursuers=[grid, ONE_WAY], safe=[4], stuck="lose", threads=1),
        zermelo.pursuit(PATH, pursuers=3, together=False, may_stay="pursuers", threads=1),
    ]


@pytest.fixture
def tables(chases, tmp_path):
    """The chases with their files."""
    return [(chase, chase.save(tmp_path / f"{i}.table")) for i, chase in enumerate(chases)]


def told(options):
    """Return moves and what they are worth, in words."""
    return [(option.move, str(option.value)) for option in options]


def test_options_are_nodes_or_of_several_together_tuples_of_nodes():
    """Best first, each node once, staying last, with the position that follows."""
    chase = zermelo.pursuit(PATH, may_stay=True)
    assert told(chase.options((1, (3,)))) == [(0, "loss in 6"), (1, "loss in 6"), (2, "loss in 2")]
    twice = zermelo.pursuit([[1, 1, 0], [0, 0]], may_stay=True)
    assert told(twice.options((0, (1,)))) == [(0, "loss in 2"), (1, "loss in 1")]
    team = zermelo.pursuit(PATH, pursuers=2).options((0, (2, 3), 1))
    assert (team[0].move, team[0].name) == ((1, 2), "1, 2")
    assert team[0].position == PursuitPosition(0, (1, 2), 0)
    in_turn = zermelo.pursuit(PATH, pursuers=2, together=False)
    assert told(in_turn.options((0, (2, 3), 2))) == [(2, "win in 3")]
    assert in_turn.options((0, (2, 3), 1))[0].position == PursuitPosition(0, (1, 3), 2)


def test_where_it_is_over_there_are_no_options(chases):
    """On a capture, on a safe node, and where who moves is stuck and that loses."""
    assert chases[0].options((2, (2,))) == chases[0].options((0, (3,), 1)) == []
    assert chases[1].options((0, (1, 8), 1)) == []
    assert chases[1][0, (1, 8), 1] == zermelo.Value(zermelo.LOSS, 0)


def test_lines_go_to_the_end_or_say_that_they_go_round():
    """The first of the best moves each time, cut where that is asked for."""
    chase = zermelo.pursuit(PATH, pursuers=2, together=False)
    line = chase.line((0, (2, 3), 1))
    assert (line.moves, line.ends) == ([1, 2, 1], "terminal")
    assert len(line) == chase[0, (2, 3), 1].remoteness
    assert line.positions[-1] == PursuitPosition(1, (1, 2), 1)
    ring = zermelo.pursuit(nx.cycle_graph(5))
    assert ring.line((0, (2,))).ends == "repeats"
    assert (len(ring.line((0, (2,)), longest=3)), ring.line((0, (2,)), longest=3).ends) == (
        3,
        "cut",
    )


def test_a_position_may_be_given_whole(chases):
    """As an option has it, as a tuple, JSON or printed; one that is none has its message."""
    chase = chases[2]
    position = PursuitPosition(0, (1, 2, 3), 2)
    value = chase[0, (1, 2, 3), 2]
    assert chase[position] == chase[0, (1, 2, 3), 2] == chase[position] == value
    assert chase.winner_at(position) == "pursuers"
    assert chase.options(position) == chase.options((0, (1, 2, 3), 2))
    assert chase.line(position).start == position
    text = json.dumps(position._asdict())
    assert chase.parse("[0, [1, 2, 3], 2]") == chase.parse(text) == position
    assert chase.parse("[0, [1, 2, 3]]").turn == 0
    assert chase.parse(repr(position)) == chase.parse(repr(tuple(position))) == position
    assert all(
        chase.parse(chase.rules.position_text(p)) == p
        for p in (position, chase.parse("[0,[1,2,3]]"))
    )
    assert (position in chase, chase.get((9, (1, 2, 3), 2))) == (True, None)
    for text, why in (
        (
            "cat",
            "'cat' is not a position of a pursuit; give (evader, (pursuer, pursuer, pursuer), ",
        ),
        ("[1]", "(1,) is not a position of a pursuit"),
        ("[0, [1, 2, 3], 4]", "position (0, 1, 2, 3) has turn 4; use 0 to 3"),
        ("[0, [1, 2], 0]", "position (0, 1, 2) has 2 pursuers; name 3"),
        ('{"evader": 0}', "[0, None, 0] is not a position of a pursuit"),
    ):
        with pytest.raises(PositionError) as caught:
            chase.parse(text)
        assert str(caught.value).startswith(why) or text == "[1]"


def test_counts_are_of_the_positions_that_exist(chases):
    """A forbidden node has no pursuer on it, and a value is for whose turn it is."""
    for chase in chases:
        free = int((~chase.arrays.forbidden).sum())
        assert len(chase) == chase.arrays.turns * chase.arrays.nodes * free**chase.arrays.pursuers
        counts, wins = chase.counts(), 0
        for turn in range(chase.arrays.turns):
            wins += int((chase.arrays.winner(turn) == min(turn, 1)).sum())
        assert (counts.positions, counts.win) == (len(chase), wins)
        assert counts.tie == 0


@pytest.mark.parametrize(
    ("turn", "evader", "pursuer", "mark", "said"),
    [
        (
            0,
            2,
            3,
            5,
            "win in 4, but its successors make it win in 3 (1 leads to loss in 2, 3 leads",
        ),
        (1, 2, 3, -9, "loss in 8, but its successors make it win in 1 (2 leads to loss in 0)"),
        (1, 3, 3, 2, "win in 1, but the rules make it win in 0"),
    ],
)
def test_the_first_wrong_position_is_told_in_words(turn, evader, pursuer, mark, said):
    """With what follows for it, and why; a table that is right has nothing to tell."""
    chase = zermelo.pursuit(PATH, safe=[0], forbidden=[0])
    right = chase.verify()
    assert (right.problem, right.position, right.positions) == (None, None, len(chase))
    marks = chase._solved.table.column.marks[turn].reshape(4, 4)
    marks[(evader, pursuer) if turn == 0 else (pursuer, evader)] = mark
    verdict = chase.verify()
    assert verdict.position == PursuitPosition(evader, (pursuer,), turn)
    assert verdict.problem.startswith(f"{verdict.position} is stored as {said}")


@pytest.mark.slow
def test_a_number_that_is_no_value_is_told():
    """There is no position to blame then; no solver writes such a number."""
    chase = zermelo.pursuit(PATH)
    wide = [chase._solved.table.column.marks[turn].astype(np.int32) for turn in range(2)]
    wide[0][1, 2] = (1 << 31) - 1
    chase._solved.table.column.marks = tuple(wide)
    assert chase.verify().problem == "some of its numbers are not values"


@pytest.mark.slow
def test_the_certificate_keeps_to_the_memory_of_the_solve():
    """It takes fewer columns, then fewer threads, and then it is refused."""
    graph = nx.random_regular_graph(3, 40, seed=1)
    chase = zermelo.pursuit(graph, pursuers=2, memory="350kB", threads=3)
    assert "on disk" in chase.choice
    assert chase.verify()
    assert chase.verify(memory="2MB").moves == chase.verify().moves
    refused = "verifying 128,000 positions needs at least 172 kB"
    with pytest.raises(zermelo.BudgetError, match=refused):
        chase.verify(memory="100kB")


@pytest.mark.slow
def test_graphs_that_are_kept_count_as_taken():
    """Unless they are the caller's own arrays, which are looked at where they are."""
    indptr, indices = np.array([0, 1, 3, 5, 6]), np.array([1, 0, 2, 1, 3, 2], np.int32)
    for array in (indptr, indices):
        array.flags.writeable = False
    own, kept = zermelo.pursuit((indptr, indices), pursuers=2), zermelo.pursuit(PATH, pursuers=2)
    assert kept.peak_bytes - own.peak_bytes == indptr.nbytes + indices.nbytes
    assert own.verify()
    assert own.options((0, (2, 3), 1)) == kept.options((0, (2, 3), 1))


def test_where_nothing_may_be_there_is_nothing_to_verify():
    """No position, no move, no value."""
    nobody = zermelo.pursuit(PATH, forbidden=range(4))
    assert (len(nobody), nobody.counts().positions) == (0, 0)
    verdict = nobody.verify()
    assert (verdict.ok, verdict.positions, verdict.moves) == (True, 0, 0)


def test_an_export_has_each_position_with_its_value_and_the_best_move(
    chases, tmp_path, monkeypatch
):
    """In rows of few at a time as in one; a pursuit from a file gives the same."""
    for chase in chases:
        path = chase.export(tmp_path / "rows.csv", overwrite=True)
        with path.open() as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == len(chase)
        for row in rows:
            team = tuple(int(row[f"pursuers[{i}]"]) for i in range(chase.arrays.pursuers))
            position = PursuitPosition(int(row["evader"]), team, int(row["turn"]))
            value, options = chase[position], chase.options(position)
            remoteness = "" if value.remoteness is None else str(value.remoteness)
            assert (row["outcome"], row["remoteness"]) == (str(value.outcome), remoteness)
            after = [row["next_evader"], *(row[f"next_pursuers[{i}]"] for i in range(len(team)))]
            best = options[0].position if options else None
            expected = map(str, (best.evader, *best.pursuers)) if best else [""] * len(after)
            assert after == list(expected)
        saved = chase.save(tmp_path / "rows.table", overwrite=True)
        with limits.using(at_once=50), zermelo.open(saved) as opened:
            again = opened.export(tmp_path / "again.csv", overwrite=True)
        assert again.read_bytes() == path.read_bytes()
    with np.load(chases[0].export(tmp_path / "rows.npz", best_moves=False)) as archive:
        assert archive["pursuers"].shape == (24, 1)
        assert "next_evader" not in archive
    with pytest.raises(zermelo.BudgetError, match="exporting 1,024 positions needs"):
        chases[2].export(tmp_path / "none.csv", memory="20kB")


# -- files ----------------------------------------------------------------------------------------


def test_a_file_answers_as_what_was_saved(tables):
    """Every value, option and count; it says what it holds; and its certificate holds."""
    for chase, path in tables:
        with zermelo.open(path) as opened:
            assert repr(opened) == repr(chase)
            last = PursuitPosition(3, (2,) * chase.arrays.pursuers, 1)
            assert (opened[last], opened.options(last)) == (chase[last], chase.options(last))
            assert opened.line(last) == chase.line(last)
            for turn in range(chase.arrays.turns):
                assert np.array_equal(opened.arrays.remoteness(turn), chase.arrays.remoteness(turn))
                assert np.array_equal(opened.arrays.winner(turn), chase.arrays.winner(turn))
            assert opened.counts() == chase.counts()
            ours, theirs = chase.verify(), opened.verify()
            assert (theirs.ok, theirs.positions, theirs.moves) == (True, ours.positions, ours.moves)
        said = zermelo.describe_table(path)
        assert (
            said["holds"] == f"a pursuit of {chase.arrays.pursuers} on {chase.arrays.nodes} nodes"
        )
        assert sum(said["counts"].values()) == said["table"]["positions"] == len(chase)


def test_a_file_of_a_file_is_the_same(tables, tmp_path):
    """Saving what was opened writes the same bytes, but never over a file unless told to."""
    for chase, path in tables:
        with zermelo.open(path, threads=2) as opened:
            again = opened.save(tmp_path / "again.table", overwrite=True)
            assert again.read_bytes() == path.read_bytes()
        with pytest.raises(zermelo.TableExistsError):
            chase.save(path)


@pytest.mark.slow
def test_long_chases_have_wider_numbers(tmp_path):
    """Of two bytes where one does not do; verified alike."""
    path = [[max(0, v - 1), min(139, v + 1)] for v in range(140)]
    chase = zermelo.pursuit(path)
    with zermelo.open(chase.save(tmp_path / "long.table")) as opened:
        assert opened.arrays.rounds == chase.arrays.rounds > 130
        assert np.array_equal(opened.arrays.remoteness(1), chase.arrays.remoteness(1))
        assert opened[0, (139,)] == chase[0, (139,)]
        assert opened.verify()


def test_a_wrong_value_in_a_file_is_told_from_damage(tmp_path):
    """One is the certificate's to find, the other the checksums'; others are not read."""
    grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(5, 7))
    chase = zermelo.pursuit(grid, pursuers=2)
    before = chase.save(tmp_path / "right.table")
    chase._solved.table.column.marks[1][5, 9] += 2
    path = chase.save(tmp_path / "wrong.table")
    with zermelo.open(path) as opened:
        verdict = opened.verify()
        assert not verdict
        assert verdict.problem == chase.verify().problem
    data = bytearray(before.read_bytes())
    data[zermelo.describe_table(before)["directory"]["at"] - 9] ^= 4  # in the last block
    before.write_bytes(data)
    with zermelo.open(before) as opened:
        assert opened[0, (3, 4)] == zermelo.pursuit(grid, pursuers=2)[0, (3, 4)]
        with pytest.raises(CorruptTableError, match="is damaged"):
            opened[34, (34, 34), 1]
        with pytest.raises(CorruptTableError, match="is damaged"):
            opened.verify()


def test_what_has_been_read_is_compared_again(tables):
    """So that the verdict is of the file as it is."""
    chase, path = tables[1]
    with zermelo.open(path) as opened:
        assert opened.counts() == chase.counts()
        with path.open("r+b") as file:
            file.seek(zermelo.describe_table(path)["directory"]["at"] - 9)
            byte = file.read(1)[0]
            file.seek(-1, 1)
            file.write(bytes([byte ^ 1]))
        with pytest.raises(CorruptTableError):
            opened.verify()


def test_a_flipped_bit_anywhere_is_noticed(tables):
    """When the file is opened, or when it is verified."""
    _, path = tables[0]
    data = path.read_bytes()
    for at in range(3, len(data), 29):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :])
        with pytest.raises(CorruptTableError), zermelo.open(path) as opened:
            opened.verify()
    path.write_bytes(data[:-1])
    with pytest.raises(CorruptTableError):
        zermelo.open(path)


@pytest.mark.parametrize(
    "wrong",
    [
        {"nodes": 5},
        {"nodes": "4"},
        {"nodes": -1},
        {"graphs": [0]},
        {"graphs": [0, 1]},
        {"graphs": [0, -1]},
        {"graphs": [0, 0, 0]},
        {"graphs": [0, "a"]},
        {"waits": [True]},
        {"waits": [0, 1]},
        {"edges": [7]},
        {"edges": []},
        {"positions": 33},
        {"starts": [99]},
        {"starts": 0},
        {"palette": []},
        {"value_kind": "score"},
        {"together": None},
    ],
    ids=str,
)
def test_a_header_that_does_not_fit_is_refused(wrong, tmp_path):
    """Whoever wrote it: nothing is taken for what it says before it is seen to fit."""
    path = zermelo.pursuit(PATH).save(tmp_path / "right.table")
    path = forged(path, lambda header, _: header["table"].update(wrong))
    with pytest.raises(CorruptTableError, match="make the table again"):
        zermelo.open(path)


def test_values_beyond_what_a_file_says_are_refused(tmp_path):
    """One value alone, or all of them."""
    path = zermelo.pursuit(PATH).save(tmp_path / "right.table")
    path = forged(path, lambda _, parts: parts["values"][0].__setitem__(19, 200))
    with zermelo.open(path) as opened:
        for ask in (lambda: opened[0, (3,), 1], opened.verify, opened.counts):
            with pytest.raises(CorruptTableError, match="make the table again"):
                ask()


def test_a_table_of_an_older_zermelo_is_refused(tmp_path):
    """With a sentence that says what to do."""
    for solution in (zermelo.pursuit(PATH), zermelo.graph.solve([0, 1, 1], [1])):
        path = solution.save(tmp_path / "x.table", overwrite=True)
        old = forged(path, lambda header, _: header["table"].pop("value_kind"))
        with pytest.raises(CorruptTableError, match="of an older Zermelo; solve it again"):
            zermelo.open(old)


def test_one_open_opens_every_kind_of_table(tables, tmp_path):
    """And says of one that needs no game that it needs none."""
    _, path = tables[0]
    game = CatAndMouse(PATH, mouse=1, cat=3, hole=0)
    with pytest.raises(ParameterError, match=r"holds a pursuit of 1 on 4 nodes; leave out game="):
        zermelo.open(path, game)
    with pytest.raises(ParameterError, match="leave out game= and ignore_rules="):
        zermelo.open(path, ignore_rules=True)
    saved = zermelo.solve(game).save(tmp_path / "game.table")
    for each, name in ((path, "pursuit"), (saved, "CatAndMouse")):
        with zermelo.open(each) as opened:
            assert (type(opened), opened.rules.name) == (zermelo.Solution, name)
    with pytest.raises(zermelo.MissingTableError):
        zermelo.open(tmp_path / "none.table")


def test_a_pursuit_with_a_start_is_asked_as_a_game_is(tmp_path):
    """Value, winner, best moves, a line, an explanation, a picture: all begin there."""
    begins = (1, (3,), 1)
    solution = zermelo.pursuit(PATH, safe=[0], start=begins)
    assert solution.start == solution.starts[0] == PursuitPosition(1, (3,), 1)
    assert (solution.value, solution.winner) == (solution[begins], "evader")
    assert solution.best() == [2]
    assert [solution.rules.move_name(move) for move in solution.line()] == ["2", "0"]
    assert "Every move loses" in str(solution.explain()) or "only move" in str(solution.explain())
    assert str(solution.show()).startswith("evader 1, pursuer 3, pursuers to move\nloss in 2")
    assert solution.show().svg.startswith("<svg")
    match = zermelo.Match(solution)
    match.play("2")
    assert (match.player, match.players) == (0, ("evader", "pursuers"))
    with zermelo.open(solution.save(tmp_path / "x.table")) as opened:
        assert (opened.start, opened.value, opened.winner) == (
            solution.start,
            solution.value,
            "evader",
        )
    with pytest.raises(PositionError, match="there is no start; give a position"):
        _ = zermelo.pursuit(PATH).value
    with pytest.raises(PositionError, match="has a node 7"):
        zermelo.pursuit(PATH, start=(7, (1,)))


@pytest.mark.slow
def test_a_pursuit_is_analysed_as_the_same_game_is():
    """Balance, length, branching, traps: what Cat and Mouse says of itself, move for move."""
    web = [[1, 2], [0, 2, 3], [0, 1, 3], [1, 2, 4], [3]]
    game = zermelo.solve(CatAndMouse(web, mouse=1, cat=4, hole=0)).analyse(blunders=(10,))
    safe = {"safe": [0], "forbidden": [0], "stuck": "lose"}
    ours = zermelo.pursuit(web, start=(1, (4,)), **safe).analyse(blunders=(10,))
    assert (ours.game, ours.players, ours.value) == ("pursuit", ("evader", "pursuers"), game.value)
    assert (ours.exact, ours.positions, ours.moves) == (True, game.positions, game.moves)
    for mine, theirs in zip(ours.plays, game.plays, strict=True):
        assert float(mine.win) == pytest.approx(float(theirs.win))
        assert float(mine.length) == pytest.approx(float(theirs.length))
    assert ours.branching == game.branching
    assert [opening.value for opening in ours.openings] == [o.value for o in game.openings]
    assert (ours.traps.positions, ours.traps.moves) == (game.traps.positions, game.traps.moves)
    assert len(ours.plies) == len(game.plies)
    for chase in (
        zermelo.pursuit(PATH, pursuers=2, together=False, start=(0, (2, 3))),
        zermelo.pursuit(PATH, pursuers=2, forbidden=[1], may_stay=True, start=(0, (2, 3), 1)),
    ):
        analysis = chase.analyse()
        assert analysis.positions == len(chase)
        moves = sum(len(chase.options(position)) for position in chase)
        assert analysis.moves == moves
        with pytest.raises(zermelo.BudgetError, match="analysing a pursuit of 2 on 4 nodes needs"):
            chase.analyse(memory=1000)
    with pytest.raises(PositionError, match="there is no start"):
        zermelo.pursuit(PATH).analyse()


def test_many_positions_are_asked_at_once(chases):
    """As rows of an array or as positions; what is none is marked, or named."""
    for chase in chases:
        positions = list(chase)
        assert len(positions) == len(set(positions)) == len(chase)
        probes = chase.probe_many(positions)
        flat = np.array([(p.evader, *p.pursuers, p.turn) for p in positions])
        assert np.array_equal(chase.probe_many(flat).remoteness, probes.remoteness)
        assert dict(chase.items()) == {position: chase[position] for position in positions}
        assert [int(o) for o in probes.outcome] == [chase[p].outcome for p in positions]
    assert chases[0].get_many([(1, (0,), 0), (1, (2,), 0)]).found.tolist() == [False, True]
    with pytest.raises(PositionError, match="has a pursuer where none may be"):
        chases[0].probe_many([(1, (2,), 0), (1, (0,), 0)])
    with pytest.raises(PositionError, match="has a node 9"):
        chases[0].probe_many(np.array([[1, 2, 0], [1, 9, 0]]))


def test_a_closed_file_is_asked_no_more(tables):
    """And says so."""
    with zermelo.open(tables[0][1]) as opened:
        pass
    with pytest.raises(zermelo.MissingTableError, match="has been closed"):
        opened[1, (2,)]
