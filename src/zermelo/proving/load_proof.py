"""Loading of proof files."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from zermelo.errors import ZermeloError
from zermelo.game.parameters import position_of
from zermelo.plain.rules import PlainRules, are_few
from zermelo.proving.file import proof_header, read
from zermelo.proving.proof import Proof
from zermelo.proving.proof_search import ProofSearch
from zermelo.proving.prove import fold_rules, prepare_rules, with_own_symmetries
from zermelo.proving.question import Question
from zermelo.rules.hooks import Rules
from zermelo.solution.load_solution import check_rules_match

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.file.reader import Reader
    from zermelo.game.contract import Game


def proof_from_file(reader: Reader, game: Game, header: dict[str, Any], *, ignore: bool) -> Proof:
    """Return the proof in a file. Its bounds are the claims of its strategies.

    Args:
        reader: the file.
        game: its game.
        header: its header, checked.
        ignore: whether changed rules are accepted.

    Raises:
        CorruptTableError: the file is invalid.
        StaleTableError: the rules have changed since it was made.
    """
    from zermelo._store.save_table import are_equal, without_solve_keys
    from zermelo.proving.question import ASKS

    rules = Rules(game)
    nodes, seconds = header.get("nodes"), header.get("seconds")
    if header.get("ask") not in ASKS or type(header.get("choice")) is not str:
        raise reader.part_error("header")
    if type(nodes) is not int or type(seconds) is not float or not 0 <= nodes + seconds < math.inf:
        raise reader.part_error("header")
    try:
        position = position_of(rules.layout.kind, header["position"], rules.layout.holds)
        size = sum(int(strategy["positions"]) for strategy in header["table"]["strategies"])
    except (KeyError, TypeError, ValueError):
        raise reader.part_error("header") from None
    compiled = _rules_of(rules, position, size, folded=header["folded"])
    check_rules_match(reader, header, compiled, ignore=ignore)
    try:
        search = ProofSearch(compiled, position, Question(header["ask"], remoteness=False))
    except (KeyError, TypeError, ValueError):
        raise reader.part_error("header") from None
    with compiled.kernels():
        strategies = read(reader, compiled)
        try:
            proof = Proof(search, strategies)
            proof.choice, proof.nodes, proof.seconds = header["choice"], nodes, seconds
            expected = without_solve_keys(proof_header(compiled, proof.to_json()))
        except (ZermeloError, IndexError):  # no move leads to the strategy's child
            raise reader.part_error("header") from None
    if not all(are_equal(header.get(name), right) for name, right in expected.items()):
        raise reader.part_error("header")
    return proof


def _rules_of(rules: Rules, position: Any, size: int, *, folded: bool) -> CompiledRules:
    """Return the rules of a proof: as they are if its strategies are small, else compiled.

    All moves of a component are played and split, so that a component counts as often as the start
    of the game has moves.

    Args:
        rules: the hooks.
        position: the position that the proof is about.
        size: the number of positions of its strategies.
        folded: whether only canonical positions were searched.
    """
    compiled: Any
    is_split = rules.has_hook("split")
    if are_few(size * len(rules.moves(rules.game.start())) if is_split else size):
        compiled = PlainRules(rules, rules.kind, range(size), folded=False)
        compiled = with_own_symmetries(compiled) if folded else compiled
    else:
        compiled = prepare_rules(rules.game)
        compiled = compiled if folded else compiled.without_symmetries()
    return fold_rules(compiled, position)
