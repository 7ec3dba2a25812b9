"""The JSON of the explorer: right values, and one sentence for whatever cannot be answered."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import PositionError
from zermelo.web.application import make_app
from zermelo.web.position_codes import code_of, position_of, read
from zermelo.web.session import ExplorerSession


def test_a_position_has_its_value_and_every_move_best_first(ask, solutions):
    """Values and distances are those of the solution, in its order."""
    solution = solutions["tic-tac-toe"]
    for position in [solution.start, *solution.line().positions]:
        found = ask(f"position/{code_of(position)}")
        value = solution[position]
        assert found["value"]["outcome"] == str(value.outcome)
        assert found["value"]["remoteness"] == value.remoteness
        assert found["svg"] == solution.game.svg(position)
        assert found["over"] is (not solution.options(position))
        assert [(m["name"], m["position"], m["value"]["text"]) for m in found["moves"]] == [
            (o.name, code_of(o.position), str(o.value)) for o in solution.options(position)
        ]


def test_the_game_tells_what_it_is(ask):
    """Its name, parameters, value and winner."""
    found = ask("game", "cat-and-mouse")
    assert found["game"] == "cat-and-mouse"
    assert found["title"] == "Cat and Mouse, 6 nodes"
    assert found["instructions"][0].startswith("A mouse runs for its hole")
    assert len(found["instructions"]) == 2
    assert found["parameters"]["mouse"] == 1
    assert found["players"] == ["mouse", "cat"]
    assert found["called"] == ["the mouse", "the cat"]
    assert (found["start"], found["winner"]) == ("1,2,0", None)
    assert found["value"]["text"] == "endless draw"


def test_statistics_add_up(ask, solutions):
    """Positions by value are all positions."""
    for name, solution in solutions.items():
        found = ask("statistics", name)
        assert found["positions"] == solution.counts().positions
        assert sum(row["positions"] for row in found["by_value"]) == found["positions"]
        assert found["win"] + found["draw"] + found["loss"] == found["positions"]


def test_a_match_knows_its_mistakes_and_who_was_ahead(ask):
    """A corner, an edge in answer: the reply loses, and the course says so from then on."""
    found = ask("match", move=["a3", "b3", "a1"])
    assert [ply["lost"] for ply in found["plies"]] == [None, "outcome", None]
    assert [ply["mistake"] for ply in found["plies"]] == ["", "turned a draw into a loss in 6", ""]
    assert [at["favours"] for at in found["course"]] == [None, None, 0, 0]
    assert found["player"] == 1
    assert found["prospects"] == "X wins in 4 plies"
    assert found["position"]["text"] == "X O .\n. . .\nX . ."


def test_a_match_of_a_score_game_tells_the_final_margin(ask):
    """Whatever both do, the margin in the end is that of the course's last standing."""
    found = ask("match", "stone-game", move=["left", "right", "left", "left"])
    assert found["over"]
    assert found["course"][-1]["margin"] == 5 - 5 + -3 - 4
    assert found["winner"] == "second"


def test_a_match_may_begin_anywhere(ask):
    """The address of a position alone is a match without moves."""
    found = ask("match", "cat-and-mouse", **{"from": "3,5,0"})
    assert (found["start"], found["plies"], found["player"]) == ("3,5,0", [], 0)


def test_the_second_player_may_begin_where_positions_do_not_say(ask):
    """Then it is that player's turn, and the winner and the course are named accordingly."""
    moves = ["a1", "b2", "c3", "b1", "a2", "b3"]
    whole = ask("match", move=["c1", *moves])
    rest = ask("match", **{"from": whole["plies"][1]["position"], "mover": 1}, move=moves)
    assert (rest["mover"], rest["players"], rest["winner"]) == (1, ["X", "O"], whole["winner"])
    assert [ply["player"] for ply in rest["plies"]] == [1, 0, 1, 0, 1, 0]
    for at, other in zip(rest["course"], whole["course"][1:], strict=True):
        assert (at["favours"], at["text"]) == (other["favours"], other["text"])
    said = ask("match", "cat-and-mouse", **{"from": "3,5,0", "mover": 1})
    assert (said["mover"], said["player"]) == (0, 0)


