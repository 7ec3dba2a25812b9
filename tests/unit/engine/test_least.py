"""Which slots of a dense space can hold canonical positions."""

from __future__ import annotations

import numpy as np
import pytest

from zermelo._compile.rules import compile_rules
from zermelo._methods.dense.ranking import ranking_of
from zermelo.games import ChessEnding, Quixo


@pytest.mark.parametrize(
    ("game", "share"),
    [
        (ChessEnding("KK"), 10 / 128),
        (ChessEnding("KQK"), 11 / 65),
        (ChessEnding("KPK"), 33 / 65),
        (Quixo(3), 1 / 2),
    ],
    ids=["KK", "KQK", "KPK", "quixo"],
)
def test_canonical_positions_lie_in_the_spans(game, share):
    """Outside of the spans there is no canonical position, and they are as small as thought."""
    compiled = compile_rules(game).folded()
    ranking = ranking_of(compiled.rules, compiled.elements)
    inside = np.zeros(ranking.slots, np.bool_)
    for begin, end in ranking.spans:
        assert not inside[begin:end].any()
        inside[begin:end] = True
    assert inside.mean() == pytest.approx(share)
    slots = np.arange(ranking.slots)
    packed = np.empty(len(slots) * compiled.words, np.uint64)
    ranking.unrank(slots, len(slots), packed)
    images = compiled.canonical(packed, len(slots))
    same = (images == packed).reshape(len(slots), -1).all(axis=1)
    assert same.any()
    assert not same[~inside].any()


def test_where_nothing_is_folded_positions_may_be_anywhere():
    """Without symmetries the spans are all slots."""
    ranking = ranking_of(compile_rules(ChessEnding("KQK")).rules)
    assert ranking.spans == [(0, ranking.slots)]
