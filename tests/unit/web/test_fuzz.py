"""The API against its own description: what it says may be sent, and much that may not."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode, checks
from schemathesis.specs.openapi import checks as described

import zermelo
from support.sizes import some
from zermelo import web
from zermelo.games import TakeAway

#: What every answer is held to: no fault of the server's, and nothing that is not described.
HELD_TO = [
    checks.not_a_server_error,
    described.status_code_conformance,
    described.content_type_conformance,
    described.response_schema_conformance,
    described.negative_data_rejection,
]


#: Every address that is described.
PATHS = [
    "/api/status",
    "/api/game",
    "/api/statistics",
    "/api/position/{position}/settled",
    "/api/read",
    "/api/position/{position}",
    "/api/position/{position}/tree",
    "/api/position/{position}/line",
    "/api/position/{position}/explanation",
    "/api/random",
    "/api/puzzle",
    "/api/match",
    "/api/position/{position}/answer",
    "/api/position/{position}/roll",
]

MODES = {"right": GenerationMode.POSITIVE, "wrong": GenerationMode.NEGATIVE}


@pytest.fixture(scope="module")
def description():
    """The description of a small game's API, with the application to send requests to."""
    app = web.app(zermelo.solve(TakeAway(21)), name="take-away")
    refusals = {"checks": {"negative_data_rejection": {"expected-statuses": ["4xx"]}}}
    config = schemathesis.Config.from_dict(refusals)
    headers = {"host": "localhost"}
    return schemathesis.openapi.from_asgi("/api/openapi.json", app, config=config, headers=headers)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("path", some(PATHS, 14))
def test_the_api_does_as_it_says(description, path, mode):
    """Whatever is sent, right or wrong, the answer is one that the description has for it."""
    operation = description[path]["GET"]
    if mode == "wrong" and not [*operation.query, *operation.path_parameters]:
        return  # nothing is taken, so nothing can be wrong

    @settings(max_examples=10, suppress_health_check=list(HealthCheck), database=None)
    @given(case=operation.as_strategy(generation_mode=MODES[mode]))
    def send(case):
        case.call_and_validate(headers={"host": "localhost"}, checks=HELD_TO)

    send()


def test_the_description_is_whole(description):
    """Each address is described, with what it answers and how it refuses."""
    paths = description.raw_schema["paths"]
    assert list(paths) == PATHS
    for path in paths.values():
        assert list(path) == ["get"]
        assert {"200", "403", "404", "422"} <= set(path["get"]["responses"])
        assert path["get"]["description"]