@pytest.mark.parametrize(
    ("name", "code", "mover"),
    [
        ("tic-tac-toe", "0,16", 1),
        ("tic-tac-toe", "1,16", 0),
        ("cat-and-mouse", "3,5,1", 1),
        ("take-away", "21", 0),
        ("take-away", "20", None),
        ("stone-game", "1,4", 1),
    ],
)
def test_who_is_to_move_follows_from_the_position_where_it_can(ask, name, code, mover):
    """By the turn, or by the level where each move raises it by one; a heap tells nothing."""
    assert ask(f"position/{code}", name)["mover"] == mover
    found = ask("match", name, **{"from": code})
    assert (found["player"], found["mover_known"]) == (mover or 0, mover is not None)
    assert ask("match", name, **{"from": code, "mover": 1})["mover_known"]


def test_points_are_each_players_own(ask):
    """In a score game, what each has taken so far; elsewhere there are none."""
    found = ask("match", "stone-game", move=["left", "right", "left", "left"])
    assert found["points"] == [5 + -3, 5 + 4]
    assert ask("match", "stone-game")["points"] == [0, 0]
    assert ask("match", "tic-tac-toe")["points"] is None


@pytest.mark.parametrize("name", ["tic-tac-toe", "cat-and-mouse", "take-away", "stone-game"])
def test_a_position_at_random_can_be_played_on(ask, name):
    """It is one of the game's, with the right player to move, and others have other seeds."""
    found = [ask("random", name, seed=seed) for seed in range(12)]
    for place in found:
        position = ask(f"position/{place['position']}", name)
        assert not position["over"]
        assert position["mover"] in (None, place["mover"])
    assert len({place["position"] for place in found}) > 1


def test_a_puzzle_has_one_right_move(ask):
    """All others let the win slip, or the draw."""
    puzzles = [ask("puzzle", seed=seed) for seed in range(6)]
    assert len({found["position"] for found in puzzles}) > 2
    for found in puzzles:
        best, *others = ask(f"position/{found['position']}")["moves"]
        assert best["value"]["outcome"] == found["goal"]
        assert len(others) > 1
        assert all(each["value"]["outcome"] != found["goal"] for each in others)
    assert ask("puzzle", "stone-game") is None  # two moves only


def test_the_margin_is_the_first_players_whoever_begins(ask):
    """A row without its first pile is worth the same to both, the other way about."""
    found = ask("match", "stone-game", move=["right"])
    rest = ask("match", "stone-game", **{"from": found["position"]["position"], "mover": 1})
    assert rest["course"][0]["margin"] == found["course"][1]["margin"] - 5


def test_two_plies_deep(ask, solutions):
    """Each move has the replies to it, with their worth to who replies."""
    tree = ask("position/3/tree", "take-away")
    assert [(move["name"], len(move["replies"])) for move in tree["moves"]] == [
        ("take 3", 0),
        ("take 1", 2),
        ("take 2", 1),
    ]
    assert tree["moves"][1]["replies"][0]["value"]["text"] == "win in 1"


def test_the_line_can_be_played(ask):
    """The keys of a line make a match that ends where the line does."""
    line = ask("position/0,0/line")
    assert line["ends"] == "terminal"
    match = ask("match", move=line["keys"])
    assert match["over"]
    assert match["position"]["position"] == line["positions"][-1]


def test_why(ask, solutions):
    """The sentences are those of the solution."""
    why = ask("position/5/explanation", "take-away")
    assert tuple(why["sentences"]) == solutions["take-away"].explain(5).sentences


def test_an_opponent_answers(ask, client):
    """Perfect play takes the only winning move; random play, sooner or later, others too."""
    assert {ask("position/21/answer", "take-away", seed=n)["name"] for n in range(9)} == {"take 1"}
    weak = {ask("position/21/answer", "take-away", seed=n, skill=0)["name"] for n in range(30)}
    assert weak == {"take 1", "take 2", "take 3"}
    assert ask("position/0/answer", "take-away") is None


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("tic-tac-toe", "X../.O./...", "1,16"),
        ("tic-tac-toe", "1,16", "1,16"),
        ("tic-tac-toe", '{"mine": 1, "theirs": 16}', "1,16"),
        ("cat-and-mouse", "mouse 3, cat 5, cat to move", "3,5,1"),
        ("cat-and-mouse", "[3, 5, 1]", "3,5,1"),
        ("take-away", "7 stones", "7"),
        ("stone-game", "5 [-3 4] 5", "1,3"),
    ],
)
def test_a_position_is_read(ask, name, text, code):
    """As the game writes it, in numbers, and as JSON."""
    assert ask("read", name, text=text)["position"] == code


