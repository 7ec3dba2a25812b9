"""Exported pages for tests: their folder is served, and asked in a browser as the server is."""

from __future__ import annotations

import functools
import random
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

ASKED = """
const [name, argument, done] = [arguments[0], arguments[1], arguments[2]];
const address = document.querySelector("script[type=module]").src;
import(address.replace("export/framed.js", "api.js"))
  .then(({ source }) => source[name](argument))
  .then((found) => done(JSON.stringify(found)), (error) => done(String(error)));
"""


@contextmanager
def hosted(folder):
    """Serve the files of a folder for the length of the block; yield the address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def played(room, seed):
    """Return the keys of a match at random."""
    source, keys = random.Random(seed), []
    while True:
        moves = room.match(None, keys).position.moves
        if not moves or len(keys) > 30:
            return keys
        keys.append(source.choice(moves).key)


def stripped(document):
    """Return a document as JSON, without what only programs need and an export leaves out."""

    def strip(part):
        if isinstance(part, list):
            return [strip(each) for each in part]
        if not isinstance(part, dict):
            return part
        omitted = {"move"} if "key" in part else {"fields"}
        return {name: strip(each) for name, each in part.items() if name not in omitted}

    return strip(document.model_dump(mode="json"))
