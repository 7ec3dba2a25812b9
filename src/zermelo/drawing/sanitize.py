"""Sanitising of pictures by authors of games: they run no code, and load nothing.

A picture becomes part of a page: of the explorer, of a notebook, of a folder of files. Pictures
with only shapes and text remain byte-identical.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_SPACE = "http://www.w3.org/2000/svg"
#: The elements that a picture may contain.
_SHAPES = frozenset(
    [
        "svg",
        "g",
        "defs",
        "symbol",
        "use",
        "path",
        "rect",
        "circle",
        "ellipse",
        "line",
        "polyline",
        "polygon",
        "text",
        "tspan",
        "textPath",
        "title",
        "desc",
        "marker",
        "linearGradient",
        "radialGradient",
        "stop",
        "clipPath",
        "mask",
        "pattern",
        "filter",
        "feGaussianBlur",
        "feOffset",
        "feBlend",
        "feMerge",
        "feMergeNode",
        "feFlood",
        "feComposite",
        "feColorMatrix",
        "feDropShadow",
    ]
)
#: Elements in which a page would parse HTML.
_WORDS = frozenset({"title", "desc"})
#: What refers outside the picture, or runs code, anywhere in an attribute.
_AWAY = re.compile(
    r"url\(\s*(?!\s*['\"]?#)|@import|expression\s*\(|javascript:|data:|image-set|\\", re.IGNORECASE
)
#: What parsers of HTML and XML read differently: comments, declarations, instructions.
_ODD = re.compile(r"<[!?]")
_DECLARED = re.compile(r"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_NOTHING = f'<svg xmlns="{_SPACE}"></svg>'


def harmless(picture: str) -> str:
    """Return an SVG picture without scripts, styles, links and all else that is not a shape.

    Args:
        picture: an ``<svg>`` element. Anything else becomes an empty picture.
    """
    from xml.etree import ElementTree as ET

    if _DECLARED.search(picture):
        return _NOTHING
    try:
        root = ET.fromstring(picture)  # noqa: S314  # no entity is declared
        if _shape(root) != "svg":
            return _NOTHING
        if not _cleaned(root) and not _ODD.search(picture):
            return picture
        ET.register_namespace("", _SPACE)
        return ET.tostring(root, encoding="unicode")
    except (ET.ParseError, ValueError, RecursionError):
        return _NOTHING


def _shape(node: Element) -> str:
    """Return the name of an element, or "" if it is not one of SVG's."""
    space, _, name = node.tag.rpartition("}")
    return name if space in ("", f"{{{_SPACE}") else ""


def _cleaned(node: Element) -> bool:
    """Remove what an element may not contain; return whether anything was removed."""
    found = False
    for child in list(node):
        if _shape(child) not in _SHAPES or _shape(node) in _WORDS:
            node.remove(child)
            found = True
        else:
            found |= _cleaned(child)
    for name, value in list(node.attrib.items()):
        local = name.rpartition("}")[2].lower()
        leads = local in ("href", "src") and not value.strip().startswith("#")
        styles = not local.startswith(("aria-", "data-")) and _AWAY.search(value)
        if local.startswith("on") or leads or styles:
            del node.attrib[name]
            found = True
    return found
