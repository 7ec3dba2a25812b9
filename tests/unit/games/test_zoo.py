"""What holds for every game of the zoo."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from dataclasses import fields
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

import zermelo
from support.documents import TERMINAL, matches
from support.sizes import but, some
from zermelo import games, limits
from zermelo.cli import main
from zermelo.cli.text.facts import options_text
from zermelo.errors import PositionError
from zermelo.fact_checks import check_fact
from zermelo.game.facts import largest
from zermelo.game.parameters import as_json
from zermelo.game.spaces import Descriptor
from zermelo.games import (
    Awari,
    CatAndMouse,
    CatAndMouseGrid,
    ConnectFour,
    EllysCheckers,
    FoxAndHounds,
    Kalah,
    Oware,
    Quixo,
    StoneGame,
    StoneGameWinner,
    TakeAway,
    zoo,
)
from zermelo.rules.hooks import Rules

#: The games whose parameters have no defaults, or whose defaults are large.
PARAMETERS = {
    "awari": Awari(3),
    "cat-and-mouse": CatAndMouse([[1, 3], [0], [3], [0, 2]]),
    "cat-and-mouse-grid": CatAndMouseGrid(["####F", "#C...", "M...."]),
    "connect-four": ConnectFour(4, 4),
    "ellys-checkers": EllysCheckers(".o.oo..o"),
    "fox-and-hounds": FoxAndHounds(6, "a1"),
    "kalah": Kalah(3, 2),
    "oware": Oware(3),
    "quixo": Quixo(3),
    "stone-game": StoneGame([5, -3, 4, 5]),
    "stone-game-winner": StoneGameWinner([5, -3, 4, 5]),
    "take-away": TakeAway(12, 3),
}
PAGES = Path(__file__).parents[3] / "docs" / "games"

#: Positions that are looked at; of larger games, those nearest to the start and along random games.
MOST = 600
#: Positions (or classes of equivalent ones) that are solved in about a second.
SOON = 4_000_000

every_game = pytest.mark.parametrize("name", sorted(zoo()))
#: For what compiles the rules of a game, or looks at all its positions. What is asked of one game
#: follows each other, so that its positions are found once.
most_games_when_slow = pytest.mark.parametrize(
    "name", but(sorted(zoo()), *(zoo().keys() - {"take-away"})), scope="module"
)
#: For what a solver does alike for all games: the first is asked by default.
some_games_when_slow = pytest.mark.parametrize(
    "name", some(["take-away", *sorted(zoo().keys() - {"take-away"})], 1000, slow=3)
)


@pytest.fixture(autouse=True)
def _plain_seconds():
    """Explore in plain Python no longer than users do; seconds of it are lost on larger games."""
    with limits.using(plain_seconds=limits.Limits().plain_seconds):
        yield


@cache
def example(name):
    """Return a game of the zoo that is solved in a moment."""
    return PARAMETERS.get(name) or zoo()[name]()


@cache
def positions(name):
    """Return all positions of an example, or many of them."""
    rules = Rules(example(name))
    found = dict.fromkeys(islice(rules.starts(), MOST))
    for position in nearest(rules, list(found)):
        found.setdefault(position)
    random = Random(name)
    for _ in range(20):  # towards the ends of the game, too
        position = found and next(iter(found))
        for _ in range(300):
            moves = [] if rules.terminal(position) is not None else list(rules.moves(position))
            if not moves:
                break
            position = rules.play(position, random.choice(moves))
            found.setdefault(position)
    return list(found)


def nearest(rules, found, most=MOST):
    """Return the positions that follow some, until there are more than ``most``."""
    known = set(found)
    for position in found:  # grows
        if len(found) > most:
            break
        for move in [] if rules.terminal(position) is not None else rules.moves(position):
            child = rules.play(position, move)
            if child not in known:
                known.add(child)
                found.append(child)
    return found


def test_every_game_has_its_hyphenated_name():
    """Each file of a game has one class, named as the file is."""
    for name, kind in zoo().items():
        assert games.hyphenated(kind.__name__) == name
        assert getattr(games, kind.__name__) is kind
        assert kind.__module__.rpartition(".")[2] == name.replace("-", "_")
    assert set(dir(games)) == {"zoo", *(kind.__name__ for kind in zoo().values())}
    with pytest.raises(AttributeError, match="no attribute 'TicTacTo'") as caught:
        games.TicTacTo  # noqa: B018  # what is asked for
    assert (caught.value.name, caught.value.obj) == ("TicTacTo", games)  # Python suggests a name


def test_type_checkers_know_every_game():
    """The list for type checkers has each game's file, as no type checker runs ``__getattr__``."""
    tree = ast.parse(Path(games.__file__).read_text(encoding="utf-8"))
    listed = {
        (node.module, alias.name, alias.asname)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if node.module.startswith("zermelo.games.")
    }
    found = {(kind.__module__, kind.__name__, kind.__name__) for kind in zoo().values()}
    assert listed == found


