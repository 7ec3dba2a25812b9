"""Agents measured against perfect play: how often they err, where, and what their errors cost.

``zermelo.evaluate`` returns an ``Evaluation``, and ``Comparison`` shows several side by side.
``zermelo.agents.plots`` draws them with matplotlib, and ``zermelo.agents.report`` writes them as a
page. Both come with the extra ``plots``.
"""

from zermelo.agents.agent_queries import Agent, BatchAgent
from zermelo.agents.notebook import Comparison
from zermelo.agents.results import (
    Evaluation,
    GameResult,
    Measured,
    PlyRates,
    Rates,
    Slip,
    ValueRates,
)
from zermelo.agents.skilled_agent import SkilledAgent
from zermelo.agents.temperature_agents import Hotstrat, Thermostrat

__all__ = [
    "Agent",
    "BatchAgent",
    "Comparison",
    "Evaluation",
    "GameResult",
    "Hotstrat",
    "Measured",
    "PlyRates",
    "Rates",
    "SkilledAgent",
    "Slip",
    "Thermostrat",
    "ValueRates",
]
