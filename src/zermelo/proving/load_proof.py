"""Loading of proof files."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from zermelo.errors import ZermeloError
from zermelo.game.parameters import position_of
from zermelo.proving.file import described, read
from zermelo.proving.proof import Proof
from zermelo.proving.proof_search import ProofSearch
from zermelo.proving.prove import folded_from
from zermelo.proving.question import Question

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.file.reader import Reader


def opened(reader: Reader, compiled: CompiledRules) -> Proof:
    """Return the proof in a file. Its bounds are the claims of its strategies.

    Raises:
        CorruptTableError: the file is invalid.
    """
    from zermelo._store.save_table import are_equal, without_making
    from zermelo.proving.question import ASKS

    header, rules = reader.header, compiled.rules
    counted, took = header.get("nodes"), header.get("seconds")
    if header.get("ask") not in ASKS or type(header.get("choice")) is not str:
        raise reader.part_error("header")
    if type(counted) is not int or type(took) is not float or not 0 <= counted + took < math.inf:
        raise reader.part_error("header")
    try:
        position = position_of(rules.layout.kind, header["position"], rules.layout.holds)
        question = Question(header["ask"], remoteness=False)
        compiled = folded_from(compiled, position)
        proof = Proof(ProofSearch(compiled, position, question))
    except (KeyError, TypeError, ValueError):
        raise reader.part_error("header") from None
    proof.reason, proof.nodes, proof.seconds = header["choice"], counted, took
    strategies = read(reader, compiled)
    try:
        proof.learn(strategies)
        said = without_making(described(compiled, proof.facts()))
    except (ZermeloError, IndexError):  # no move leads to the strategy's child
        raise reader.part_error("header") from None
    if not all(are_equal(header.get(name), right) for name, right in said.items()):
        raise reader.part_error("header")
    return proof
