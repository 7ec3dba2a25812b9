"""Bundling of the explorer's modules to one, as a widget's front end is a single module.

Each module becomes a function that is called once and returns the module's exports, so that two
modules may use the same name for different things.
"""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_IMPORT = re.compile(r"^import\s*\{([^}]*)\}\s*from\s*\"(\.[^\"]+)\";\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (async function|function|class|const|let) (\w+)", re.MULTILINE)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)


def bundle_module(entry: str, text: str, folder: Path) -> str:
    """Return a module, and all that it imports, as one module that imports nothing.

    Args:
        entry: the name of the module in the folder.
        text: its text; it has a default export.
        folder: the folder of the modules that it imports by ``import { … } from "./…"``.

    Raises:
        ValueError: a module has an unsupported import or export.
    """
    bundled: dict[str, str] = {}
    _add_module(entry, text, folder, bundled, ())
    modules = "".join(bundled.values())
    return f"const modules = {{}};\n{modules}export default modules[{json.dumps(entry)}].default;\n"


def _add_module(
    name: str, text: str, folder: Path, bundled: dict[str, str], importers: tuple[str, ...]
) -> None:
    """Add the imports of a module, and then the module."""
    if name in importers:
        message = f"{name} imports itself, by way of {', '.join(importers)}; remove an import"
        raise ValueError(message)

    def replace_import(match: re.Match[str]) -> str:
        target = _normal(PurePosixPath(name).parent / match[2])
        if target not in bundled:
            source = (folder / target).read_text(encoding="utf-8")
            _add_module(target, source, folder, bundled, (*importers, name))
        names = re.sub(r"(\w+)\s+as\s+(\w+)", r"\1: \2", match[1])
        return f"const {{{names}}} = modules[{json.dumps(target)}];\n"

    body = _IMPORT.sub(replace_import, text)
    names = [match[2] for match in _EXPORT.finditer(body)]
    body = _DEFAULT.sub("const _default = ", _EXPORT.sub(r"\1 \2", body))
    if re.search(r"^(?:import|export)\b", body, re.MULTILINE):
        message = f"{name} imports or exports in another way; use import {{ … }} and export NAME"
        raise ValueError(message)
    if "const _default = " in body:
        names.append("default: _default")
    returned = f"return {{ {', '.join(names)} }};"
    bundled[name] = f"modules[{json.dumps(name)}] = (() => {{\n{body}\n{returned}\n}})();\n"


def _normal(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
