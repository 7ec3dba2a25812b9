"""The rules of a sum, from those of its parts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

from zermelo import drawing
from zermelo.errors import MoveError, PositionError, ZermeloError
from zermelo.game.position_text import read_literal
from zermelo.sums.layout import labels, position_kind
from zermelo.values.outcomes import Outcome

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules
    from zermelo.values.kind import Kind

#: The separator of the parts' texts, if a position is written in a line.
_PLUS = " + "
#: The beginning of a picture by ``drawing.document``, with its width and height.
_PICTURE = re.compile(r'<svg\b[^>]*?\bviewBox="0 0 ([\d.]+) ([\d.]+)"')
#: Pixels between the pictures of parts, and for the letter before each.
_GAP, _LETTER = 16, 24


class SumRules:
    """A sum of games as rules; see ``RulesView``.

    A move is a tuple of the number of a part, from 0, and a move in it. The other parts stay the
    same, with the other player to move.

    Attributes:
        parts: the rules of each part.
        kind: the kind of value that positions have.
        alternate: whether positions do not show whose turn it is.
    """

    name = "sum"
    summary = "A sum of games: the player to move chooses one of them and moves in it."
    plies_per_move = 1

    def __init__(self, parts: Sequence[Rules], kind: Kind) -> None:
        """Store the games; see the attributes."""
        self.parts = tuple(parts)
        self.kind = kind
        self.alternate = all(part.alternate for part in parts)
        self._labels = labels(len(parts))
        self._position = position_kind(len(parts))
        self._turns = next((i for i, part in enumerate(parts) if not part.alternate), 0)

    @property
    def parameters(self) -> dict[str, Any]:
        """The games, in JSON's types."""
        parts = [{"game": part.name, "parameters": part.parameters} for part in self.parts]
        return {"parts": parts}

    @property
    def title(self) -> str:
        """The titles of the parts."""
        return _PLUS.join(part.title for part in self.parts)

    @property
    def instructions(self) -> list[str]:
        """The rules of a sum, and those of each part once."""
        lines = [line for part in self.parts for line in part.instructions]
        return [self.summary, *dict.fromkeys(lines)]

    @property
    def description(self) -> str:
        """The descriptions of the parts."""
        return _PLUS.join(part.description for part in self.parts)

    @property
    def players(self) -> tuple[str, str]:
        """The names of the players in the first game with ``turn``, or in the first game."""
        return self.parts[self._turns].players

    # -- positions --------------------------------------------------------------------------------

    def check_position(self, position: Any) -> tuple[Any, ...]:
        """Return a position as a tuple with the right number of items.

        Raises:
            PositionError: it is not a position.
        """
        if isinstance(position, tuple | list) and len(position) == len(self.parts):
            return tuple(position)
        expected = f"a tuple of {len(self.parts)} positions, one for each part"
        message = f"{position!r} is not a position of {self.description}; give {expected}"
        raise PositionError(message)

    def owner(self, position: Any) -> int:
        """Return the player to move, 0 or 1; 0 if no part shows it."""
        return self.parts[self._turns].owner(position[self._turns])

    def is_chance(self, position: Any) -> bool:  # noqa: ARG002  # there is none
        """Return False: chance never decides."""
        return False

    def keeps_turn(self, position: Any, move: Any, child: Any) -> bool:  # noqa: ARG002  # turns tell
        """Return whether the same player is to move after a move."""
        return not self.alternate and self.owner(position) == self.owner(child)

    def terminal(self, position: Any) -> Outcome | None:
        """Return the outcome by the rules of the only part.

        Several parts end only without moves.
        """
        return self.parts[0].terminal(position[0]) if len(self.parts) == 1 else None

    def moves(self, position: Any) -> list[Any]:
        """Return the moves of every part."""
        pairs = zip(self.parts, position, strict=True)
        return [(i, move) for i, (part, at) in enumerate(pairs) for move in part.moves(at)]

    def play(self, position: Any, move: Any) -> Any:
        """Return the position after a move.

        Raises:
            MoveError: it does not name a part, or is not a move of it.
        """
        try:
            number, part_move = move
            chosen = index(number)
        except (TypeError, ValueError):
            chosen, part_move = -1, None
        if not 0 <= chosen < len(self.parts):
            last = len(self.parts) - 1
            message = f"{move!r} is not a move of a sum; give a part, 0 to {last}, and a move in it"
            raise MoveError(message)
        children = [
            part.play(at, part_move) if i == chosen else self.pass_part(i, at)
            for i, (part, at) in enumerate(zip(self.parts, position, strict=True))
        ]
        return self._position(*children)

    def pass_part(self, part: int, position: Any) -> Any:
        """Return the position of a part with the other player to move.

        A game without ``turn`` or ``pass_turn`` is assumed to be impartial, so its position is the
        same.
        """
        rules = self.parts[part]
        return position if rules.alternate and not rules.passes else rules.pass_turn(position)

    def pass_turn(self, position: Any) -> Any:
        """Return the same position with the other player to move."""
        return self._position(*(self.pass_part(i, at) for i, at in enumerate(position)))

    def canonical(self, position: Any) -> Any:
        """Return the position with the canonical position of each part."""
        pairs = zip(self.parts, position, strict=True)
        return self._position(*(part.canonical(at) for part, at in pairs))

    def gain(self, position: Any, move: Any) -> int:  # noqa: ARG002  # no points are won
        """Return 0: there are no points."""
        return 0

    def final_score(self, position: Any) -> int:  # noqa: ARG002  # nor lost
        """Return 0: there are no points."""
        return 0

    def endless_worth(self, position: Any) -> int:  # noqa: ARG002  # likewise
        """Return 0: there are no points."""
        return 0

    # -- words and pictures -----------------------------------------------------------------------

    def move_name(self, move: Any) -> str:
        """Return the letter of the part, and its name of the move."""
        name = self.parts[move[0]].move_name(move[1])
        return name if len(self.parts) == 1 else f"{self._labels[move[0]]}: {name}"

    def position_text(self, position: Any) -> str:
        """Return the texts of the parts, one below another, each with its letter."""
        texts = [part.position_text(at) for part, at in zip(self.parts, position, strict=True)]
        return texts[0] if len(texts) == 1 else "\n".join(self._label_parts(texts))

    def _label_parts(self, texts: list[str]) -> Iterator[str]:
        for label, text in zip(self._labels, texts, strict=True):
            lines = text.splitlines() or [""]
            indent = " " * (len(label) + 2)
            yield f"{label}: {lines[0]}"
            yield from (f"{indent}{line}" for line in lines[1:])

    def terminal_text(self, position: Any) -> str:
        """Return the text of a position for a terminal."""
        return self.position_text(position)

    def position_svg(self, position: Any) -> str:
        """Return the pictures of the parts, one below another."""
        pictures = [part.position_svg(at) for part, at in zip(self.parts, position, strict=True)]
        if len(pictures) == 1:
            return pictures[0]
        parts, wide, high = [], 0.0, 0.0
        for label, picture in zip(self._labels, pictures, strict=True):
            size = _PICTURE.search(picture)
            if size is None:  # an author's own picture, of any size
                return drawing.letters(
                    self.position_text(position), title=self.position_text(position)
                )
            # The names of its moves have the letter of the part before them.
            labelled_picture = picture.replace('data-move="', f'data-move="{label}: ')
            parts.append(
                f'<text x="{_LETTER / 2:.0f}" y="{high + float(size[2]) / 2:.0f}" '
                f'text-anchor="middle" fill="currentColor" stroke="none">{label}</text>'
                + labelled_picture.replace("<svg ", f'<svg x="{_LETTER}" y="{high:.0f}" ', 1)
            )
            wide, high = max(wide, _LETTER + float(size[1])), high + float(size[2]) + _GAP
        return drawing.document(parts, (wide, high - _GAP), title=self.position_text(position))

    def parse(self, text: str) -> Any:
        """Return the position that a text stands for.

        It is a JSON list of the parts, each as JSON or as a string that the part reads; or the
        Python notation of the position; or the texts of the parts with plus signs between them,
        such as ``5 + 7``, or one below another, as ``position_text`` writes them.

        Raises:
            PositionError: it is no such text.
        """
        try:
            parts = read_literal(text)
        except ValueError:
            parts = None
        if isinstance(parts, dict) and tuple(parts) == self._position._fields:
            parts = list(parts.values())
        if text.startswith(f"{self._labels[0]}: "):
            label = "|".join(map(re.escape, self._labels))
            parts = re.split(rf"^(?:{label}): ", text, flags=re.MULTILINE)[1:]
        if not isinstance(parts, list) or len(parts) != len(self.parts):
            parts = [part.strip() for part in text.split(_PLUS.strip())]
        if len(self.parts) == 1:
            parts = [text]
        if len(parts) != len(self.parts):
            message = (
                f"{text!r} is not a position of {self.description}; write its {len(self.parts)} "
                "parts as a JSON list, or with + between them"
            )
            raise PositionError(message)
        return self._position(*(self._read(i, each) for i, each in enumerate(parts)))

    def _read(self, part: int, part_text: object) -> Any:
        text = part_text if isinstance(part_text, str) else json.dumps(part_text)
        try:
            return self.parts[part].parse(text)
        except ZermeloError as error:
            message = f"part {self._labels[part]}: {error}"
            raise PositionError(message) from None
