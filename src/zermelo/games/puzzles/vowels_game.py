"""The vowels game, LeetCode 3227."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._sources import LEETCODE

#: The longest word.
MOST_LETTERS = 20


class Letters(NamedTuple):
    """The letters that are left, and the player to move.

    Attributes:
        left: a bit for each letter of the word, the first letter's first.
        player: 0 if Alice is to move, and 1 if Bob is.
    """

    left: int
    player: int


@dataclass(frozen=True)
class VowelsGame(Game):
    """Cut some letters out that stand side by side: Alice with an odd number of vowels, Bob even.

    The letters on both sides then move together. A player who cannot cut loses.

    Attributes:
        word: the letters at the start.
    """

    word: str = "leetcoder"

    players = ("Alice", "Bob")

    facts = (
        Fact({"word": "leetcoder"}, "win", source=LEETCODE.format(3227)),
        Fact({"word": "bbcd"}, "loss", source=LEETCODE.format(3227)),
    )

    def start(self) -> Letters:
        """Return the whole word."""
        return Letters((1 << len(self.word)) - 1, 0)

    def turn(self, letters: Letters) -> int:
        """Return the player to move."""
        return letters.player

    def moves(self, letters: Letters) -> Iterator[int]:
        """Yield the bits of letters that may be cut out."""
        for first in range(len(self.word)):
            if letters.left >> first & 1:
                cut, vowels = 0, 0
                for last in range(first, len(self.word)):
                    if letters.left >> last & 1:
                        cut |= 1 << last
                        vowels += self.word[last] in "aeiou"
                        if vowels % 2 == 1 - letters.player:
                            yield cut

    def play(self, letters: Letters, cut: int) -> Letters:
        """Return the letters that are left."""
        return Letters(letters.left & ~cut, 1 - letters.player)

    def space(self) -> Any:
        """Return the range of each field."""
        return Letters(range(1 << len(self.word)), range(2))  # type: ignore[arg-type]  # ranges of them

    def validate(self) -> None:
        """Raise ParameterError unless there is a word in small letters."""
        word: Any = self.word
        small = isinstance(word, str) and word.isascii() and word.isalpha() and word.islower()
        if not small or len(word) > MOST_LETTERS:
            message = (
                f"word must be 1 to {MOST_LETTERS} small letters, not {word!r}; write such as "
                "'leetcoder'"
            )
            raise ParameterError(message)

    def show(self, letters: Letters) -> str:
        """Return the word and the player to move, such as ``..etcoder, Bob to move``."""
        return f"{self.shown(letters)}, {self.players[letters.player]} to move"

    def shown(self, letters: Letters) -> str:
        """Return the word with dots for the letters that are cut out."""
        places = enumerate(self.word)
        return "".join(c if letters.left >> place & 1 else "." for place, c in places)

    def svg(self, letters: Letters) -> str:
        """Draw the letters; clicks on the first and the last of a run cut it out."""
        moves = [chr(97 + place) for place in range(len(self.word))]
        row = self.shown(letters)
        return drawing.grid([row], title=self.show(letters), below=moves, moves=[moves])

    def name(self, cut: int) -> str:
        """Return the places of the first and the last letter, such as ``ac``."""
        first, last = (cut & -cut).bit_length(), cut.bit_length()
        return chr(96 + first) + chr(96 + last)

    def parse(self, text: str) -> Letters:
        """Read a position as ``show`` writes it; without a turn, Alice is to move."""
        letters_text, _, turn = text.partition(",")
        left = letters_text.strip()
        pairs = zip(left, self.word, strict=False)
        if len(left) != len(self.word) or any(mark not in (".", letter) for mark, letter in pairs):
            message = f"{text!r} is not what is left of {self.word}; write dots for what is cut out"
            raise PositionError(message)
        player = int(turn.strip().startswith("Bob"))
        return Letters(sum(1 << i for i, mark in enumerate(left) if mark != "."), player)
