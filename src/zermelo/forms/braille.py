"""Lines as dots of Braille characters, eight to a character."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

#: The bits of the dots of a Braille character, by column and row.
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_BLANK = 0x2800


class BrailleCanvas:
    """A rectangle of characters in which lines are drawn."""

    def __init__(self, width: int, height: int) -> None:
        """Create an empty canvas.

        Args:
            width: characters in a row.
            height: rows.
        """
        self._dots = np.zeros((height, width), dtype=np.int64)

    def draw_line(self, a: npt.ArrayLike, b: npt.ArrayLike) -> None:
        """Draw the dots of a line between two places.

        Args:
            a: the one end: characters from the left and rows from the top, to the middle of a
                character.
            b: the other end.
        """
        start, end = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
        steps = int(np.abs((end - start) * (2, 4)).max()) + 1
        for part in np.linspace(0, 1, steps + 1):
            x, y = (start + part * (end - start) + 0.5) * (2, 4)
            row, column = int(y) // 4, int(x) // 2
            self._dots[row, column] |= _DOTS[int(x) % 2][int(y) % 4]

    def rows(self) -> list[list[str]]:
        """Return the characters of each row; those without dots are spaces."""
        return [
            [chr(_BLANK + dots) if dots else " " for dots in row] for row in self._dots.tolist()
        ]
