"""The commands of docs/operating.md, taken from the page itself and run as an operator would."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.servers import ROOT

PAGE = ROOT / "docs" / "operating.md"


def blocks_under(heading: str) -> list[str]:
    """The blocks of commands that follow a heading, the last one of that name, up to the next one."""
    section = re.split(rf"^#+ {re.escape(heading)}$", PAGE.read_text(), flags=re.MULTILINE)[-1]
    section = re.split(r"^#+ ", section, flags=re.MULTILINE)[0]
    return re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


class Operator:
    """Runs commands in a folder of theirs. `programs` come before those of the system."""

    def __init__(self, folder: Path, env: Mapping[str, str], *programs: Path) -> None:
        self.folder = folder
        self._own = folder / "programs"
        self._own.mkdir()
        self.add("yamb", f'cd "{folder}" && PYTHONPATH="{ROOT}" exec "{sys.executable}" -m app.cli "$@"')
        path = os.pathsep.join([str(self._own), *map(str, programs), os.environ["PATH"]])
        usual = {name: value for name, value in os.environ.items() if not name.startswith("YAMB_")}
        self._env = {**usual, **env, "PATH": path}

    def add(self, name: str, command: str) -> None:
        """A program of that name, which needs to be told where its server is, or has another name here."""
        program = self._own / name
        program.write_text(f"#!/bin/sh\n{command}\n")
        program.chmod(0o755)

    def run(self, commands: str) -> str:
        """Run them, and stop at the first that fails; what they printed."""
        done = subprocess.run(
            ["sh", "-eu", "-c", commands],
            cwd=self.folder,
            env=self._env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0, f"{commands}\n{done.stdout}"
        return done.stdout
