"""The JSON documents of the explorer, from which the OpenAPI description is generated."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field


class ProblemDocument(BaseModel):
    """The problem with a request."""

    detail: str = Field(description="One sentence.")


class ValueDocument(BaseModel):
    """A value for the player to move, or of a move for the player who makes it."""

    outcome: Literal["win", "draw", "loss"] | None = Field(
        description="Null only along a proof, if it is not known."
    )
    remoteness: int | None = Field(description="Plies to the end; null without an end.")
    score: int | None = Field(description="In a score game, the margin from here on.")
    nimber: int | None = Field(description="If nimbers were requested, the nimber.")
    infinity: list[int] | None = Field(
        default=None,
        description="If nimbers were requested and a position has none, as play need not end: the "
        "nimbers of its successors.",
    )
    bounds: tuple[float, float] | None = Field(
        default=None,
        description="In a game with chance, the least and the greatest possible expectation: of "
        "the result, from -1 to 1, or in a score game of the margin from here on.",
    )
    probability: tuple[float, float] | None = Field(
        default=None,
        description="In a game with chance, the least and the greatest possible probability of a "
        "win, a draw counting half; null in a score game.",
    )
    game: str | list[Any] | None = Field(
        default=None,
        description="If values of partizan games were requested, the game that the position is "
        "worth, with the player to move as Left, as text; or if that is too long, a list of its "
        "followers, each a number as text, or the places of its options in the list.",
    )
    text: str = Field(description="The same in words, such as `win in 7`.")


class GameValueDocument(BaseModel):
    """The value of a position of a partizan game; numbers are texts, as they may be fractions."""

    left: list[str] = Field(description="Left's options in the canonical form.")
    right: list[str] = Field(description="Right's options in the canonical form.")
    outcome_class: Literal["P", "N", "L", "R"] = Field(
        description="Who wins when either player begins; L is the player to move."
    )
    left_stop: str = Field(description="The number at which play ends if Left begins.")
    right_stop: str = Field(description="The number at which play ends if Right begins.")
    temperature: str = Field(description="The urgency of a move.")
    mean: str = Field(description="What a copy is worth on average in a sum of many.")
    thermograph: str = Field(description="A picture of the thermograph, as SVG.")


class OddsDocument(BaseModel):
    """The probability of a result of chance: its weight divided by the sum of all weights."""

    weight: int
    total: int = Field(description="The sum of the weights of all results at the position.")


class MoveDocument(BaseModel):
    """A move with its value for the player who makes it; or a result of chance.

    The value of a result of chance is for the player whose turn it is before it.
    """

    name: str = Field(description="The game's name for it.")
    key: str = Field(description="Its key in an address: its name, if that is unique.")
    move: Any = Field(description="The move in the game's form.")
    position: str = Field(description="The code of the position after it.")
    value: ValueDocument = Field(description="Remoteness is counted from before the move.")
    odds: OddsDocument | None = Field(
        default=None, description="The probability of a result of chance; null for a move."
    )
    note: str = Field(
        default="",
        description="If values of partizan games were requested, the role of the move in the "
        "canonical form, such as `dominated by a3a2`; otherwise empty.",
    )


class PositionDocument(BaseModel):
    """A position with its value and every move in it."""

    position: str = Field(description="Its code: its numbers in their order.")
    fields: Any = Field(description="The position in the game's form.")
    mover: Literal[0, 1] | None = Field(
        description="The player to move; null if the position does not show it."
    )
    text: str = Field(description="The game's text of the position.")
    svg: str = Field(description="A picture; `data-move` marks the places of moves.")
    over: bool = Field(description="Whether the game is over.")
    chance: bool = Field(description="Whether chance decides, and no player.")
    value: ValueDocument
    moves: list[MoveDocument] = Field(
        description="Best first; if chance decides, its results in the order of the rules."
    )
    more: int = Field(description="Moves left out, as there are too many.")
    partizan: GameValueDocument | None = Field(
        default=None,
        description="If values of partizan games were requested, more of this one.",
    )


class BranchDocument(MoveDocument):
    """A move with the replies to it."""

    again: bool = Field(description="Whether the player who makes it moves again.")
    points: int = Field(description="In a score game, the points that the move makes; otherwise 0.")
    replies: list[MoveDocument] = Field(
        description="Best first, for the player who replies; or the results of chance."
    )
    more: int = Field(description="Replies left out, as there are too many.")


class TreeDocument(BaseModel):
    """The moves in a position, two plies deep."""

    position: str
    moves: list[BranchDocument]
    more: int = Field(description="Moves left out, as there are too many.")


class LineDocument(BaseModel):
    """A line of perfect play, with the likeliest result wherever chance decides."""

    position: str
    moves: list[str] = Field(description="Their names.")
    keys: list[str] = Field(description="Their keys in an address.")
    positions: list[str] = Field(description="The code of the position after each move.")
    ends: Literal["terminal", "repeats", "cut", "unknown"]


class ExplanationDocument(BaseModel):
    """An explanation of a position's value."""

    position: str
    sentences: list[str]


