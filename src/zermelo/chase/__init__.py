"""What ``zermelo.pursuit`` finds: values, moves and lines of a pursuit, and its certificate."""

from __future__ import annotations

from zermelo.chase.given import Placement
from zermelo.chase.solution import Chase
from zermelo.chase.table import open_chase

__all__ = ["Chase", "Placement", "open_chase"]
