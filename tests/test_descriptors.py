"""How the open files that the system allows are shared out."""

import pytest

from app.descriptors import backlog, room_for_connections, share_of_address


@pytest.mark.parametrize("limit", [64, 192, 256, 1024, 4096, 65_536, 1_048_576])
def test_connections_leave_room_for_other_files_and_addresses_for_each_other(limit: int) -> None:
    most = room_for_connections(limit)
    assert most + backlog(limit) + 16 <= limit
    assert share_of_address(1_000_000, most) < most
    assert share_of_address(10, most) == 10


def test_without_a_limit_any_number_may_come() -> None:
    assert room_for_connections(None) == 0
    assert share_of_address(2000, 0) == 2000
    assert share_of_address(0, 500) == 0
