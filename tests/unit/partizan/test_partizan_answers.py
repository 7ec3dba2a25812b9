"""Answers of solutions with values of partizan games: notes on moves, reasons, columns, files."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import zermelo
from support.games.partizan_games import random_tokens
from zermelo import LOSS, WIN, CombinatorialValue, ParameterError, PositionError
from zermelo.games import Domineering, Konane, Nim


@pytest.fixture(scope="module")
def domineering():
    """The solution of Domineering on 3 by 3 squares."""
    return zermelo.solve(Domineering(3, 3), value="partizan")


def test_each_move_has_its_role_in_the_canonical_form(domineering):
    """Moves are in the canonical form, dominated, or reversible."""
    notes = {
        option.name: note
        for option, note in zip(domineering.options(), domineering.options().notes, strict=True)
    }
    assert notes["b3b2"] == notes["b2b1"] == "canonical"
    assert notes["a3a2"] == "dominated by b3b2"
    konane = zermelo.solve(Konane(3, 4), value="partizan").options()
    assert konane.notes == ["reversible"] * 3
    assert zermelo.solve(Nim((1, 2))).options().notes == ["", "", ""]


def test_roles_agree_with_the_definition_in_random_games():
    """A move is in the canonical form exactly if its value is one of that form's options."""
    random = Random(7)
    for _ in range(30):
        solution = zermelo.solve(random_tokens(random), value="partizan")
        for position in solution:
            value, options = solution[position], solution.options(position)
            for option, note in zip(options, options.notes, strict=True):
                after = option.value
                assert (note == "canonical") == (after in value.left)
                if note.startswith("dominated by"):
                    assert any(other.value > after for other in options)
                elif note == "reversible":
                    assert any(reply <= value for reply in after.right)
                elif note == "dominated after a reversal":
                    assert any(kept > after for kept in value.left)


def test_an_explanation_names_dominated_and_reversible_moves(domineering):
    """Sentences tell the canonical form, and why it lacks the other moves."""
    sentences = domineering.explain().sentences
    assert "The position is worth ±1, with the player to move as Left." in sentences
    assert (
        "In its canonical form, Left can move to 1 (b3b2 and b2b1), and Right can move to -1."
    ) in sentences
    assert (
        "  Left's moves a3a2, c3c2, a2a1 and c2c1 to {1/2|-2} are dominated by b3b2 to 1."
    ) in sentences
    reasons = str(zermelo.solve(Konane(3, 4), value="partizan").explain())
    assert "neither player gains by any move" in reasons
    assert (
        "Left's moves a3, b2 and a1 to -1 are reversible: Right's reply to 0 is no better for Left "
        "than the position was, so that nothing takes their place."
    ) in reasons
    ended = domineering.explain(domineering.line().positions[-1])
    assert ended.sentences[0] == "The player to move has no move and so has lost."


def test_numbers_are_explained_as_moves_ahead():
    """A number says by how many moves a player is ahead."""
    solution = zermelo.solve(Domineering(3, 1), value="partizan")
    assert (
        "It is a number: the player to move is 1 move ahead, regardless of who begins."
    ) in solution.explain().sentences


def test_probes_and_arrays_have_the_values_as_objects(domineering):
    """They are texts as a column, and missing if a position was not found."""
    start = domineering.start
    probes = domineering.get_many([start, (1, 1)])
    assert probes.value.tolist() == [CombinatorialValue.parse("+-1"), None]
    rows = probes.to_arrow().to_pylist()
    assert rows == [
        {"found": True, "outcome": "win", "value": "±1"},
        {"found": False, "outcome": None, "value": None},
    ]
    arrays = domineering.arrays
    assert arrays.value[0] == CombinatorialValue.parse("+-1")
    assert len(arrays.value) == len(domineering)
    options = domineering.options().to_arrow().to_pylist()
    assert options[0]["value"] == "1"
    assert "remoteness" not in options[0]


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_an_export_has_the_values_as_texts_and_a_winning_move(tmp_path, compiled):
    """The best move is the first that wins, also where moves lead to components."""
    method = "partizan" if compiled else None
    for game in (Domineering(3, 3), random_tokens(Random(8)), random_tokens(Random(3))):
        solution = zermelo.solve(game, value="partizan", method=method)
        solution.export(tmp_path / "rows.npz", overwrite=True)
        archive = np.load(tmp_path / "rows.npz")
        texts = archive["value_labels"][archive["value"]]
        rows = zip(solution, texts, archive["outcome"], strict=True)
        words = archive["outcome_labels"]
        for position, text, outcome in rows:
            assert text == str(solution[position])
            assert words[outcome] == str(solution[position].outcome)
        if "best_move" not in archive:
            continue
        for position, move in zip(solution, archive["best_move"], strict=True):
            options = solution.options(position)
            if not options:
                continue
            chosen = move if np.ndim(move) == 0 else tuple(move.tolist())
            assert options[0].move == chosen


def test_a_dataset_has_the_value_as_text_and_outcomes_of_moves():
    """A table of whole positions is a data set."""
    solution = zermelo.solve(random_tokens(Random(8)), value="partizan")
    rows = solution.dataset(move_values=True).to_arrow().to_pylist()
    assert [row["value"] for row in rows] == [str(solution[position]) for position in solution]
    assert "move_outcome[(0, 0)]" in rows[0]
    assert solution.analyse().positions == len(solution)


def test_what_components_do_not_answer_is_a_sentence(domineering):
    """A table of components lists no whole positions."""
    for ask in (domineering.analyse, domineering.dataset):
        with pytest.raises(ParameterError, match="solve it without value='partizan'"):
            ask()


def test_a_portable_table_refuses_values_that_readers_do_not_know(domineering, tmp_path):
    """The readers in C and JavaScript know no canonical forms."""
    with pytest.raises(ParameterError, match=r"cannot hold a value as a partizan game; save with"):
        domineering.save(tmp_path / "rows.table", portable=True)


def test_one_player_is_to_move_in_all_parts_of_a_sum():
    """A sum begins with one player to move, as the sum of the product does."""
    parts = Domineering(2, 2, first="horizontal"), Domineering(2, 3)
    added, product = zermelo.sum(*parts, value="partizan"), zermelo.sum(*parts)
    assert added.start == product.start
    assert added.winner == product.winner == "vertical"
    mixed = tuple(zermelo.solve(part, value="partizan").start for part in parts)
    for solution in (added, product):
        with pytest.raises(PositionError, match="give positions with the same player to move"):
            solution[mixed]
        assert solution.get_many([solution.start, mixed]).found.tolist() == [True, False]
    rows = np.array([[*a, *b] for a, b in (added.start, mixed)])
    assert added.get_many(rows).found.tolist() == [True, False]
    with pytest.raises(PositionError, match="the same player to move"):
        added.probe_many([mixed])


def test_values_of_moves_have_the_outcome_after_the_move(domineering):
    """The outcome of an option is that of the move, and words name the player."""
    best, *_, worst = domineering.options()
    assert (best.value.outcome, worst.value.outcome) == (WIN, LOSS)
    words = domineering.kind.words
    assert words.owned_phrase(domineering.value, "first") == (
        "±1, with the first player (to move) as Left"
    )
    assert words.owned_phrase(domineering.value, None) == "±1, with the player to move as Left"
    assert words.common_values(domineering.counts()).startswith(
        "9 different, the commonest 0 (11), ±1 (4), "
    )
