"""Advice in the library's errors, which names arguments and literals of Python, for a shell."""

from __future__ import annotations

import ast
import json
import re
import shlex

#: Advice in the library's errors, as patterns, and its counterpart on the command line.
_TYPED = {
    "give the game, or its class": "name the class of its game with --game path.py:Class",
    "with ignore_rules=True": "with --ignore-rules",
    "leave out game= and ignore_rules=": "leave out --game and --ignore-rules",
    r"\b(ask|method|value|cluster|search)='([^']*)'": r"--\1 \2",
    r"\bleave (method|value|cluster) out": r"leave --\1 out",
    r"\bset a lower memory=": "set a lower --memory",
    r"\bmisere=True\b": "--misere",
    r"\bleave misere out\b": "leave --misere out",
    r"give time= or nodes=": "give --time or --nodes",
    r"\bremoteness=True\b": "--remoteness",
    r"\bsay directed=True\b": "use --directed",
    r"with zermelo\.prove": "with zermelo prove",
    "or name a method": "or use --method",
    "or leave out remoteness": "or ask for --value outcome alone",
    "use overwrite=True": "use --force to replace it",
    r"save without portable=True, or use export\(\)": "use --npz, --csv or --parquet",
    "solve with symmetry=False, or save without portable=True": (
        "in Python, solve with symmetry=False and save with portable=True"
    ),
}
#: A list or a position that may be given instead; texts are in quotes already.
_EXAMPLE = re.compile(r"\bsuch as (\[.*\]|[A-Za-z_]\w*\(.*\)$)")


def in_shell_terms(sentence: str) -> str:
    """Return a sentence with options for arguments, and lists as a shell takes them.

    Args:
        sentence: the message of an error of the library.
    """
    for pattern, typed in _TYPED.items():
        sentence = re.sub(pattern, typed, sentence)
    return _EXAMPLE.sub(lambda match: f"such as {_shell_word(match[1])}", sentence)


def _shell_word(literal: str) -> str:
    """Return a Python literal as one word of a shell, a list as JSON."""
    try:
        return shlex.quote(json.dumps(ast.literal_eval(literal)))
    except (ValueError, SyntaxError):
        return shlex.quote(literal)
