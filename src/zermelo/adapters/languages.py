"""Files of games in languages that Zermelo does not read, with advice on what to do instead."""

from __future__ import annotations

from pathlib import Path

_AS_CLASS = "which Zermelo does not read; write its rules as a class: zermelo new makes a file"
_GDL = f"is in GDL, the language of General Game Playing, {_AS_CLASS}"
_PRISM = (
    "is the source of a model of PRISM; build it with prism {path} -exporttrans model.tra "
    "-exportlabels model.lab, then zermelo graph model.tra --target LABEL"
)
_PAYOFFS = (
    "has rewards of PRISM, and of games on graphs only who reaches a target is solved; give the "
    ".tra file alone, or write the game as a class with gain()"
)
_GAMBIT = (
    "is a game of Gambit, where moves may be hidden or made at the same time; only games of "
    "perfect information are solved: write one as a class, for which zermelo new makes a file"
)
_LANGUAGES = {
    ".kif": _GDL,
    ".gdl": _GDL,
    ".lud": f"is in the language of Ludii, {_AS_CLASS}",
    ".zrf": f"is in the language of Zillions of Games, {_AS_CLASS}",
    ".efg": _GAMBIT,
    ".nfg": _GAMBIT,
    ".jani": "is a model in JANI, which Zermelo does not read; have it written as UMB, or as .tra",
    **dict.fromkeys((".prism", ".pm", ".nm", ".sm", ".ma", ".smg", ".csg"), _PRISM),
    **dict.fromkeys((".rew", ".srew", ".trew", ".rews"), _PAYOFFS),
}


def fault_of_language(path: str) -> str | None:
    """Return why a file with this ending is not read, and what to do; None for other files."""
    text = _LANGUAGES.get(Path(path).suffix.lower())
    return None if text is None else f"{path!r} {text.replace('{path}', path)}"
