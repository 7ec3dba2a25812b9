"""What an installed package can do without extras; run in an empty folder, by its own Python."""

import json
import subprocess
import sys
from importlib.metadata import distribution, version
from importlib.util import find_spec
from pathlib import Path

import zermelo


def run(*words):
    """Return what the command writes, as it was installed beside this Python."""
    command = [str(Path(sys.executable).with_name("zermelo")), *words]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


extras = ("networkx", "pyarrow", "pandas", "fastapi", "matplotlib", "chess", "pytest", "scipy")
assert [name for name in extras if find_spec(name)] == []
assert Path(zermelo.__file__).is_relative_to(sys.prefix)
assert zermelo.__version__ == version("zermelo")
assert run("--version") == f"zermelo {version('zermelo')}\n"
files = {str(file) for file in distribution("zermelo").files}
assert {"zermelo/py.typed", "zermelo/readers/zermelo_reader.c"} <= files
assert any(file.startswith("zermelo/web/static/") for file in files)
assert not any(file.startswith(("tests/", "docs/", "benchmarks/")) for file in files)

# Every public name is there, whatever it needs once it is used.
assert all(hasattr(zermelo, name) for name in dir(zermelo))

solved = json.loads(run("solve", "take-away", "--stones", "21", "--table", "heap.table", "--json"))
assert solved["value"]["outcome"] == "win"
assert solved["positions"] == 22
assert json.loads(run("verify", "heap.table", "--json"))
compiled = ("--width", "3", "--height", "3", "--method", "levels")
assert json.loads(run("solve", "connect-four", *compiled, "--json"))["value"]["remoteness"] == 9
assert len(json.loads(run("games", "--json"))) > 60
assert len(json.loads(run("readers", "--json"))["files"]) == 2
assert run("export", "heap.table", "--csv", "heap.csv").startswith("22 positions")

told = ""
try:
    zermelo.open("heap.table").export("heap.parquet")
except zermelo.MissingExtraError as error:
    told = str(error)
assert "pip install 'zermelo[export]'" in told
sys.stdout.write("done\n")