class StandingDocument(BaseModel):
    """The player who is ahead after a number of plies."""

    ply: int
    position: str
    favours: Literal[0, 1] | None = Field(
        description="The player who wins, or null for a draw; in a game with chance, the player "
        "with the better prospects, or null if neither has."
    )
    remoteness: int | None
    margin: int | float | None = Field(
        description="In a score game, by how much player 0 comes out ahead in the end, with the "
        "points of this match so far; in a game with chance, the middle of the bounds of that."
    )
    probability: float | None = Field(
        default=None,
        description="In a game with chance, the middle of the bounds of the probability that "
        "player 0 wins, a draw counting half; null in a score game.",
    )
    text: str


class PlayedDocument(BaseModel):
    """One move of a match, or a result of chance in it."""

    ply: int
    player: Literal[0, 1] = Field(
        description="The player who made it, or whose turn it was when chance decided."
    )
    name: str
    key: str
    position: str = Field(description="The code of the position it was made in.")
    lost: Literal["outcome", "points", "plies"] | None
    mistake: str = Field(
        description="The effect of the move, such as `turned a win in 5 into a draw`; empty for a "
        "best one."
    )
    best: list[str] = Field(description="The names of the best moves; none if chance decided.")
    odds: OddsDocument | None = Field(
        default=None, description="The probability of a result of chance; null for a move."
    )


class MatchDocument(BaseModel):
    """A match: a position to begin in and the moves made from there."""

    start: str
    mover: Literal[0, 1] = Field(description="The player to move at the beginning.")
    mover_known: bool = Field(
        description="Whether the position or the request determines `mover`; else it is assumed."
    )
    players: tuple[str, str]
    plies: list[PlayedDocument]
    course: list[StandingDocument] = Field(description="One more than moves.")
    player: Literal[0, 1] = Field(description="The player to move.")
    points: tuple[int, int] | None = Field(
        description="In a score game, the points of each player in this match so far."
    )
    over: bool
    winner: str | None
    prospects: str = Field(description="The result of perfect play from here.")
    position: PositionDocument


class PlaceDocument(BaseModel):
    """A position to go to."""

    position: str = Field(description="Its code.")
    mover: Literal[0, 1] = Field(description="The player to move there.")


class PuzzleDocument(PlaceDocument):
    """A position with only one right move."""

    goal: Literal["win", "draw", "points"] = Field(description="What the right move keeps.")


class GameDocument(BaseModel):
    """The game that was solved."""

    game: str
    title: str = Field(description="Its name, with its size: `Connect Four 5×4`.")
    about: str
    instructions: list[str] = Field(description="The rules in words, a paragraph each.")
    parameters: dict[str, Any]
    players: tuple[str, str]
    called: tuple[str, str] = Field(
        description="The players as a sentence has them, such as `the mouse`."
    )
    words: dict[str, str] = Field(description="The words for positions of an outcome.")
    by: str = Field(description="The unit of a number beside an outcome: plies, or points.")
    alternate: bool = Field(description="Whether positions do not show the player to move.")
    chance: bool = Field(description="Whether chance decides at some positions.")
    start: str = Field(description="The code of the start.")
    value: ValueDocument
    winner: str | None
    positions: int = Field(
        description="The number of stored positions; equivalent ones may count as one."
    )
    method: str
    choice: str
    seconds: float


class NumberDocument(BaseModel):
    """The number of positions of one value."""

    outcome: Literal["win", "draw", "loss"]
    at: int | float | None = Field(description="Its coordinate on a chart; null without one.")
    positions: int
    game: str | None = Field(
        default=None, description="In a partizan game, the game that the positions are worth."
    )


class StatisticsDocument(BaseModel):
    """The number of positions of each value."""

    positions: int
    win: int
    draw: int
    loss: int
    tie: int
    endless: int
    title: str = Field(description="The title of a chart of the values.")
    by_value: list[NumberDocument] = Field(
        description="Best first; in a game with chance, by equal parts of the range of values."
    )
    step: float = Field(description="The distance of neighbouring coordinates on the chart.")
    more: int = Field(description="Values left out, as there are too many.")


class StatusDocument(BaseModel):
    """The state of the solve."""

    state: Literal["solving", "ready", "failed"]
    game: str
    title: str
    phase: str | None = Field(description="The phase of the solve.")
    done: int
    total: int | None
    seconds: float = Field(description="Since the phase began.")
    problem: str | None = Field(description="Why it failed.")
