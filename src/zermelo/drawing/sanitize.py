"""Sanitising of pictures by authors of games: they run no code, and load nothing.

A picture becomes part of a page: of the explorer, of a notebook, of a folder of files. Pictures
with only shapes and text remain byte-identical.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import starmap
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
#: References outside the picture, and code, in attributes.
_AWAY = re.compile(
    r"url\(\s*(?!\s*['\"]?#)|@import|expression\s*\(|javascript:|data:|image-set|\\", re.IGNORECASE
)
#: Parts that parsers of HTML and XML read differently: comments, declarations, instructions.
_ODD = re.compile(r"<[!?]")
_DECLARED = re.compile(r"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_NOTHING = f'<svg xmlns="{_SPACE}"></svg>'


def sanitize_svg(picture: str) -> str:
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
        if not _ODD.search(picture) and all(map(_is_clean, root.iter())):
            return picture
        _clean(root)
        ET.register_namespace("", _SPACE)
        return ET.tostring(root, encoding="unicode")
    except (ET.ParseError, ValueError, RecursionError):
        return _NOTHING


def _shape(node: Element) -> str:
    """Return the name of an element, or "" if it is not one of SVG's."""
    return _shape_of(node.tag)


@lru_cache(maxsize=256)
def _shape_of(tag: str) -> str:
    space, _, name = tag.rpartition("}")
    return name if space in ("", f"{{{_SPACE}") else ""


@lru_cache(maxsize=1 << 14)  # pictures of a game have most attributes in common
def _is_kept(name: str, value: str) -> bool:
    """Return whether an element may have an attribute."""
    local = name.rpartition("}")[2].lower()
    leads = local in ("href", "src") and not value.strip().startswith("#")
    styles = not local.startswith(("aria-", "data-")) and _AWAY.search(value)
    return not (local.startswith("on") or leads or styles)


def _is_clean(node: Element) -> bool:
    """Return whether nothing has to be removed from an element, apart from its children."""
    shape = _shape_of(node.tag)
    return (
        shape in _SHAPES
        and not (shape in _WORDS and len(node))
        and all(starmap(_is_kept, node.attrib.items()))
    )


def _clean(node: Element) -> None:
    """Remove forbidden attributes and children from an element."""
    for child in list(node):
        if _shape(child) not in _SHAPES or _shape(node) in _WORDS:
            node.remove(child)
        else:
            _clean(child)
    for name, value in list(node.attrib.items()):
        if not _is_kept(name, value):
            del node.attrib[name]
