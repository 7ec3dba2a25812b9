"""The explorer under attack: whatever somebody sends, it answers others, and in one sentence."""

from __future__ import annotations

import http.client
import random
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from unittest import mock
from urllib.parse import urlsplit

import pytest

import zermelo
from support.browsers.explorer import served
from support.processes.conditions import wait_until
from support.sizes import counts
from zermelo.games import TakeAway
from zermelo.web import connections

pytestmark = pytest.mark.timing


@pytest.fixture(scope="module")
def place():
    """Return where a small game is served: a host and a port."""
    with served("take-away", solution=zermelo.solve(TakeAway(21))) as url:
        parts = urlsplit(url)
        yield parts.hostname, parts.port


def asked(place, path="/api/status", method="GET", body=None, **headers):
    """Send a request; return the status, and what came."""
    connection = http.client.HTTPConnection(*place, timeout=60)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def opened(place, stack: ExitStack, sent: bytes = b"") -> socket.socket:
    """Open a connection, on which something may be sent, and leave it so."""
    made = stack.enter_context(socket.create_connection(place, timeout=60))
    if sent:
        made.sendall(sent)
    return made


def is_closed(made: socket.socket, seconds: float) -> bool:
    """Whether a connection is closed from the other side within some seconds."""
    made.settimeout(seconds)
    try:
        while made.recv(1 << 16):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def test_accepted_connections_send_small_packets_at_once(place):
    """Without TCP_NODELAY the second answer on a connection waits 40 ms for the first's receipt."""
    options, accepted = [], connections.Connection.connection_made

    def noted(self, transport):
        kept = transport.get_extra_info("socket")
        options.append(kept.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        accepted(self, transport)

    with mock.patch.object(connections.Connection, "connection_made", noted):
        assert asked(place)[0] == 200
    assert all(options)
    assert options


HALF = {
    "nothing": b"",
    "a part of the first line": b"GET /api/sta",
    "a head without an end": b"GET /api/status HTTP/1.1\r\nHost: localhost\r\nX-A: 1\r\n",
}


@pytest.mark.parametrize("sent", HALF)
def test_half_open_connections_are_closed(place, sent):
    """Whoever says nothing, or never all of it, is cut off; others are answered meanwhile."""
    with mock.patch.object(connections, "REQUEST", 0.3), ExitStack() as stack:
        half = [opened(place, stack, HALF[sent]) for _ in range(20)]
        assert asked(place)[0] == 200
        assert all(is_closed(each, 5) for each in half)
    assert asked(place)[0] == 200


def test_a_head_that_comes_byte_by_byte_is_cut_off(place):
    """However often another byte comes, the time is that of the whole head."""
    with mock.patch.object(connections, "REQUEST", 0.5), ExitStack() as stack:
        slow = opened(place, stack, b"GET /api/status HTTP/1.1\r\nX: ")

        def cut_off():
            try:
                slow.sendall(b"y")
            except OSError:  # reset, or a broken pipe
                return True
            return False

        wait_until(cut_off)


def test_a_second_request_may_not_keep_it_waiting_either(place):
    """Nor on a connection on which one was answered."""
    with mock.patch.object(connections, "REQUEST", 0.3), ExitStack() as stack:
        whole = b"GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n"
        kept = opened(place, stack, whole)
        assert kept.recv(1 << 16).startswith(b"HTTP/1.1 200")
        kept.sendall(whole[:-2])
        assert is_closed(kept, 5)


def test_many_half_open_connections_shut_nobody_out(place):
    """Of more than there may be, the oldest that say nothing go; the rest are served."""
    with mock.patch.object(connections, "MOST", 20), ExitStack() as stack:
        half = [opened(place, stack) for _ in range(300)]
        for _ in range(5):
            assert asked(place)[0] == 200
        assert sum(is_closed(each, 0.001) for each in half[:-40]) == 260
        assert not any(is_closed(each, 0.001) for each in half[-5:])


def test_an_answer_that_nobody_takes_is_given_up(place):
    """Whoever asks for much and reads nothing holds no more than a connection, and not for long."""
    request = b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    gone, lost = threading.Event(), connections.Connection.connection_lost

    def noted(self, exc):
        lost(self, exc)
        gone.set()

    with (
        mock.patch.object(connections, "TAKING", 0.3),
        mock.patch.object(connections.Connection, "connection_lost", noted),
        socket.socket() as deaf,
    ):
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(place)
        deaf.sendall(request * 2000)
        assert gone.wait(60)
    assert asked(place)[0] == 200


def mixed(draw: random.Random) -> dict:
    """Return a request such as nobody sends who means well, or one that somebody does."""
    code = ",".join(str(draw.choice((0, 1, 21, -1, 10**30, "x", "%00"))) for _ in range(2))
    return draw.choice(
        [
            {},
            {"path": "/"},
            {"path": f"/api/position/{code}"},
            {"path": f"/api/position/{draw.randrange(30)}/tree?depth={draw.choice((1, 10**9))}"},
            {"path": "/" + "a" * draw.choice((10, 13_000))},
            {"path": "/../../etc/passwd"},
            {"path": "/static/..%2f..%2fserver.py"},
            {"path": "/api/match?" + "move=1&" * draw.choice((1, 900))},
            {"Host": draw.choice(("evil.example", "127.0.0.1.evil.example", ""))},
            {"Origin": draw.choice(("https://evil.example", "null", "http://localhost.evil"))},
            {"method": draw.choice(("POST", "PUT", "DELETE", "OPTIONS", "TRACE"))},
            {"method": "POST", "body": b"x" * draw.choice((1, 100_000))},
            {"X-Long": "y" * draw.choice((100, 60_000))},
        ]
    )


@counts(66, None, 20_000)
def test_mixed_requests_are_answered_or_refused(place, count):
    """By several at once: each gets a status that says what it is, and none is a fault of ours."""
    seen: set[int] = set()

    def send(number: int) -> None:
        what = mixed(random.Random(number))
        try:
            status, _ = asked(place, **what)
        except (http.client.HTTPException, OSError):  # cut off while it was still sending
            assert "body" in what or "X-Long" in what
            return
        seen.add(status)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(send, range(count)))
    assert seen <= {200, 307, 400, 403, 404, 405, 413, 414, 422, 431}
    assert {200, 403, 404, 405} <= seen
    assert asked(place)[0] == 200


@pytest.mark.slow
def test_two_hundred_at_once_are_answered(place):
    """Each in its turn."""
    with ThreadPoolExecutor(200) as pool:
        found = list(pool.map(lambda _: asked(place)[0], range(200)))
    assert found == [200] * 200