def test_asking_for_one_game_reads_its_file_only():
    """The others are not imported, so that the zoo may grow without slowing a start."""
    script = "import sys; from zermelo.games import TicTacToe; sys.exit('{}' in sys.modules)"
    other = "zermelo.games.pursuit.cat_and_mouse"
    subprocess.run([sys.executable, "-c", script.format(other)], check=True)


@every_game
def test_a_game_says_what_is_published_about_it(name):
    """Each game has facts, with sources, and parameters that make a game."""
    kind = zoo()[name]
    assert kind.facts, f"{name} has no facts"
    for fact in kind.facts:
        if fact.checked:  # the others may be of a size that the game refuses
            assert isinstance(kind(**fact.parameters), kind)


#: Positions up to which each fact is compared with a solve by the slow tests. Of larger ones, and
#: those that do not say how many positions there are, a slow test takes one of each form; but of
#: those that take long, the smallest of a game that has no other.
MOST_OF_A_FACT, MOST_OF_A_FORM = 2_000, 400_000


def marks_of(name, kind, fact):
    """Return when a fact is compared: by default, by the slow tests or by the huge ones."""
    if name == "tic-tac-toe":
        return ()
    checked = [each for each in kind.facts if each.checked]
    alike = [each for each in checked if form_of(each) == form_of(fact)]
    is_first, is_least = (
        fact is min(these, key=lambda each: each.positions or 0) for these in (alike, checked)
    )
    is_small = fact.positions is not None and fact.positions <= MOST_OF_A_FACT
    is_first &= (fact.positions or 0) <= MOST_OF_A_FORM
    return pytest.mark.slow if is_small or is_first or is_least else pytest.mark.huge


def form_of(fact):
    """Return the names of a fact's claims, and its parameters that are words: they change rules."""
    words = {
        key: value
        for key, value in fact.parameters.items()
        if isinstance(value, bool) or re.fullmatch("[a-z]+", str(value))
    }
    return sorted(fact.claims), fact.misere, words


FACTS = [
    pytest.param(name, n, id=f"{name}-{n}", marks=marks_of(name, kind, fact))
    for name, kind in zoo().items()
    for n, fact in enumerate(kind.facts)
    if fact.checked
]


@pytest.mark.parametrize(("name", "number"), FACTS)
def test_solutions_agree_with_what_is_published(name, number):
    """The value, the remoteness, the counts and the rest are those of others."""
    fact = zoo()[name].facts[number]
    assert check_fact(zoo()[name], fact).differences == ()


@every_game
def test_a_game_has_a_page(name):
    """The page has the rules, a picture, something to try, the facts and the history."""
    (page,) = PAGES.glob(f"*/{name}.md")
    assert page.parent.name == zoo()[name].__module__.split(".")[-2]
    text = page.read_text(encoding="utf-8")
    for heading in ("The game", "Try it", "Facts", "History", "Things to try"):
        assert text.count(f"\n## {heading}\n") == 1, heading
    assert text.startswith("# ")
    assert f"{{picture}} {name}\n" in text


