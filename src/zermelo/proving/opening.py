"""A proof's file as a proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.game.parameters import position_of
from zermelo.proving.file import read
from zermelo.proving.inquiry import Inquiry, Question
from zermelo.proving.proof import Proof

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.file.reader import Reader


def opened(reader: Reader, compiled: CompiledRules) -> Proof:
    """Return the proof that a file holds. What it knows is what its strategies vouch for.

    Raises:
        CorruptTableError: the file is not what it says.
    """
    header, rules = reader.header, compiled.rules
    strategies = read(reader, compiled)
    try:
        position = position_of(rules.layout.kind, header["position"], rules.layout.holds)
        question = Question(str(header["ask"]), remoteness=False)
        proof = Proof(Inquiry(compiled, position, question))
        proof.nodes, proof.seconds = int(header["nodes"]), float(header["seconds"])
    except (KeyError, TypeError, ValueError):
        raise reader.wrong("header") from None
    proof.reason = header["choice"]
    proof.learn(strategies, header.get("best"))
    return proof
