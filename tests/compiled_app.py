"""A pytest plugin for runs on the compiled application.

It ends where a listed module is not machine code, and where a coroutine has left an exception behind as the
one that is being handled: whatever is compiled may raise it again, in place of its own.
"""

import importlib
import os
import sys
from pathlib import Path

import pytest

from devtools.compiling import compiled_modules

TREE = "COMPILED_TREE"
"""The environment variable that names the compiled tree."""


def pytest_sessionstart() -> None:
    """Look at each of the modules."""
    tree = Path(os.environ[TREE])
    for name in compiled_modules():
        module = importlib.import_module(name.removesuffix(".py").replace("/", "."))
        found = Path(str(module.__file__))
        if found.suffix == ".py" or found.parent != (tree / name).parent:
            pytest.exit(f"{name} is not compiled: it comes from {found}", returncode=1)


def pytest_runtest_logfinish(nodeid: str) -> None:
    """Look after each test."""
    left = sys.exc_info()[1]
    if left is not None:
        pytest.exit(f"{nodeid} has left this behind: {left!r}", returncode=1)