@pytest.mark.parametrize("name", ["tic-tac-toe", "cat-and-mouse", "take-away", "stone-game"])
def test_codes_are_read_back(solutions, name):
    """The code of a position is that position's alone."""
    solution = solutions[name]
    codes = {code_of(position): position for position in solution}
    assert len(codes) == len(solution)
    assert all(position_of(code, solution) == position for code, position in codes.items())


@pytest.mark.slow
@settings(max_examples=15)
@given(text=st.text(max_size=60))
def test_any_text_is_a_position_or_refused_in_a_sentence(solutions, text):
    """Reading never fails otherwise."""
    for solution in solutions.values():
        try:
            found = read(text, solution)
        except PositionError:
            continue
        assert found in solution


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("position/511,511", 404, "Board(mine=511, theirs=511) cannot be reached"),
        ("position/1", 404, "'1' has 1 numbers, and positions of TicTacToe have 2"),
        ("position/99999999999999999999,0", 404, "cannot be reached"),
        ("position/x", 422, "position cannot be used"),
        ("position/0,0/answer?skill=101", 422, "skill cannot be used"),
        ("match?move=a1&move=a1", 404, "'a1' is not a move here; play"),
        ("match?move=" + "a" * 501, 422, "move.0 cannot be used"),
        ("match?from=-", 422, "from cannot be used"),
        ("read?text=nonsense", 404, "'nonsense' is not"),
        ("read", 422, "text cannot be used: field required"),
        ("nothing/here", 404, "there is no /api/nothing/here; see /api/openapi.json"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_a_sentence(client, path, status, sentence):
    """4xx, and JSON with one sentence."""
    response = client().get(f"/api/{path}")
    assert response.status_code == status
    assert list(response.json()) == ["detail"]
    assert sentence in response.json()["detail"]
    assert "\n" not in response.json()["detail"]


@pytest.mark.parametrize("path", ["", "static/app.js", "static/style.css", "api/game"])
def test_nothing_may_be_loaded_from_elsewhere(client, path):
    """Every answer has the policy, and the pages name nothing outside."""
    response = client().get(f"/{path}")
    assert response.status_code == 200
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    outside = response.text.replace("http://www.w3.org/2000/svg", "")
    assert "http://" not in outside
    assert "https://" not in outside


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:1", "127.0.0.1:8765", "[::1]:8765", "LOCALHOST", "127.0.0.2"]
)
def test_names_of_this_machine_are_let_in(client, host):
    """Whatever the port, since it may have been forwarded."""
    assert client().get("/api/game", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["example.com", "localhost.example.com", "10.0.0.1", "", "[", "a:b:c"]
)
def test_foreign_hosts_are_refused(client, host):
    """A name that somebody else may own is none of ours, even if it leads here."""
    response = client().get("/api/game", headers={"host": host})
    assert response.status_code == 403
    assert "is not a name of this server" in response.json()["detail"]


def test_a_server_for_others_takes_numbers_and_its_own_name(client):
    """Listening elsewhere, the name it was given will do, and any number, but no other name."""
    wide = client(host="games.example")
    for host, status in [("games.example", 200), ("10.0.0.1", 200), ("other.example", 403)]:
        assert wide.get("/api/game", headers={"host": host}).status_code == status


@pytest.mark.parametrize("origin", ["https://example.com", "null", "http://localhost:1"])
def test_foreign_origins_are_refused(client, origin):
    """Another page, even one of this machine, may not ask."""
    response = client().get("/api/game", headers={"origin": origin})
    assert response.status_code == 403
    assert "another site" in response.json()["detail"]


