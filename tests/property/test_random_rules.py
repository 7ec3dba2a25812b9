"""Rules from a grammar of Python that authors use, compiled against interpreted.

``PYTHONPATH=tests python -m support.games.written.many --count 20000`` asks for as many as there
is time for.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from support.games.written.grammar import Rules
from support.games.written.many import compare, run

#: What may become of a rule set: the same everywhere, or an error in both forms, or a refusal.
GOOD = {"same", "raises alike", "refused"}


@pytest.mark.slow
def test_a_rule_set_of_the_grammar_does_compiled_what_it_does_in_python(tmp_path: Path) -> None:
    """One, in this process; the slow test asks for more."""
    found = compare([2], tmp_path)
    assert [each["said"] for each in found] == ["same"], found


def test_a_seed_stands_for_one_rule_set() -> None:
    """So that what was found can be looked at again, and so that seeds differ."""
    texts = [Rules(seed).functions() for seed in (5, 5, 6)]
    assert texts[0] == texts[1] != texts[2]


def test_an_odd_seed_stands_for_an_edit_of_one_function() -> None:
    """All but one of the functions are those of the seed before it."""
    for seed in range(0, 40, 2):
        before, after = [
            [each for part in Rules(n).functions() for each in part.split("def ")[1:]]
            for n in (seed, seed + 1)
        ]
        assert len(before) == len(after) == 4
        assert sum(one != other for one, other in zip(before, after, strict=True)) <= 1


@pytest.mark.parametrize(
    "count",
    [pytest.param(4, marks=pytest.mark.slow), pytest.param(300, marks=pytest.mark.huge)],
)
def test_many_rule_sets_do_compiled_what_they_do_in_python(count: int) -> None:
    """Children, values and errors are the same wherever it was asked; no process crashes."""
    found = [*run(count)]
    said = Counter(each["said"] for each in found)
    assert len({each["seed"] for each in found}) == count
    assert set(said) <= GOOD, [each for each in found if each["said"] not in GOOD]
    assert said["same"] > 0.9 * len(found), said
