"""A copy of the application whose hot modules are machine code: made from the sources by mypyc (ADR 9).

The sources themselves stay as they are and run uncompiled. Which modules are compiled stands in
pyproject.toml. Nothing is compiled again while sources, Python and mypy are the same. Needs a C compiler
and Python's headers; run as a program it needs no more of the project than what is copied, pyproject.toml
and this folder, as when the image is built.
"""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from devtools.programs import find_c_compiler, find_headers
from devtools.venv import ROOT

COMPILED = ROOT / "build" / "compiled"
"""Where the compiled copy is made when nothing else is said."""

_COPIED = ("app", "migrations", "alembic.ini")
_PROJECT = ROOT / "pyproject.toml"
_STAMP = ".compiled"
_TOOLS = ("mypy", "setuptools")
# One pass of optimising is most of what several bring, and takes a third of the time. Nobody reads warnings
# of code that is generated, and to look for them takes another third.
_OPTIMISED = {"MYPYC_OPT_LEVEL": "1", "MYPYC_DEBUG_LEVEL": "0", "CFLAGS": "-w"}
_SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))


# The types are checked by `dev.py check`. Here they are read, and only those that the modules can use:
# with the libraries' it would take five times as long.
_TYPES = """\
[mypy]
follow_imports = silent
[mypy-fastapi.*,pydantic.*,pydantic_settings.*,sqlalchemy.*,starlette.*]
follow_imports = skip
"""


class CannotCompile(Exception):
    """Something that compiling needs is missing, or a module can't be compiled: the text says what."""


def compiled_modules() -> list[str]:
    """The files that are compiled, as pyproject.toml lists them."""
    listed: list[str] = tomllib.loads(_PROJECT.read_text())["tool"]["yamb"]["compiled"]
    return listed


def what_is_missing() -> str | None:
    """What this computer lacks for compiling, in words that say how to get it."""
    if find_c_compiler() is None:
        return (
            "there is no C compiler: install one (on Debian apt-get install gcc libc6-dev), or name it by CC"
        )
    if find_headers() is None:
        return "the headers of Python are missing: install them, on Debian with apt-get install python3-dev"
    try:
        for name in _TOOLS:
            version(name)
    except PackageNotFoundError as error:
        return f"{error.name} is missing: install what requirements-build.txt pins"
    return None


def compile_app(folder: Path = COMPILED) -> bool:
    """Make the folder the compiled copy of what is here now; whether anything had to be compiled.

    Several may ask at once: one makes it, the others wait. Raises CannotCompile, and the folder is as before.
    """
    if missing := what_is_missing():
        raise CannotCompile(missing)
    _refuse_foreign(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        wanted, there = _stamp(), _read_stamp(folder)
        if there == wanted:
            return False
        is_to_compile = there.get("code") != wanted["code"]
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as made:
            work, tree = Path(made, "work"), Path(made, "tree")
            _copy_sources(tree)
            if is_to_compile:
                _copy_sources(work)
                _compile(work, compiled_modules())
            _copy_libraries(work if is_to_compile else folder, tree)
            (tree / _STAMP).write_text(json.dumps(wanted))
            _put_in_place(tree, folder, Path(made, "old"))
    return is_to_compile


def _stamp() -> dict[str, str]:
    """What a copy is made of, as hashes: `code` of what the compiler sees, `all` of everything."""
    code, everything = hashlib.sha256(), hashlib.sha256()
    tools = [f"{name} {version(name)}" for name in _TOOLS]
    code.update(repr((sys.version, _SUFFIX, tools, _OPTIMISED, _TYPES, compiled_modules())).encode())
    for name in _COPIED:
        for path in _files_of(ROOT / name):
            part = repr((str(path.relative_to(ROOT)), path.read_bytes())).encode()
            everything.update(part)
            if path.suffix == ".py":
                code.update(part)
    everything.update(code.digest())
    return {"code": code.hexdigest(), "all": everything.hexdigest()}


def _read_stamp(folder: Path) -> dict[str, str]:
    stamp = folder / _STAMP
    found: dict[str, str] = json.loads(stamp.read_text()) if stamp.exists() else {}
    return found


def _files_of(path: Path) -> Iterator[Path]:
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    return (file for file in found if file.is_file() and "__pycache__" not in file.parts)


def _refuse_foreign(folder: Path) -> None:
    """What is in the folder is replaced: it must be nothing, or a copy made before."""
    if folder.exists() and not (folder / _STAMP).exists() and any(folder.iterdir()):
        raise CannotCompile(f"{folder} holds something else: name a new folder, or an empty one")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Holds off whoever else makes this copy."""
    with (folder.parent / f".{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _copy_sources(tree: Path) -> None:
    tree.mkdir()
    for name in _COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, tree)


def _compile(work: Path, modules: Sequence[str]) -> None:
    (work / "mypy.ini").write_text(_TYPES)
    command = [sys.executable, "-m", "mypyc", "--config-file", "mypy.ini", *modules]
    env = os.environ | _OPTIMISED
    done = subprocess.run(
        command, cwd=work, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise CannotCompile(f"mypyc or the C compiler refused:\n{done.stdout}{done.stderr}")
    if lacking := [name for name in modules if not (work / name).with_suffix(_SUFFIX).exists()]:
        raise CannotCompile(f"nothing came out for {', '.join(lacking)}:\n{done.stdout}{done.stderr}")


def _copy_libraries(source: Path, tree: Path) -> None:
    """The modules' libraries lie beside their sources, and the one that holds their code above them."""
    for library in (*source.glob(f"*{_SUFFIX}"), *(source / "app").rglob(f"*{_SUFFIX}")):
        shutil.copy2(library, tree / library.relative_to(source))


def _put_in_place(tree: Path, folder: Path, old: Path) -> None:
    if folder.exists():
        folder.rename(old)
    tree.rename(folder)


def main(arguments: Sequence[str]) -> int:
    """The command line: `[FOLDER]`."""
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print("usage: dev.py compile [FOLDER]", file=sys.stderr)
        return 2
    folder = Path(arguments[0]).absolute() if arguments else COMPILED
    try:
        is_new = compile_app(folder)
    except CannotCompile as error:
        print(f"Cannot compile: {error}", file=sys.stderr)
        return 1
    print(f"{'Compiled' if is_new else 'Nothing to compile again'}: {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
