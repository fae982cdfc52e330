"""Whose session is over, as sockets ask for it."""

from starlette.requests import HTTPConnection

from app.accounts.ended_sessions import Ended, make_find_ended
from app.accounts.identity import COOKIE, Identity, make_identify
from app.accounts.service import SESSION_SECONDS
from app.db import Database
from tests.accounts.apps import Clock, make_app, open_client


async def become(database: Database, clock: Clock, name: str) -> tuple[Identity, str]:
    """A new guest as a socket would know him, and his token."""
    async with open_client(make_app(database, clock)) as client:
        await client.post("/api/guests", json={"name": name})
        token = client.cookies[COOKIE]
    scope = {"type": "websocket", "headers": [(b"authorization", f"Bearer {token}".encode())]}
    found = await make_identify(database, now=clock)(HTTPConnection(scope))
    assert found is not None
    return found, token


async def test_who_signed_out_or_is_deleted_is_found_among_many(database: Database, clock: Clock) -> None:
    stays, _ = await become(database, clock, "Lija")
    leaves, leaving = await become(database, clock, "Medo")
    gone, going = await become(database, clock, "Zec")
    many = [Identity(f"p{number}", "", session=number.to_bytes(2)) for number in range(1200)]
    find_ended = make_find_ended(database, now=clock)
    assert await find_ended([stays, leaves, gone]) == Ended(set(), set())

    for token, path in ((leaving, "/api/sessions/current"), (going, "/api/me")):
        async with open_client(make_app(database, clock)) as client:
            answer = await client.request("DELETE", path, headers={"authorization": f"Bearer {token}"})
            assert answer.status_code == 204

    ended = await find_ended([stays, leaves, gone, *many])
    assert ended.sessions == {leaves.session, gone.session, *(one.session for one in many)}
    assert ended.deleted == {gone.player}


async def test_a_session_ends_with_its_time(file: Database, clock: Clock) -> None:
    who, _ = await become(file, clock, "Lija")
    find_ended = make_find_ended(file, now=clock)
    clock.now += SESSION_SECONDS * 1000 - 1
    assert not (await find_ended([who])).sessions
    clock.now += 1
    assert await find_ended([who]) == Ended({who.session}, set())
