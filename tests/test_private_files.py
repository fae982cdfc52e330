"""What a server keeps is for its own user: secrets of dice, sessions and names."""

import os
from pathlib import Path

from app.private_files import keep_private
from tests.conftest import StartApp


def modes(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}


def test_every_file_of_a_server_is_for_its_user_alone_also_those_that_are_there(start_app: StartApp) -> None:
    before = os.umask(0)
    try:
        app = start_app()
        folder = app.folder / "var"
        assert folder.stat().st_mode & 0o777 == 0o700
        assert {"yamb.db", "rooms.db", "rooms.db-wal", "rooms.db.lock", "rooms.db.seen"} <= modes(
            folder
        ).keys()
        assert set(modes(folder).values()) == {0o600}
        app.kill()
        for file in folder.iterdir():
            file.chmod(0o644)
        start_app({"YAMB_DATA_DIR": str(folder)})
        assert set(modes(folder).values()) == {0o600}
    finally:
        os.umask(before)


def test_the_file_that_a_link_leads_to_is_made_private_and_keeps_its_contents(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    keep_private(tmp_path / "link")
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o600
    (tmp_path / "real").write_text("kept")
    (tmp_path / "real").chmod(0o664)
    keep_private(tmp_path / "link")
    assert (tmp_path / "real").read_text() == "kept"
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o600
