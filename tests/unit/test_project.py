"""The rules of the house, so that nobody has to remember them."""

from __future__ import annotations

import ast
import pkgutil
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import version
from pathlib import Path

import pytest

import zermelo
from zermelo.games import TakeAway
from zermelo.methods import VALUES
from zermelo.values.nimbers import NIMBERS
from zermelo.values.partizan import PARTIZAN
from zermelo.values.score_and_plies import TIMED_SCORES
from zermelo.values.win_draw_loss import OUTCOME_ALONE

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "zermelo"
MODULES = sorted(SOURCE.rglob("*.py"))
#: What is shown in browsers.
SHOWN = sorted(path for ending in ("js", "html") for path in SOURCE.rglob(f"*.{ending}"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

#: The languages a block of a page may be labelled with: those that are run, and mere text.
LANGUAGES = {"c", "console", "html", "javascript", "json", "pycon", "python", "text", "toml"}

#: Phrases that a reader would stumble over, each with what to write instead. Each begins a word,
#: and with letters, which are found many times faster than the boundary of a word.
STUMBLES = {
    r"turned round": "transposed, reversed",
    r"begun afresh|begins? afresh": "restarted",
    r"looker-on": "spectator",
    r"of its own accord": "by itself",
    r"kept unasked": "cached",
    r"is no (?:heap|amount|age|list)\b": "is not a heap",
    r"say --": "use --",
    r"nothing need be": "need not",
    r"strew\w*": "scatter",
    r"reckon\w*": "estimate",
    r"gone (?:through|on with|on from)": "scanned, resumed",
    r"given back\b": "freed, closed",
    r"all the same\b": "anyway",
    r"as ever\b": "as before",
    r"is let go\b": "is released",
    r"so many (?!items\b)": "a number of, as many",
    r"as below\b": "as the following",
    r"far access": "random access",
    r"for want of\b": "without, to save",
    r"mend it": "correct it",
    r"cut short\b": "truncated, abbreviated",
    r"is there already": "already exists",
    r"not what was written": "damaged",
    r"looked at one by one": "checked one by one",
    r"is no (?:graph|node|board|tuple)\b": "is not a …",
    r"positions are one that": "positions that symmetries make equal",
    r"whoever has which side": "whichever side a player takes",
    r"as the game says it is one": "as the game declares one",
    r"(?:begun|made|filled|numbered|found) anew\b": "restarted, rebuilt, computed again",
    r"for who cannot\b": "for screen readers, for those who cannot",
    r"who moves last\b": "the last player to move",
    (
        r"is no (?<!there is no )(?<!that is no )"
        r"(?:position|vertex|score|nimber|number|field|move|player)\b"
    ): "is not a …",
    r"is not a number of (?:threads|positions)\b": "must be at least 1",
    r"unlike things\b": "mixed types",
    r"taken for impartial\b": "assumed to be impartial",
    r"if (?:that|it) is meant\b": "if you mean",
    r"describes no\b": "does not describe a",
    r"make it first\b": "create it first",
    r"threw away\b": "lost, turned a win into a draw",
    r"in random play\b": "under random play",
    r"who moves\b(?<!player who moves)(?! first| second)": "the player to move",
    r"what is asked\b": "the question, what is wanted",
}

#: Tests that import private modules, each with what no public call reaches. Others do not.
PRIVATE = {
    "property/test_pursuit_method.py": "two descriptions of the same rules, one of them wrong",
    "property/test_ranks.py": "a solve of each space would compile its rules",
    "support/compiled_rules.py": "children in their order, and which code serves a game",
    "support/faults/tampered_tables.py": "no public call writes a wrong table",
    "support/games/dense.py": "what a solve always needs, to leave it little more",
    "support/option_lists.py": "options as kernels take them",
    "support/processes/fake_workers.py": "workers that are no processes",
    "support/processes/footprint.py": "estimates of memory, beside what is taken",
    "support/processes/kills.py": "ends in the middle of a write",
    "support/processes/lost_workers.py": "ends of workers at given units",
    "support/small_blocks.py": "sizes that are part of a table's format",
    "unit/chance/test_exact.py": "equations and wrong values that no game was found for",
    "unit/cluster/test_handing_out.py": "jobs that fail or fall silent on demand",
    "unit/cluster/test_levels_shared.py": "a part of a level that is too large",
    "unit/combinatorial/test_compiled_forms.py": "a solve falls back to Python unseen",
    "unit/compile/test_kernel_identity.py": "no call says under which name code is kept",
    "unit/compile/test_ranges.py": "a range too narrow shows only past 64 bits",
    "unit/engine/test_certify_placement.py": "verify falls back unseen",
    "unit/engine/test_certify_pursuit.py": "verify falls back unseen",
    "unit/engine/test_estimate.py": "an estimate is told only where it refuses",
    "unit/engine/test_index.py": "positions of every width, without a game for each",
    "unit/engine/test_interpreted.py": "a process answers by one form or the other",
    "unit/engine/test_lanes.py": "a processor has an instruction or has not",
    "unit/engine/test_limits.py": "the memory of the system is not the test's",
    "unit/engine/test_move_buckets.py": "threads that meet at a slot",
    "unit/engine/test_new_method.py": "a method is written inside the package",
    "unit/engine/test_numba_pipelines.py": "no call shows with what options kernels are compiled",
    "unit/engine/test_packed_moves.py": "moves are packed in solves of millions",
    "unit/engine/test_position_lists.py": "lists are written in solves of gigabytes",
    "unit/engine/test_pursuit.py": "the way of a round is chosen by its cost",
    "unit/engine/test_shared_code.py": "no call of a search shows its arrays or their types",
    "unit/engine/test_sharing.py": "which thread comes first is luck in a solve",
    "unit/engine/test_slot_window.py": "crowded lines need millions of positions",
    "unit/engine/test_slots.py": "crowded partitions need millions of positions",
    "unit/engine/test_value_operations.py": "two copies that must not err alike",
    "unit/graph/test_payoffs.py": "candidates nearly always suffice",
    "unit/heaps/test_nimbers_of_heaps.py": "the best sparse space hides the others",
    "unit/partizan/test_compiled_certificate.py": "no solve makes a wrong form",
    "unit/proving/test_equal_moves.py": "hashes whose sums no game has equal by chance",
    "unit/store/test_checkpoint.py": "a solve does not show its stages",
    "unit/store/test_container.py": "arrays of many blocks, and single faults in them",
    "unit/store/test_draft.py": "tables in many small steps",
    "unit/store/test_ordered.py": "steps of all widths, sorted in little memory",
    "unit/store/test_verify.py": "no table of a test is larger than memory",
    "unit/test_plain.py": "kernels that other tests have compiled are hidden",
    "unit/test_unknown_kind.py": "a kind that is registered nowhere",
}
#: A private module, imported or named in the text of a program.
PRIVATE_MODULE = re.compile(
    r"\bzermelo\.(?:\w+\.)*_[a-z]\w*|^\s*from zermelo import .*\b_[a-z]", re.MULTILINE
)

#: A module of Zermelo that is imported by its name in a string.
IMPORTED_BY_NAME = re.compile(r"import_module\(\s*\"(zermelo[\w.]*)\"")


def named(path):
    """Return a path as it is written from the root of the repository."""
    return path.relative_to(ROOT).as_posix()


def blocks(page):
    """Return the info string and the text of each fenced block of a page."""
    found = re.findall(r"^(`{3,}|:{3,})(.*)\n((?:.*\n)*?)^\1$", page.read_text(), re.MULTILINE)
    return [(info.strip(), text) for _, info, text in found]


def committed():
    """Return the files that are, or would be, committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


@dataclass
class Module:
    """What the rules here ask of a module, of all that it says."""

    classes: list[str] = field(default_factory=list)
    imports: list[ast.Import | ast.ImportFrom] = field(default_factory=list)
    prints: bool = False
    docstring: str | None = None


#: What a module that prints has in its text.
PRINTS = re.compile(r"print\b|sys\.std")


def statements(block):
    """Return the statements of a block, and of those within it."""
    for node in block:
        yield node
        for within in ("body", "orelse", "handlers", "finalbody", "cases"):
            yield from statements(getattr(node, within, ()))


@cache
def read(path):
    """Return what is in a module, which is parsed once, and in whose expressions few look."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    module = Module(docstring=ast.get_docstring(tree))
    for node in statements(tree.body):
        if isinstance(node, ast.ClassDef):
            module.classes.append(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            module.imports.append(node)
    for node in ast.walk(tree) if PRINTS.search(text) else ():
        if isinstance(node, ast.Name):
            module.prints |= node.id == "print"
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module.prints |= node.value.id == "sys" and node.attr in ("stdout", "stderr")
    return module


def test_importing_zermelo_is_light():
    """Importing zermelo imports neither NumPy nor Numba nor what only the command line needs."""
    heavy = ("numpy", "numba", "click", "rich", "networkx", "scipy", "fastapi", "uvicorn")
    program = f"import sys, zermelo; print(*(name for name in {heavy} if name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert done.stdout.split() == []


def test_checking_does_not_import_numba():
    """``zermelo.checking`` looks at a class in plain Python before it compiles anything."""
    program = "import sys, zermelo.checking; print('numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert done.stdout == "False\n"


def test_no_function_of_the_facade_hides_a_module():
    """``import zermelo.NAME`` gives a module only where ``zermelo.NAME`` is one."""
    modules = {found.name for found in pkgutil.iter_modules(zermelo.__path__)}
    assert modules.isdisjoint(zermelo.__all__)


def test_nothing_hides_a_module():
    """In no package is a function or a class named as one of its modules, which it would hide."""
    hidden = []
    for path in (path for path in MODULES if path.name == "__init__.py"):
        modules = {found.name for found in pkgutil.iter_modules([str(path.parent)])}
        package = ".".join(path.parent.relative_to(SOURCE.parent).parts)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names = {node.name}
            elif isinstance(node, ast.ImportFrom) and node.module != package:
                names = {alias.asname or alias.name for alias in node.names}
            else:
                continue
            hidden += [f"{package}.{name}" for name in sorted(names & modules)]
    assert hidden == []


def test_the_methods_that_solve_takes_are_listed():
    """Each with what it is for, under the name that its documentation says."""
    assert "zermelo.METHODS" in zermelo.solve.__doc__
    assert {"retrograde", "dense", "score"} <= set(zermelo.METHODS)
    assert zermelo.solve(TakeAway(5)).method in zermelo.METHODS


def test_kinds_of_value_are_asked_for_by_their_names():
    """What ``value`` may be are the names that kinds of value have themselves."""
    assert set(VALUES) == {OUTCOME_ALONE.name, NIMBERS.name, PARTIZAN.name, TIMED_SCORES.name}


def test_the_version_is_told_once():
    """The package's version is the one it was installed under."""
    assert zermelo.__version__ == version("zermelo")


def imported(path, names):
    """Return the modules of Zermelo that a file imports, also for types or by a string."""
    package = path.relative_to(SOURCE.parent).with_suffix("").parts
    found = set()
    for node in read(path).imports:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        else:
            above = package[: len(package) - node.level] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                full = f"{module}.{alias.name}"
                found.add(full if full in names else module)
    found.update(IMPORTED_BY_NAME.findall(path.read_text(encoding="utf-8")))
    return found & names


def test_no_imports_run_in_cycles():
    """No file imports itself by way of others; types, and names in strings, count."""
    names = {}
    for path in MODULES:
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    wanted = {name: imported(path, names.keys()) - {name} for name, path in names.items()}
    try:
        TopologicalSorter(wanted).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_few_tests_import_private_modules():
    """A test calls what users call, unless the list says what they cannot reach."""
    tests = ROOT / "tests"
    found = {
        path.relative_to(tests).as_posix()
        for path in tests.rglob("*.py")
        if PRIVATE_MODULE.search(path.read_text(encoding="utf-8"))
    }
    assert sorted(found) == sorted(PRIVATE)


def test_no_two_classes_share_a_name():
    """A class name means one thing, in the package and in the tests of its games."""
    zoo = ROOT / "tests" / "unit" / "games"
    read_together = [*MODULES, *sorted(zoo.glob("*.py"))]
    found = Counter(name for path in read_together for name in read(path).classes)
    assert [name for name, times in found.items() if times > 1] == []


def test_only_the_command_line_prints():
    """The library neither prints nor writes to the standard streams."""
    library = (path for path in MODULES if SOURCE / "cli" not in path.parents)
    assert [named(path) for path in library if read(path).prints] == []


def test_nothing_within_imports_the_facade():
    """A module of the package imports what it needs from where it is, so that layers show."""
    modules = {found.name for found in pkgutil.iter_modules(zermelo.__path__)}
    from_facade = []
    for path in MODULES:
        for node in read(path).imports:
            if isinstance(node, ast.Import):
                taken = {alias.name for alias in node.names} & {"zermelo"}
            else:
                whole = node.module == "zermelo"
                taken = {alias.name for alias in node.names} - modules if whole else set()
            from_facade += [f"{named(path)}: {name}" for name in sorted(taken)]
    assert from_facade == []


@pytest.mark.parametrize("name", sorted(zermelo.__all__))
def test_public_names_are_documented(name):
    """Every public name is on a page of the reference, the overview aside, and has a docstring."""
    pages = (page for page in (ROOT / "docs" / "reference").glob("*.md") if page.stem != "api")
    reference = "\n".join(page.read_text() for page in pages)
    assert re.search(rf"\bzermelo\.{re.escape(name)}\b", reference)
    if callable(public := getattr(zermelo, name)):
        assert public.__doc__


def test_every_module_has_a_docstring():
    """Each module, the private ones included, says what it is for."""
    for path in (ROOT / "src" / "zermelo").rglob("*.py"):
        assert read(path).docstring, path


def test_the_readme_has_two_commands():
    """The README's shell commands are two lines, each in a block under the mark CI looks for."""
    text = (ROOT / "README.md").read_text()
    shell = [body for info, body in blocks(ROOT / "README.md") if info == "sh"]
    marked = re.findall(r"^<!-- (run|test)-command -->\n```sh\n(.+)\n```$", text, re.MULTILINE)
    assert [name for name, _ in marked] == ["run", "test"]
    assert shell == [f"{line}\n" for _, line in marked]
    assert all(line.startswith("python3 -m venv .venv && ") for _, line in marked)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_blocks_are_labelled(page):
    """Each block of a page is run, or is in a language that says it is mere text."""
    for info, _ in blocks(page):
        directive = re.match(r"\{([\w-]+)\}", info)
        if directive:
            assert not re.match(r"code|doctest|sourcecode|parsed-literal", directive[1]), info
        elif not (info == "sh" and page.name == "README.md"):
            assert info in LANGUAGES


def test_nothing_names_a_machine():
    """No committed file holds a path of the machine it was written on."""
    machine = re.compile(
        "|".join(
            [
                "site-" + "packages",
                r"(?<![\w.])/(?:" + "root|work|opt/" + r"\w+)/",
                r"(?<![\w.])/(?:home|Users)/" + r"\w",
                r"\b[A-Z]:\\" + "Users",
            ]
        )
    )
    found = []
    for path in committed():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{named(path)}: {match[0]}" for match in machine.finditer(text)]
    assert found == []


def test_sentences_are_todays_english():
    """No page, message or comment uses a phrase that has been replaced by a plainer one."""
    found = []
    for path in [*PAGES, ROOT / "CHANGELOG.md", *MODULES, *SHOWN]:
        text = " ".join(path.read_text(encoding="utf-8").lower().split())
        found += [
            f"{named(path)}: {match[0]!r}: write {better!r}"
            for phrase, better in STUMBLES.items()
            for match in re.finditer(phrase, text)
            if not text[: match.start()][-1:].isalnum()
        ]
    assert found == []


def test_dir_has_the_public_names_and_nothing_else():
    """What completion offers after ``zermelo.`` is what is documented."""
    names = dir(zermelo)
    assert set(zermelo.__all__) <= set(names)
    modules = set(names) - set(zermelo.__all__) - {"__version__"}
    public = {
        "adapters",
        "agents",
        "analysis",
        "drawing",
        "games",
        "graph",
        "heaps",
        "limits",
        "pursuits",
        "web",
    }
    assert modules == public
    assert all(hasattr(zermelo, name) for name in names)


def test_solvers_use_no_words_of_values():
    """What finds and checks values needs their codes; texts, pages and plots need their words."""
    folders = ("_cluster", "_compile", "_engine", "_methods", "_store", "plain", "proving")
    found = [
        f"{path.name}:{number}"
        for path in MODULES
        if path.relative_to(SOURCE).parts[0] in folders
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if re.search(r"\bkind\.words\b|values\.words\b", line)
    ]
    assert found == []