def test_our_own_origin_is_let_in(client):
    """What the page itself asks may say where it comes from."""
    headers = {"origin": "http://localhost:8765"}
    assert client().get("/api/game", headers=headers).status_code == 200


def test_huge_requests_are_refused(client):
    """Long addresses, bodies and other methods."""
    assert client().get("/api/read", params={"text": "x" * 20_000}).status_code == 414
    assert client().get("/" + "x" * 20_000).status_code == 414
    assert client().request("GET", "/api/game", content=b"x" * 10).status_code == 413
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "HEAD"):
        assert client().request(method, "/api/game").status_code == 405


def test_files_outside_are_not_served(client):
    """No way leads out of the folder of static files."""
    for path in (
        "/static/../session.py",
        "/static/%2e%2e/session.py",
        "/static//etc/passwd",
        "/static",
    ):
        assert client().get(path).status_code in (404, 405)


def test_a_game_that_is_being_solved_says_how_far_it_is():
    """Until then questions are put off, and afterwards they are answered."""
    room, go_on = ExplorerSession("countdown"), threading.Event()
    client = TestClient(make_app(room, "localhost"), base_url="http://localhost")

    def solver(listener):
        listener(zermelo.Event("explore", 5, 10, 0.5))
        go_on.wait(60)
        return zermelo.solve(zermelo.games.TakeAway(5))

    room.solve(solver, lambda: None)
    status = client.get("/api/status").json()
    assert (status["state"], status["game"]) == ("solving", "countdown")
    waiting = client.get("/api/game")
    assert (waiting.status_code, waiting.headers["retry-after"]) == (503, "1")
    assert waiting.json() == {"detail": "countdown is still being solved"}
    go_on.set()
    for _ in range(1000):
        if (status := client.get("/api/status").json())["state"] == "ready":
            break
        threading.Event().wait(0.05)
    assert (status["phase"], status["done"], status["total"]) == ("explore", 5, 10)
    assert client.get("/api/game").json()["positions"] == 6


def test_a_solve_that_fails_says_why():
    """The status has the sentence, and so has every question."""
    room, told = ExplorerSession("large"), threading.Event()
    client = TestClient(make_app(room, "localhost"), base_url="http://localhost")

    def solver(listener):
        raise zermelo.BudgetError("it needs more memory", 2, 1)

    room.solve(solver, told.set)
    assert told.wait(60)
    status = client.get("/api/status").json()
    assert (status["state"], status["problem"]) == ("failed", "it needs more memory")
    assert client.get("/api/position/1").json() == {"detail": "it needs more memory"}


@dataclass(frozen=True)
class Clumsy(zermelo.Game):
    """Its moves share a name, its picture fails, and its parse does not know what it does."""

    def start(self):
        return 4

    def moves(self, n):
        for step in range(1, min(2, n) + 1):
            yield step

    def play(self, n, step):
        return n - step

    def name(self, step):
        return "a step"

    def svg(self, n):
        return 1 / (n - 2)

    def parse(self, text):
        return [][text]


def test_clumsy_games_are_answered_too():
    """Moves with one name have keys of their own, and what rules raise is told in a sentence."""
    from zermelo import web

    app = web.app(zermelo.solve(Clumsy()))
    client = TestClient(app, base_url="http://localhost", raise_server_exceptions=False)
    found = client.get("/api/match", params={"move": ["1", "2"]}).json()
    assert found["position"]["position"] == "1"
    assert sorted(ply["key"] for ply in found["plies"]) == ["1", "2"]
    failed = client.get("/api/position/2")
    assert failed.status_code == 500
    assert failed.json()["detail"].endswith("raised ZeroDivisionError: division by zero")
    assert client.get("/api/read?text=3").json()["position"] == "3"
    assert "is not a position" in client.get("/api/read?text=x").json()["detail"]


def test_a_missing_address_is_a_page_except_for_programs(client):
    """A reader gets a page with a way back, a program a sentence."""
    page = client().get("/no/page")
    assert (page.status_code, page.headers["content-type"][:9]) == (404, "text/html")
    assert '<a href="../">Go to the first page</a>' in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert client().get("/api/no/page").json()["detail"].startswith("there is no /api/no/page")
