"""Values of partizan games for the explorer: stops, temperature, mean, and the thermograph."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from zermelo.values.combinatorial.combinatorial_value import CombinatorialValue
from zermelo.values.outcomes import Value
from zermelo.web import models


@lru_cache(maxsize=1 << 10)
def game_value_document(value: Value) -> models.GameValueDocument | None:
    """Return the value of a position of a partizan game; None for another kind of value."""
    if not isinstance(value, CombinatorialValue):
        return None
    outcome_class: Any = str(value.outcome_class)
    return models.GameValueDocument(
        left=list(map(str, value.left)),
        right=list(map(str, value.right)),
        outcome_class=outcome_class,
        left_stop=str(value.left_stop),
        right_stop=str(value.right_stop),
        temperature=str(value.temperature),
        mean=str(value.mean),
        thermograph=value.thermograph.svg,
    )
