"""What docs/operating.md says of backups of the data folder, done to a server that runs."""

from copy import deepcopy

from tests.conftest import StartApp
from tests.e2e.table_client import TableClient, make_guest, make_room
from tests.operating_page import Operator, blocks_under


async def test_a_backup_of_a_running_server_brings_players_and_tables_back(start_app: StartApp) -> None:
    backup, restore = blocks_under("The data folder")
    app = start_app()
    operator = Operator(app.folder, {})
    cookie = await make_guest(app.base_url, "Lija")
    code = await make_room(app.base_url, cookie, "papir")
    async with TableClient.connect(app.base_url, code, cookie) as lija:
        await lija.must(type="join", text="x")
        await lija.must(type="ready", ready=True)
        await lija.must(type="start")
        await lija.act(type="roll", hold=[])
        backed_up = (lija.version, lija.epoch, deepcopy(lija.state))
        operator.run(backup)
        copies = app.folder / "backup"
        assert {file.name for file in copies.iterdir()} == {"yamb.db", "rooms.db"}
        assert {file.stat().st_mode & 0o777 for file in copies.iterdir()} == {0o600}
        await lija.act(type="roll", hold=[0])
    app.kill()
    operator.run(restore)
    restored = start_app({"YAMB_DATA_DIR": str(app.folder / "var")})
    async with TableClient.connect(restored.base_url, code, cookie) as again:
        assert (again.version, again.state) == (backed_up[0], backed_up[2])
        assert again.epoch != backed_up[1]
        await again.act(type="roll", hold=[1])
