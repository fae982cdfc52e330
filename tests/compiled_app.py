"""A pytest plugin for runs on the compiled application: ends where a listed module is not machine code."""

import importlib
import os
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
