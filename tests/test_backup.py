"""What docs/operating.md says of backups of the data folder, done to a server that runs."""

import sqlite3
from contextlib import closing
from copy import deepcopy
from pathlib import Path

from tests.conftest import StartApp
from tests.e2e.table_client import TableClient, make_guest, make_room
from tests.servers import ROOT, AppServer

FILES = ("yamb.db", "rooms.db")


def back_up(app: AppServer, folder: Path) -> None:
    """Copy both files as `sqlite3 FILE ".backup COPY"` does."""
    for name in FILES:
        with (
            closing(sqlite3.connect(app.folder / "var" / name)) as source,
            closing(sqlite3.connect(folder / name)) as copy,
        ):
            source.backup(copy)


async def test_a_backup_of_a_running_server_brings_players_and_tables_back(
    start_app: StartApp, tmp_path: Path
) -> None:
    app = start_app()
    cookie = await make_guest(app.base_url, "Lija")
    code = await make_room(app.base_url, cookie, "papir")
    async with TableClient.connect(app.base_url, code, cookie) as lija:
        await lija.must(type="join", text="x")
        await lija.must(type="ready", ready=True)
        await lija.must(type="start")
        await lija.act(type="roll", hold=[])
        backed_up = (lija.version, deepcopy(lija.state))
        back_up(app, tmp_path)
        await lija.act(type="roll", hold=[0])
    app.kill()
    restored = start_app({"YAMB_DATA_DIR": str(tmp_path)})
    async with TableClient.connect(restored.base_url, code, cookie) as again:
        assert (again.version, again.state) == backed_up
        await again.act(type="roll", hold=[1])
    page = (ROOT / "docs" / "operating.md").read_text()
    assert all(f'`sqlite3 var/{name} ".backup {name}"`' in page for name in FILES)
