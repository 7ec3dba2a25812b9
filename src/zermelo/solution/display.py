"""Presentations of a solution: views, explanations, pictures, trees, data frames and datasets."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.forms.columns import Columns

if TYPE_CHECKING:
    from zermelo.forms.pictures import Picture
    from zermelo.progress import Listener
    from zermelo.rules.view import RulesView
    from zermelo.solution.dataset.dataset import Dataset
    from zermelo.solution.explain import Explanation
    from zermelo.solution.solved_base import Solved
    from zermelo.solution.tree import Tree
    from zermelo.solution.view import View


class SolutionDisplay(Columns):
    """A solution's methods for its presentation.

    As columns (``to_pandas``, ``to_arrow``, ``to_batches``) a row is a position.

    Attributes:
        threads: threads to use.
    """

    threads: int
    _answering: Solved

    @property
    @abstractmethod
    def _solved(self) -> Solved:
        """The solved game, graph, pursuit or sum, with compiled rules."""

    @property
    @abstractmethod
    def rules(self) -> RulesView:
        """The rules, with moves, names and pictures of positions."""

    @abstractmethod
    def _known_position(self, position: Any) -> Any:
        """Return a position in the form of the rules; by default the start."""

    def show(self, position: Any = None) -> View:
        """Return a view of a position: its picture, its value and its moves.

        A notebook draws it; ``str`` gives it as text.

        Args:
            position: the position; by default the start.

        Raises:
            PositionError: see ``solution[position]``.
        """
        from zermelo.solution.view import View

        solution: Any = self
        rules, position = self.rules, self._known_position(position)
        text, picture = rules.position_text(position), rules.position_svg(position)
        options = solution.options(position)
        value = solution[position]
        return View(position, text, picture, value, options)

    def picture(self, position: Any = None) -> Picture:
        """Return the picture of a position, to be saved as SVG, PNG, GIF or PDF.

        A line of play has ``solution.line().save("line.gif")``.

        Args:
            position: the position; by default the start.

        Raises:
            PositionError: see ``solution[position]``.
        """
        from zermelo.forms.pictures import Picture

        return Picture((self.rules.position_svg(self._known_position(position)),))

    def explain(self, position: Any = None) -> Explanation:
        """Explain in sentences why a position has its value.

        Args:
            position: the position; by default the start.

        Raises:
            PositionError: see ``solution[position]``.
        """
        from zermelo.solution.explain import explain

        solution: Any = self
        position = self._known_position(position)
        return explain(solution, position, self._answering.reasons(position))

    def tree(
        self,
        position: Any = None,
        *,
        depth: int | None = 3,
        player: str | int | None = None,
    ) -> Tree:
        """Return the moves from a position as a tree: text, a picture, or Graphviz' DOT.

        With ``player``, it is that player's strategy: one best move of theirs each time, and
        every reply of the other player, and every result of chance. A branch ends if a position
        repeats on its path from the root.

        Args:
            position: the root; by default the start.
            depth: the number of plies to show; None shows all.
            player: the player whose strategy is shown, by name or number (0 or 1); None shows
                every move of both.

        Raises:
            PositionError: see ``solution[position]``.
            ParameterError: an argument makes no sense, or the tree has more than 5,000 positions.
        """
        from zermelo.solution.tree import tree_of

        solution: Any = self
        return tree_of(solution, self._known_position(position), depth, player)

    def dataset(
        self,
        *,
        moves: Sequence[Any] | None = None,
        board_shape: tuple[int, int] | None = None,
        move_values: bool = False,
        progress: Listener | None = None,
    ) -> Dataset:
        """Return every position with its labels, for learning: streamed, in batches, in parts.

        A row is a position (one of each class of equivalent positions): its fields, the player to
        move, its value, the legal moves and the best moves, as masks over one list of moves; and
        planes, if the game has a board.

        Args:
            moves: all moves of the game, in the order of the masks; by default those that exist,
                ascending, which takes a pass over all positions. () omits the masks.
            board_shape: rows and columns of the board, for the planes: fields with a bit a cell, or
                a number a cell, row by row from the top. A placement game knows its own.
            move_values: whether each row also has the value of every move, for the player who makes
                it: see ``Dataset.batches``.
            progress: called with an ``Event`` from time to time.

        Raises:
            ParameterError: it is not the solution of a game's class, or it is one of components
                only; or there are too many moves; or the moves or the board do not fit the game.
        """
        from zermelo.progress import Reporter
        from zermelo.solution.dataset.dataset import dataset_of

        solution: Any = self
        about = (solution.method, solution.choice, self.threads)
        report = Reporter(progress)
        return dataset_of(self._solved, about, moves, board_shape, report, values=move_values)

    def _batches(self) -> tuple[Any, Iterator[Any]]:
        from zermelo.solution.export.arrow_batches import batches

        return batches(self._solved.rows(moves=True), self.threads)

    def __repr__(self) -> str:
        """Return a line with the game, its value and the number of positions."""
        from zermelo.solution.view import summary

        return f"<Solution of {self.rules.description}: {summary(self, self._answering)}>"

    def _repr_html_(self) -> str:
        """Return the solution as a small table, with the start beside it, for notebooks."""
        from zermelo.solution import view

        return view.solution_table(self, self._answering)
