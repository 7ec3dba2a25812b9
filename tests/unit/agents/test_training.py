"""The page on training on a smaller board and in fewer steps; as it stands, the page is huge."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "train-an-agent.md"
#: What the page says, and what takes a few seconds.
SMALLER = {
    "width=5": "width=4",
    "steps == 300": "steps == 40",
    "range(20_000)": "range(1_000)",
    "exact_up_to=200_000": "exact_up_to=20_000",
}


@pytest.mark.slow
def test_an_agent_is_trained_as_the_page_says(tmp_path: Path, monkeypatch):
    """The network plays better than chance, in positions that it has not seen as well."""
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    for old, new in SMALLER.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        exec(block, names)  # noqa: S102  # our own page
    network, learner = (each.everywhere.rates for each in names["both"])
    chance = network.random.value
    assert names["right"] / names["total"] > chance
    assert network.perfect.value > chance
    assert 0 < learner.perfect.value < 1
    assert Path("shares.png").stat().st_size > 0
    assert Path("agents.html").read_text(encoding="utf-8").count("<svg") >= 2
