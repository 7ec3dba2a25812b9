"""The certificate of partizan games by compiled code: what it accepts, and what it refuses.

No solve makes a wrong form, and a file of one is refused before its certificate.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from support.option_lists import random_lists
from zermelo._engine.certificate.compiled_games import CompiledGames
from zermelo._methods.partizan.solver import PythonForms

#: The code takes seconds to compile, and small games are checked without it.
pytestmark = pytest.mark.slow

NAMES = "left_starts", "left_options", "right_starts", "right_options"


class Table:
    """Random positions with the forms that they are worth, found in Python."""

    def __init__(self, seed, pairs, *, is_split):
        random = Random(seed)
        self.lists = random_lists(random, pairs, depth=5, most=2, is_split=is_split)
        codes = np.full(2 * pairs, -1, np.int64)
        solver = PythonForms()
        solver.decide(self.lists, np.arange(0, 2 * pairs, 2), codes)
        self.forms, self.codes, *_ = solver.forms_of(codes)
        self.sections = dict(zip(NAMES, self.forms.arrays(), strict=True))
        self.starts = np.arange(2 * pairs)

    def is_right(self, **changed):
        """Return whether the certificate accepts the table, with some parts changed."""
        parts = {**self.lists._asdict(), **vars(self), **changed}
        return CompiledGames(parts["sections"]).are_values(
            *(parts[name] for name in ("first", "children", "is_last", "after_pass")),
            parts["starts"],
            parts["codes"],
        )


@pytest.mark.parametrize("is_split", [False, True])
def test_no_other_form_is_accepted(is_split):
    """Every change of a value, or of a value and that of the passed position, is refused."""
    table, random = Table(3, 30, is_split=is_split), Random(4)
    assert table.is_right()
    for _ in range(60):
        place = random.randrange(len(table.codes))
        code = random.randrange(len(table.forms))
        forged = table.codes.copy()
        forged[place] = code
        assert table.is_right(codes=forged) == (code == table.codes[place])
        negative = table.forms.negative(code)
        if negative < table.codes.max():
            forged[place ^ 1] = negative
            assert table.is_right(codes=forged) == (code == table.codes[place])


def test_positions_and_forms_are_checked():
    """Positions that no start leads to, cycles, and forms that are not canonical are refused."""
    table = Table(5, 30, is_split=False)
    assert not table.is_right(starts=table.starts[:2])
    children = table.lists.children.copy()
    begin = table.lists.first[-2]
    if begin < len(children):
        children[begin] = len(table.codes) - 1
        assert not table.is_right(children=children)
    assert not table.is_right(codes=np.full(len(table.codes), len(table.forms)))
    one, star = table.forms.number(1), table.forms.nimber(1)
    sections = dict(zip(NAMES, table.forms.arrays(), strict=True))
    for left, right in (((0, one), (one,)), ((star,), (star,)), ((), ())):
        changed = dict(sections)
        for side, options in (("left", left), ("right", right)):
            starts, listed = changed[f"{side}_starts"], changed[f"{side}_options"]
            changed[f"{side}_options"] = np.append(listed, np.array(options, np.int64))
            changed[f"{side}_starts"] = np.append(starts, starts[-1] + len(options))
        assert not table.is_right(sections=changed)
    assert table.is_right(sections=sections)
