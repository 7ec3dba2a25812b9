"""Rules of names and sentences that a program can check."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "zermelo"
MODULES = sorted(SOURCE.rglob("*.py"))
#: What the rules of a game of the zoo tell the players to do: "Take any number of counters …".
GAMES = SOURCE / "games"
TESTS = sorted((ROOT / "tests").rglob("*.py"))

#: First words of a docstring that command nothing, each with what to write instead.
OPENINGS = {
    "Have": "the verb for what is done",
    "See": "Check, Ensure",
    "Let": "Allow, Make, or the verb for what is done",
    "Know": "Create, Store",
    "Be": "Return",
    "Hand": "Give, Return",
    "Begin": "Create, Start",
    "Put": "Store, Insert, Replace",
}
#: Words that stand for no thing, each with what to write instead.
EMPTY = {
    r"whoever": "the player, the caller, the worker",
    r"none of it\b": "nothing, empty, the noun",
    r"in the last place": "in the last entry, at the end",
    r"are some\b": "are valid, exist",
}
#: Modules that are named by a participle or an adverb, each with the reason.
PARTICIPLES = {
    "checking": "the module of zermelo.check, as solving is that of zermelo.solve",
    "solving": "the module of zermelo.solve",
    "compiled": "the check of compiled rules, in conformance/checks, where each is named so",
}
#: Nouns that end as participles and adverbs do.
NOUNS = {
    *("cat_herding", "coin_turning", "domineering", "shannon_switching", "chess_ending", "tally"),
    *("constant_folding", "hashing", "inlining", "marshalling", "packing"),
    *("ranking", "sorting"),
}


def named(path):
    """Return a path as it is written from the root of the repository."""
    return path.relative_to(ROOT).as_posix()


def sentences(texts):
    """Return a list that pytest shows as lines."""
    return "\n".join(texts)


def test_docstrings_begin_with_what_is_done():
    """A first word such as "Have" tells nothing about what a function does."""
    opening = re.compile(rf'"""({"|".join(OPENINGS)})\b[^\n]*')
    wrong = [
        f"{named(path)}: {found[0][3:]} (write {OPENINGS[found[1]]})"
        for path in [*MODULES, *TESTS]
        if GAMES not in path.parents
        for found in opening.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not wrong, sentences(wrong)


def test_sentences_name_things():
    """A pronoun without its noun makes a reader look for the noun."""
    patterns = {re.compile(rf"\b{word}"): instead for word, instead in EMPTY.items()}
    wrong = []
    for path in MODULES:
        if GAMES in path.parents:
            continue
        text = path.read_text(encoding="utf-8").lower()
        for pattern, instead in patterns.items():
            for found in pattern.finditer(text):
                line = text.count("\n", 0, found.start()) + 1
                wrong.append(f"{named(path)}:{line}: {found[0]} (write {instead})")
    assert not wrong, sentences(wrong)


def test_modules_are_named_by_nouns():
    """A participle or an adverb does not tell what a file holds."""
    modules = [*MODULES, *(ROOT / "tests" / "support").rglob("*.py")]
    wrong = [
        named(path)
        for path in modules
        if re.fullmatch(r"\w*(ed|ing|ly)|along|apart|within|above|below|own|made|told", path.stem)
        and path.stem not in NOUNS | PARTICIPLES.keys()
    ]
    assert not wrong, sentences(wrong)


def test_exceptions_are_still_needed():
    """An exception that is no longer used would hide the next fault."""
    stems = {path.stem for path in MODULES}
    assert (NOUNS | PARTICIPLES.keys()) <= stems
