"""The explorer along a proof: what is not known says so, and a search is made where it is asked."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

import zermelo
from zermelo.games import ConnectFour
from zermelo.web.application import make_app
from zermelo.web.session import ExplorerSession


@pytest.fixture(scope="module")
def get(tmp_path_factory):
    """Return what asks the explorer of the file of a proof."""
    game = ConnectFour(width=4, height=4, length=3)
    path = zermelo.prove(game, memory="50MB").save(tmp_path_factory.mktemp("web") / "rows.proof")
    room = ExplorerSession("rows.proof")
    room.show(zermelo.open(path).solution)
    client = TestClient(make_app(room, "127.0.0.1"), base_url="http://127.0.0.1")
    return lambda address: client.get(f"/api/{address}").json()


@pytest.mark.slow
def test_what_is_not_in_the_proof_has_no_outcome(get):
    """The winning move and its mirror image come first; of the others nothing is claimed."""
    game = get("game")
    assert (game["method"], game["winner"], game["value"]["text"]) == ("proof", "X", "win")
    best, image, *others = get(f"position/{game['start']}")["moves"]
    assert best["value"]["outcome"] == image["value"]["outcome"] == "win"
    assert {each["value"]["outcome"] for each in others} == {None}
    assert {each["value"]["text"] for each in others} == {"unknown"}
    assert get("statistics")["win"] == game["positions"]


@pytest.mark.slow
def test_a_search_is_made_where_it_is_asked(get):
    """A position outside is settled, and known from then on; lines say where they end."""
    start = get("game")["start"]
    outside = get(f"position/{start}")["moves"][-1]["position"]
    assert get(f"position/{outside}/line")["ends"] == "unknown"
    assert "unknown" in get(f"position/{outside}/explanation")["sentences"][0]
    settled = get(f"position/{outside}/settled")
    assert settled["value"]["outcome"] is not None
    assert get(f"position/{outside}")["value"] == settled["value"]
    assert get(f"position/{outside}/answer")["name"] in "abcd"