def test_pages_list_the_facts_that_the_classes_declare():
    """A page is out of date where it shows others than the command does."""
    stale = []
    for name in zoo():
        (page,) = PAGES.glob(f"*/{name}.md")
        asked = rf"^\$ zermelo games {name} --facts\n(.*?)^(?:\$ |```)"
        shown = re.search(asked, page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        said = CliRunner().invoke(main, ["games", name, "--facts"], env=TERMINAL)
        if shown is None or not matches(shown[1], said.output):
            stale.append(name)
    assert stale == []


@every_game
def test_the_pictures_of_a_page_can_be_drawn(name):
    """Each names parameters and a position of the game."""
    text = next(PAGES.glob(f"*/{name}.md")).read_text(encoding="utf-8")
    for lines in re.findall(rf"^```{{picture}} {name}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        options = dict(re.findall(r"^:([\w-]+): +(.*)$", lines, re.MULTILINE))
        position, _ = options.pop("position", "").strip('"'), options.pop("alt", "")
        game = zoo()[name](
            **{key.replace("-", "_"): value_of(text) for key, text in options.items()}
        )
        assert game.svg(game.parse(position) if position else game.start())


@every_game
def test_a_page_has_a_live_board_or_says_how_to_open_one(name):
    """Where no size is small enough for a page, the command that opens the explorer is there."""
    text = next(PAGES.glob(f"*/{name}.md")).read_text(encoding="utf-8")
    tried = text.partition("\n## Try it\n")[2].partition("\n## ")[0]
    assert f"```{{board}} {name}\n" in tried or f"`zermelo explore {name}" in tried


#: Positions up to which a live board is written in few seconds, and games above that number.
MOST_ON_A_BOARD = 1300
LARGER_BOARDS = {"tic-tac-toe", "hare-and-hounds"}


@pytest.mark.slow
def test_live_boards_are_of_small_games():
    """Each names parameters of the game, whose positions the pages write one by one."""
    larger = set()
    for name in zoo():
        text = next(PAGES.glob(f"*/{name}.md")).read_text(encoding="utf-8")
        for lines in re.findall(
            rf"^```{{board}} {name}\n(.*?)^```", text, re.MULTILINE | re.DOTALL
        ):
            options = dict(re.findall(r"^:([\w-]+): +(.*)$", lines, re.MULTILINE))
            given = {key.replace("-", "_"): value_of(text) for key, text in options.items()}
            rules = Rules(zoo()[name](**given))
            found = list(dict.fromkeys(rules.starts()))
            nearest(rules, found, MOST_ON_A_BOARD)
            if len(found) > MOST_ON_A_BOARD:
                larger.add(name)
    assert larger == LARGER_BOARDS


def value_of(text):
    """Return a parameter as it is written in a page, in JSON or as text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def test_the_table_of_the_zoo_has_every_game():
    """A new game has to be solved for the page: ``python -m benchmarks zoo``."""
    table = (PAGES / "table.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| \[([^]]+)\]", table, re.MULTILINE)
    assert listed == list(zoo())


def test_the_table_of_the_zoo_agrees_with_the_facts():
    """Each line has the parameters, the value, the positions and the source of a declared fact."""
    table = (PAGES / "table.md").read_text(encoding="utf-8")
    for line in re.findall(r"^\| \[.*", table, re.MULTILINE):
        link, options, value, positions, _, source = re.split(r"(?<!\\) \| ", line[2:-2])
        name = re.match(r"\[([^]]+)\]", link)[1]
        fact = largest(zoo()[name].facts)
        if fact is None:
            assert (options, source) == ("", "too large to solve; see its page"), name
            continue
        assert options.strip("` ") == options_text(fact), name
        assert source.replace("\\|", "|") == fact.source, name
        assert fact.positions in (None, int(positions.replace(",", ""))), name
        assert value_of_fact(fact, value), f"{name}: {value} is not {fact}"


def value_of_fact(fact, value):
    """Whether a value as the table tells it is what a fact says, as far as it does."""
    words = {"tie": {"tie"}, "endless": {"endless"}, "draw": {"tie", "endless"}}
    kind, *told = value.split()
    if kind == "nimber":
        return int(told[0]) == fact.nimber
    plies = int(told[-1]) if "in" in told else None
    if fact.remoteness not in (None, plies):
        return False
    if kind == "score":
        margin = int(told[0])
        meant = ("tie", "draw") if margin == 0 else ("win",) if margin > 0 else ("loss",)
        return fact.score in (None, margin) and fact.outcome in ("", *meant)
    if fact.nimber is not None and kind != ("win" if fact.nimber else "loss"):
        return False
    return not fact.outcome or kind in words.get(fact.outcome, {fact.outcome})


@some_games_when_slow
def test_the_certificate_holds(name):
    """Every value follows from its successors' values, and the values are soon found."""
    solution = zermelo.solve(example(name))
    assert len(solution) <= SOON
    assert solution.verify()


@every_game
def test_every_game_has_defaults(name):
    """Nothing but its name is needed for ``zermelo solve NAME``."""
    assert Rules(zoo()[name]()).starts()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_defaults_are_soon_solved(name):
    """Defaults are for those who try a game and want an answer; most are the examples above."""
    kind = zoo()[name]
    published = [
        fact.positions
        for fact in kind.facts
        if fact.checked and fact.positions and kind(**fact.parameters) == kind()
    ]
    if not published or min(published) > SOON:  # else the fact says so
        assert len(zermelo.solve(kind())) <= SOON


def test_importing_the_zoo_compiles_nothing():
    """Importing the games does not import Numba."""
    script = "import sys, zermelo.games; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


@every_game
def test_documented(name):
    """The first line of a game's docstring is one sentence, and each parameter is described."""
    kind = zoo()[name]
    first, *_ = (kind.__doc__ or "").splitlines()
    assert first.endswith((".", "?"))
    assert len(first) <= 100
    for field in fields(kind):
        assert re.search(rf"^\s+{field.name}: \S", kind.__doc__, re.MULTILINE)


@pytest.mark.huge
@every_game
def test_contract_is_kept(name):
    """The zoo passes the check that every author has, without so much as a hint."""
    report = zermelo.check(example(name))
    assert report, str(report)
    assert not report.hints


@most_games_when_slow
def test_contract_is_kept_as_far_as_is_seen_quickly(name):
    """The zoo passes the check also where it has a tenth of the time."""
    report = zermelo.check(example(name), max_positions=200, time=1)
    assert report, str(report)
    assert not report.hints


@most_games_when_slow
def test_shown_positions_are_read_back(name):
    """What ``show`` writes, ``parse`` reads, for every position."""
    game = example(name)
    for position in positions(name):
        assert game.parse(game.show(position)) == position


@most_games_when_slow
def test_printed_positions_are_read_back(name):
    """As Python prints it, as a tuple, in JSON with names or without, or in the game's words."""
    rules = Rules(example(name))
    for position in positions(name)[:40]:
        printed = {repr(position), json.dumps(as_json(position)), rules.position_text(position)}
        if isinstance(position, tuple):
            printed |= {repr(tuple(position)), json.dumps(position)}
        for text in printed:
            read = rules.parse(text)
            assert (read, type(read)) == (position, type(position)), text


def test_examples_of_positions_are_positions():
    """What a game says to write instead of what it cannot read, it reads."""
    tried = 0
    for name in zoo():
        rules = Rules(zoo()[name]())
        with pytest.raises(PositionError) as caught:
            rules.parse("?!?")
        found = re.search(r"(?:write|such as) ('|\")(.*?)\1", str(caught.value))
        if found and name not in {"tic-tac-chec", "ultimate-tic-tac-toe"}:  # there it is its end
            rules.parse(found[2])
            tried += 1
    assert tried > 20


@most_games_when_slow
def test_different_positions_look_different(name):
    """No two positions are shown as the same text."""
    game = example(name)
    shown = {game.show(position) for position in positions(name)}
    assert len(shown) == len(positions(name))


@most_games_when_slow
def test_pictures_are_well_formed(name):
    """A picture is one SVG element with a title, and no colour of its own for lines and text."""
    game = example(name)
    for position in positions(name)[::7]:
        root = ET.fromstring(game.svg(position))  # noqa: S314  # our own picture
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root[0].tag.endswith("title")
        assert root[0].text
        assert root.get("stroke") == "currentColor"


@most_games_when_slow
def test_moves_can_be_clicked(name):
    """Every move in a picture is spelt by one place to click after another.

    Signs between the parts of a name, as in ``b2-c3xa1``, are not clicked.
    """
    game = example(name)
    rules = Rules(game)
    for position in positions(name)[::7]:
        picture = ET.fromstring(game.svg(position))  # noqa: S314  # our own picture
        spots = {element.get("data-move") for element in picture.iter() if element.get("data-move")}
        for move in [] if rules.is_chance(position) else rules.moves(position):
            rest = rules.move_name(move)
            if name.startswith("chess-"):
                rest = rest[:4]  # what a pawn becomes is asked for afterwards
            while rest and rest not in spots:
                first = max((spot for spot in spots if rest.startswith(spot)), key=len, default="")
                assert first, f"{rules.move_name(move)} cannot be clicked"
                rest = re.sub("^ ?[-x:,] ?", "", rest.removeprefix(first))


@most_games_when_slow
def test_moves_have_names_of_their_own(name):
    """In one position no two moves have one name."""
    game = example(name)
    if not hasattr(game, "name"):
        return
    for position in positions(name):
        moves = list(game.moves(position))
        assert len({game.name(move) for move in moves}) == len(moves)


@most_games_when_slow
def test_space_holds_every_position(name):
    """Each field of each position is in the range, or among the sets, that ``space`` gives."""
    rules = Rules(example(name))
    for position in positions(name):
        flat = rules.layout.flatten(position)
        for values, numbers in rules.space_parts():
            own = [flat[n] for n in numbers]
            allowed = values.allows(own) if isinstance(values, Descriptor) else own[0] in values
            assert allowed


@most_games_when_slow
def test_levels_never_fall(name):
    """No move lowers the level."""
    game = example(name)
    if not hasattr(game, "level"):
        return
    rules = Rules(game)
    for position in positions(name):
        for move in [] if rules.terminal(position) is not None else rules.moves(position):
            assert game.level(rules.play(position, move)) >= game.level(position)


@every_game
def test_games_with_equal_parameters_are_equal(name):
    """A game can be made again from its parameters, and is then the same game."""
    game = example(name)
    again = type(game)(**{field.name: getattr(game, field.name) for field in fields(game)})
    assert again == game
    assert hash(again) == hash(game)
