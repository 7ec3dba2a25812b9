"""Filtering of requests, and security headers of answers.

A server on one's own machine can be reached by every page that a browser on it shows. So a request
must name this host, which a page elsewhere cannot do without owning the name; and if it names the
page that it comes from, that must be one of ours.
"""

from __future__ import annotations

import json
import re
import socket
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The most characters of a path with its query.
LONGEST_ADDRESS = 12_000

#: Our pages load nothing from other hosts, and no script or style that is not our own file.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class AccessRules:
    """Further ways by which requests may reach an application.

    Attributes:
        hosts: names by which a proxy makes it known, such as ``board.example``; one that begins
            with ``*.`` stands for all names with that ending.
        root_path: the path under which a proxy makes it known, such as ``/proxy/8765``, whether or
            not the proxy leaves it in the address; "" for no proxy.
        posts: paths, within the application, that accept POST.
    """

    hosts: tuple[str, ...] = ()
    root_path: str = ""
    posts: tuple[re.Pattern[str], ...] = ()

    def has(self, name: str) -> bool:
        """Return whether a host, in lower case and without a port, is one of ``hosts``."""
        return any(
            name.endswith(host[1:]) if host.startswith("*.") else name == host
            for host in self.hosts
        )


PRIVATE = AccessRules()


class RequestGuard:
    """Middleware that refuses bad requests, and adds headers to every answer."""

    def __init__(self, app: ASGIApp, host: str, door: AccessRules = PRIVATE) -> None:
        """Create the guard of an application.

        Args:
            app: the application.
            host: the host where it is served.
            door: the further hosts, paths and methods that are accepted.
        """
        self.app = app
        self.door = door
        self.host = host.lower().strip("[]")
        self.local = is_loopback(self.host)
        self.names = {"localhost", self.host}
        if not self.local:
            self.names |= {socket.gethostname().lower(), socket.getfqdn().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it in one sentence."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(k.encode(), v.encode()) for k, v in _HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        scope = self._with_root_path(scope)
        refusal = self._refusal(scope)
        if refusal is None and scope["path"] == self.door.root_path != "":
            headers = [(b"location", f"{self.door.root_path}/".encode())]
            await send_with_headers(
                {"type": "http.response.start", "status": 307, "headers": headers}
            )
            await send({"type": "http.response.body", "body": b""})
            return
        if refusal is None:
            await self.app(scope, receive, send_with_headers)
            return
        status, sentence = refusal
        body = json.dumps({"detail": sentence}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),  # further data is not read
        ]
        if status == 405:  # noqa: PLR2004  # the method
            headers.append((b"allow", b"GET"))
        start = {"type": "http.response.start", "status": status, "headers": headers}
        await send_with_headers(start)
        await send({"type": "http.response.body", "body": body})

    def _with_root_path(self, scope: Scope) -> Scope:
        """Return the request with the root path in its path, if a proxy has removed it."""
        root = self.door.root_path
        if not root:
            return scope
        path = scope["path"]
        if path != root and not path.startswith(f"{root}/"):
            path = root + path
        return {**scope, "path": path, "root_path": root}

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and the sentence of a refusal, or None."""
        headers = _Headers(scope)
        hosts, origins = headers.all("host"), headers.all("origin")
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            host = _short(hosts[0]) if hosts else "no host"
            hint = "open it as http://localhost, or start it with --allow-host"
            return 403, f"{host!r} is not a name of this server; {hint}"
        if not all(self._is_same(origin, scope, hosts[0]) for origin in origins):
            return 403, f"{_short(origins[0])!r} is another site, whose requests are refused"
        if scope["method"] != "GET" and not self._is_post(scope):
            return 405, f"{_short(scope['method'])!r} is not understood here; use GET"
        if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_ADDRESS:
            return 414, f"the address is longer than {LONGEST_ADDRESS} characters; shorten it"
        length = headers.all("content-length")
        if headers.all("transfer-encoding") or any(text != "0" for text in length):
            return 413, "requests have no body here; send none"
        return None

    def _is_post(self, scope: Scope) -> bool:
        path = scope["path"].removeprefix(self.door.root_path)
        return scope["method"] == "POST" and any(p.fullmatch(path) for p in self.door.posts)

    def _is_same(self, origin: str, scope: Scope, host: str) -> bool:
        """Return whether a page may send requests.

        It is ours, or shown by a proxy under a known name.
        """
        if origin == f"{scope['scheme']}://{host}":
            return True
        scheme, _, name = origin.lower().partition("://")
        return scheme in ("http", "https") and self.door.has(_without_port(name))

    def _is_ours(self, host: str) -> bool:
        name = _without_port(host.lower())
        if name in self.names or self.door.has(name):
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        # Nobody can own a number as a name. If other machines may connect, any number is accepted.
        return address.is_loopback or not self.local


class _Headers:
    def __init__(self, scope: Scope) -> None:
        self.pairs: list[tuple[bytes, bytes]] = scope["headers"]

    def all(self, name: str) -> list[str]:
        return [value.decode("latin-1") for key, value in self.pairs if key == name.encode()]


def is_loopback(host: str) -> bool:
    """Return whether a host can be reached from this machine only."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() in _LOOPBACK


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host


def _short(value: str) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:59]}…"  # noqa: PLR2004  # a line
