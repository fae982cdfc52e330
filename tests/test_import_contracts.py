"""The import contracts bite: each is broken by the shortcut it is there for, and by nothing less."""

import subprocess
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from devtools.venv import tool
from tests.servers import ROOT

PACKAGES = ("app", "app/rules", "app/bots", "app/accounts", "app/rooms", "app/scores", "app/variants")


class Shortcut(NamedTuple):
    """A module with an import that is not allowed, and how the contract starts that refuses it."""

    contract: str
    module: str
    imported: str


SHORTCUTS = (
    Shortcut("layers", "scores/schemas", "app.rooms.messages"),
    Shortcut("layers", "variants/routes", "app.rooms.service"),
    Shortcut("layers", "rooms/service", "app.variants.finding"),
    Shortcut("layers", "config", "app.db"),
    Shortcut("layers", "bots/policy", "app.accounts"),
    Shortcut("the rules are pure", "rules/dice", "random"),
    Shortcut("the rules are pure", "rules/record", "app.config"),
    Shortcut("bots see the rules", "bots/policy", "app.config"),
    Shortcut("a room and its views are pure", "rooms/room", "time"),
    Shortcut("a room and its views are pure", "rooms/views", "app.accounts"),
    Shortcut("redis only", "rooms/service", "redis.asyncio"),
    Shortcut("sqlalchemy only", "scores/routes", "sqlalchemy.ext.asyncio"),
)
ALLOWED = (
    Shortcut("", "bots/policy", "app.rules.dice"),
    Shortcut("", "rooms/room", "app.rules.dice"),
    Shortcut("", "rooms/views", "app.rooms.room"),
    Shortcut("", "rooms/redis_line", "redis.asyncio"),
    Shortcut("", "scores/tables", "sqlalchemy"),
    Shortcut("", "rules/dice", "hashlib"),
    Shortcut("", "main", "app.rooms.redis_store"),
)


def broken_contracts(folder: Path, *shortcuts: Shortcut) -> list[str]:
    """The names of the contracts that an application with only these imports breaks."""
    for package in PACKAGES:
        (folder / package).mkdir()
        (folder / package / "__init__.py").touch()
    for shortcut in shortcuts:
        for module in (shortcut.imported.replace(".", "/"), f"app/{shortcut.module}"):
            if module.startswith("app/") and not (folder / module).is_dir():
                (folder / f"{module}.py").touch()
        (folder / f"app/{shortcut.module}.py").write_text(f"import {shortcut.imported}\n")
    command = [tool("lint-imports"), "--no-cache", "--config", str(ROOT / "pyproject.toml")]
    shown = subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout
    assert "Contracts:" in shown, shown
    return [line.rsplit(" BROKEN", 1)[0] for line in shown.splitlines() if " BROKEN" in line]


@pytest.mark.parametrize("shortcut", SHORTCUTS, ids=lambda shortcut: f"{shortcut.module}-{shortcut.imported}")
def test_a_shortcut_breaks_its_contract(tmp_path: Path, shortcut: Shortcut) -> None:
    assert any(name.startswith(shortcut.contract) for name in broken_contracts(tmp_path, shortcut))


def test_what_is_allowed_breaks_none(tmp_path: Path) -> None:
    assert broken_contracts(tmp_path, *ALLOWED) == []


def test_every_contract_has_a_shortcut_it_refuses() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    untried = [
        contract["name"]
        for contract in contracts
        if not any(contract["name"].startswith(shortcut.contract) for shortcut in SHORTCUTS)
    ]
    assert untried == []
